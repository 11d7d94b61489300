import { act } from "@farthing/core/audit/act.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import {
  findPayoutInBatch,
  heldInBatch,
  liftHold,
  placeHold,
  type PlacedHold,
} from "@farthing/core/payouts/holds.server.ts";
import { holdList, type HoldSort, type ListedHold } from "@farthing/core/payouts/list-holds.server.ts";
import { newHoldSchema } from "@farthing/core/payouts/schema.ts";
import { data } from "react-router";
import { z } from "zod";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { ConfirmBulk } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField, TextField } from "../../kit/fields.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { holdListing } from "./hold-list.tsx";
import type { Route } from "./+types/hold-list-page";

export async function loader(args: Route.LoaderArgs) {
  const member = new URL(args.request.url).searchParams.get("member") ?? "";
  return { list: await loadList<ListedHold, HoldSort>(args, holdListing, holdList), member: member.slice(0, 40) };
}

interface Answer {
  said: { tone: "good" | "warn" | "bad"; text: string } | null;
  ask: string[] | null;
  faults?: Faults | undefined;
  typed?: Typed | undefined;
}

const idsSchema = z
  .array(z.string().regex(/^[\w-]{1,60}$/))
  .min(1)
  .max(100);

/** Holds a member's payouts, or lifts the chosen holds after a question. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const by = actor.operator.email;
  const form = await request.formData();
  const typed = typedIn(form);
  const answer = (value: Answer, status = 200) => data(value, { status });
  if (typed["act"] === "hold") {
    const read = checkForm(typed, newHoldSchema);
    if (!read.ok) return answer({ said: null, ask: null, faults: read.faults, typed }, 422);
    const { memberNumber, reason } = read.value;
    const what = {
      permission: "money.change",
      action: "payout-hold.place",
      subject: {
        type: "payout-hold",
        idOf: (placed: PlacedHold) => (placed.outcome === "held" ? placed.publicId : ""),
      },
      why: reason,
      changed: ({ outcome }: PlacedHold) => outcome === "held",
    } as const;
    const { outcome } = await act(db, actor, what, (joined) =>
      placeHold(joined, { memberNumber, reason, by, now: actor.now }),
    );
    if (outcome === "held") {
      const inBatch = await findPayoutInBatch(db, { memberNumber });
      const held = `Held: member ${memberNumber} can't withdraw until you lift it, and joins no batch.`;
      return answer({
        said: inBatch
          ? { tone: inBatch.isApproved ? "bad" : "warn", text: `${held} ${heldInBatch(inBatch)}` }
          : { tone: "good", text: held },
        ask: null,
      });
    }
    const fault = outcome === "unknown" ? "There is no member of this number." : "The member is on hold already.";
    return answer({ said: null, ask: null, faults: { member_number: fault }, typed }, 409);
  }
  const ids = idsSchema.safeParse(form.getAll("ids"));
  if (!ids.success) return answer({ said: { tone: "bad", text: "Choose holds first, at most 100." }, ask: null }, 422);
  if (typed["confirmed"] !== "yes") return answer({ said: null, ask: ids.data });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return answer({ said: null, ask: ids.data, faults: why.faults, typed }, 422);
  let lifted = 0;
  for (const publicId of ids.data) {
    const what = {
      permission: "money.change",
      action: "payout-hold.lift",
      subject: { type: "payout-hold", id: publicId },
      why: why.value.why,
    } as const;
    if (await act(db, actor, what, (joined) => liftHold(joined, { publicId, by, now: actor.now }))) lifted += 1;
  }
  const text = `${lifted} lifted: the members can withdraw, and what waits joins the next batch.${
    lifted < ids.data.length ? ` ${ids.data.length - lifted} were lifted before.` : ""
  }`;
  return answer({ said: { tone: "good", text }, ask: null });
}

export default function HoldListPage({ loaderData: { list, member }, actionData }: Route.ComponentProps) {
  const { said, ask, faults, typed } = actionData ?? { said: null, ask: null };
  return (
    <>
      <PageHead
        title="Payout holds"
        crumbs={[{ label: "Payouts", href: "/admin/payouts" }]}
        intro="A hold stops a member’s payouts because of suspected fraud. The member reads that we have a question and whom to write to, never the reason."
      />
      {said && <Notice tone={said.tone}>{said.text}</Notice>}
      {ask && (
        <ConfirmBulk
          title={ask.length === 1 ? "Lift this hold?" : `Lift these ${ask.length} holds?`}
          what={<p>What waits joins the next batch, and the members can withdraw again.</p>}
          button={`Lift ${ask.length}`}
          act="lift"
          ids={ask}
          typed={typed}
          faults={faults}
        />
      )}
      <ListScreen list={holdListing} loaded={list} empty={<p>Nobody is on hold.</p>} />
      <section className="panel" aria-labelledby="hold">
        <h2 id="hold">Hold a member’s payouts</h2>
        {!ask && <FaultSummary faults={faults} />}
        <form method="post" action="/admin/payouts/holds">
          <TextField
            name="member_number"
            label="Member number"
            value={member}
            max={40}
            {...(ask ? {} : { typed, faults })}
          />
          <LongField
            name="reason"
            label="Why"
            help="For operators, and in the audit log, which is kept for good: leave out names and addresses."
            max={500}
            {...(ask ? {} : { typed, faults })}
          />
          <button className="button is-danger" name="act" value="hold">
            Hold
          </button>
        </form>
      </section>
    </>
  );
}
