import { act, type Act } from "@farthing/core/audit/act.server.ts";
import type { VerbOf } from "@farthing/core/audit/actions.ts";
import {
  acceptSchema,
  appealForMemberSchema,
  askSchema,
  declineSchema,
} from "@farthing/core/claims/decision-schema.ts";
import { appealClaim } from "@farthing/core/claims/operations.server.ts";
import {
  decideClaim,
  retryClaim,
  type Decided,
  type OperatorDecision,
} from "@farthing/core/claims/operators.server.ts";
import { giveGoodwill, type GivenGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { newGoodwillSchema } from "@farthing/core/goodwill/schema.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { findClaimRecord } from "@farthing/core/claims/find-record.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, type RouterContextProvider } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { goodwillFaults } from "../goodwill/goodwill-faults.ts";
import { actorOf } from "../../kit/actor.server.ts";
import type { Tone } from "../../kit/facts.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";

/** What came of a posted form of a claim. */
export interface PostedClaim {
  act: string;
  typed: Typed;
  faults?: Faults | undefined;
  /** Whether the page has to ask before it is done. */
  isAsked?: boolean;
  tone: Tone;
  says: string | null;
}

const WITH_NETWORK =
  "the network has the claim and answers by its API, which ends a question of ours. What it asks for, the member is asked by itself.";

/** Does what an operator posted about a claim, with an entry in the log. */
export async function changeClaimAs(
  context: Readonly<RouterContextProvider>,
  { publicId, request }: { publicId: string; request: Request },
) {
  const { db, goodwill: limits } = context.get(servicesContext);
  const actor = actorOf(context);
  const { now } = actor;
  const typed = typedIn(await request.formData());
  const by = actor.operator.email.slice(0, 100);
  const what = <Result>(
    verb: VerbOf<"claim">,
    why: string | null,
    changed: (result: Result) => boolean,
  ): Act<Result> => ({
    permission: "claims.decide",
    action: `claim.${verb}`,
    subject: { type: "claim", id: publicId },
    why,
    changed,
  });
  const answer = (posted: Partial<PostedClaim>, status = 200) =>
    data<PostedClaim>({ act: typed["act"] ?? "", typed, tone: "plain", says: null, ...posted }, { status });
  const decide = async (
    decision: OperatorDecision,
    { verb, why, says }: { verb: VerbOf<"claim">; why: string | null; says: string },
  ) => {
    const decided = await act<Decided>(
      db,
      actor,
      what(verb, why, ({ outcome }) => outcome === "decided"),
      (joined) => decideClaim(joined, { publicId, decision, by, now }),
    );
    if (decided.outcome === "unknown") throw unknown();
    if (decided.outcome === "decided") return answer({ tone: "good", says });
    if (decided.outcome === "with-network")
      return answer({ tone: "bad", says: `Nothing was done: ${WITH_NETWORK}` }, 409);
    return answer(
      { tone: "bad", says: `Nothing was done: the claim is ${decided.state} now. See below what happened.` },
      409,
    );
  };

  const { act: doing = "" } = typed;
  switch (doing) {
    case "accept": {
      const form = checkForm(typed, acceptSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const says = "Accepted. The member knows; the money comes with the network’s report.";
      return decide({ state: "accepted", note: form.value.answer }, { verb: "accept", why: null, says });
    }
    case "ask": {
      const form = checkForm(typed, askSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const says = "Asked. The member gets an e-mail with what is missing.";
      return decide({ state: "incomplete", asked: form.value.asked }, { verb: "ask", why: null, says });
    }
    case "decline": {
      const form = checkForm(typed, declineSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true });
      const why = checkForm(typed, z.object({ why: whySchema }));
      if (!why.ok) return answer({ isAsked: true, faults: why.faults }, 422);
      return decide(
        { state: "declined", ...form.value },
        { verb: "decline", why: why.value.why, says: "Declined. The member gets an e-mail with the reason." },
      );
    }
    case "appeal": {
      const form = checkForm(typed, appealForMemberSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      const claim = await findClaimRecord(db, { publicId, now });
      if (!claim) throw unknown();
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true });
      const why = checkForm(typed, z.object({ why: whySchema }));
      if (!why.ok) return answer({ isAsked: true, faults: why.faults }, 422);
      const { brandId, memberId } = claim;
      const appealed = await act<Awaited<ReturnType<typeof appealClaim>>>(
        db,
        actor,
        what("appeal", why.value.why, (outcome) => outcome === "appealed"),
        (joined) => appealClaim(joined, { brandId, memberId, publicId, words: form.value.words, by, now }),
      );
      return appealed === "appealed"
        ? answer({ tone: "good", says: "Appealed. It is filed with the network once more." })
        : answer({ tone: "bad", says: "Nothing was done: it can’t be appealed any more." }, 409);
    }
    case "settle": {
      const form = checkForm(typed, newGoodwillSchema);
      if (!form.ok) return answer({ faults: form.faults }, 422);
      if (typed["confirmed"] !== "yes") return answer({ isAsked: true });
      const claim = await findClaimRecord(db, { publicId, now });
      if (!claim) throw unknown();
      const { brandId, memberId } = claim;
      const { amount: amountPence, ...rest } = form.value;
      const settling = {
        permission: "money.change",
        why: rest.note,
        changed: (given: GivenGoodwill) => given.outcome === "given" && given.isNew,
      } as const;
      const idOf = (given: GivenGoodwill) => (given.outcome === "given" ? given.publicId : "");
      // Two entries: the log of the claim says how it ended, and that of the credit what it was for.
      const given = await act<GivenGoodwill>(
        db,
        actor,
        { ...settling, action: "claim.settle", subject: { type: "claim", id: publicId } },
        (outer) =>
          act<GivenGoodwill>(
            outer,
            actor,
            { ...settling, action: "goodwill.give", subject: { type: "goodwill", idOf } },
            (joined) =>
              giveGoodwill(joined, {
                ...{ brandId, memberId, amountPence, ...rest, claimPublicId: publicId, limits },
                ...{ by: actor.operator.email, now },
              }),
          ),
      );
      if (given.outcome === "claim-not-declined" || given.outcome === "no-such-claim")
        return answer({ tone: "bad", says: "Nothing was done: only a declined claim is settled so." }, 409);
      return given.outcome === "given" && given.isNew
        ? answer({ tone: "good", says: `Settled with ${formatPence(amountPence)}. The member gets a mail.`, typed: {} })
        : answer({ faults: goodwillFaults(given) }, 409);
    }
    case "retry": {
      const isRetried = await act<boolean>(
        db,
        actor,
        what("retry", null, (done) => done),
        (joined) => retryClaim(joined, { publicId, now }),
      );
      return isRetried
        ? answer({ tone: "good", says: "The worker tries it again within a minute." })
        : answer({ tone: "bad", says: "Nothing was done: the worker has not given it up." }, 409);
    }
    default:
      return answer({ tone: "bad", says: "Choose what to do." }, 422);
  }
}

function unknown() {
  return refused(404, { title: "No such claim", text: "There is no claim with this number." });
}
