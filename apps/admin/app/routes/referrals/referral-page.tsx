import { act } from "@farthing/core/audit/act.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { decideHold, holdReferral, type DecidedHold } from "@farthing/core/referrals/decide-hold.server.ts";
import { findReferralRecord } from "@farthing/core/referrals/list-referrals.server.ts";
import { HOLD_REASONS, refusalInWords, type HoldReason } from "@farthing/core/referrals/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import type { Route } from "./+types/referral-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const referral = await findReferralRecord(db, { publicId: params.referral });
  if (!referral) throw unknown();
  const { role } = context.get(operatorContext);
  return { referral, mayChange: may(role, "money.change"), maySeeLog: may(role, "audit.see") };
}

const acts = {
  lift: {
    button: "Lift the hold",
    title: "Lift the hold?",
    what: "The bonuses become what they would have been. Both members are told as usual.",
    done: "Lifted: the bonuses are what they would have been.",
  },
  refuse: {
    button: "Refuse the bonuses",
    title: "Refuse the bonuses?",
    what: "They end, unless they were withdrawn already. Neither member gets one for this invitation any more; this can’t be undone.",
    // refusalInWords says what was done.
    done: null,
  },
  hold: {
    button: "Hold it",
    title: "Hold this referral?",
    what: "What has not been withdrawn waits until somebody lifts or refuses the hold.",
    done: "Held: what has not been withdrawn waits for a decision.",
  },
} as const;
type Doing = keyof typeof acts;

/** The reason is kept with the hold, which wants a few words. */
const reasonSchema = z.object({
  why: z
    .string()
    .trim()
    .min(3, "Say why, in a few words. Leave out names: the log is kept for good.")
    .max(500, "Use at most 500 characters."),
});

interface Posted {
  tone: Tone;
  says: string | null;
  ask: Doing | null;
  typed: Typed;
  faults?: Faults;
}

/** Lifts or refuses the hold in force, or holds the referral; each after a question, with its reason. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, unsubscribeKeys: keys } = context.get(servicesContext);
  const actor = actorOf(context);
  const { now } = actor;
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ tone: "bad", says: null, ask: null, typed, ...posted }, { status });
  const publicId = params.referral;
  const doing = (Object.keys(acts) as Doing[]).find((known) => known === typed["act"]);
  if (!doing) return answer({ says: "Choose what to do." }, 422);
  const referral = await findReferralRecord(db, { publicId });
  if (!referral) throw unknown();
  const hold = typed["hold"] ?? "";
  const isStale =
    doing === "hold" ? referral.openHold !== null : referral.openHold === null || hold !== referral.openHold;
  if (isStale) return answer({ says: "Nothing was done: somebody decided meanwhile. See below." }, 409);
  if (typed["confirmed"] !== "yes") return answer({ ask: doing });
  const checked = checkForm(typed, reasonSchema);
  if (!checked.ok) return answer({ ask: doing, faults: checked.faults }, 422);
  const { why } = checked.value;
  const by = actor.operator.email.slice(0, 100);
  const result = await act(
    db,
    actor,
    {
      permission: "money.change",
      action: `referral.${doing}`,
      subject: { type: "referral", id: publicId },
      why,
      changed: ({ outcome }: DecidedHold | { outcome: "held" | "refused" }) =>
        outcome === "decided" || outcome === "held",
    },
    async (joined) =>
      doing === "hold"
        ? { outcome: await holdReferral(joined, { publicId, by, keys, now }) }
        : await decideHold(joined, {
            ...{ publicId: hold, decision: doing === "lift" ? "lifted" : "refused", note: why, by, keys, now },
          }),
  );
  if (result.outcome === "refused")
    return answer({ says: "Nothing was done: its bonuses were refused and have ended." }, 409);
  if (result.outcome === "unknown")
    return answer({ says: "Nothing was done: somebody decided meanwhile. See below." }, 409);
  const says = doing === "refuse" && result.outcome === "decided" ? refusalInWords(result.bonuses) : acts[doing].done;
  return answer({ tone: "good", says });
}

function unknown() {
  return refused(404, { title: "No such referral", text: "There is no referral with this number." });
}

export default function ReferralPage({
  loaderData: { referral, mayChange, maySeeLog },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/referrals/${referral.publicId}`;
  const open = referral.holds.find(({ publicId }) => publicId === referral.openHold);
  const decided = referral.holds.filter(({ decision }) => decision !== null);
  const wasRefused = decided.some(({ decision }) => decision === "refused");
  const possible: Doing[] = open ? ["lift", "refuse"] : wasRefused ? [] : ["hold"];
  return (
    <>
      <PageHead
        title={`Referral ${referral.publicId}`}
        crumbs={[{ label: "Invitations", href: "/admin/referrals" }]}
        intro={open ? <Badge tone="warn">held</Badge> : <Badge>not held</Badge>}
      >
        {maySeeLog && <a href={`/admin/audit/referral/${referral.publicId}`}>History in the log</a>}
      </PageHead>
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.ask && (
        <Confirm
          title={acts[posted.ask].title}
          what={<p>{acts[posted.ask].what}</p>}
          button={acts[posted.ask].button}
          keep={[
            ["act", posted.ask],
            ["hold", posted.typed["hold"] ?? ""],
          ]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {open && (
        <section className="panel" aria-labelledby="why-held">
          <h2 id="why-held">
            Why it is held since <Moment at={open.placedAt} />
          </h2>
          <ul>
            {open.reasons.map((reason) => (
              <li key={reason}>{HOLD_REASONS[reason as HoldReason]}</li>
            ))}
          </ul>
          <p className="soft">Placed by {open.placedBy === "rules" ? "the rules" : open.placedBy}.</p>
        </section>
      )}
      <div className="split">
        <div className="stack">
          <section className="panel" aria-labelledby="people">
            <h2 id="people">The invitation</h2>
            <Facts
              facts={[
                {
                  label: "Inviter",
                  value: (
                    <a href={`/admin/members/${referral.inviterId}`}>
                      <span className="id">{referral.inviterNumber}</span>
                    </a>
                  ),
                },
                {
                  label: "Friend",
                  value: (
                    <a href={`/admin/members/${referral.friendId}`}>
                      <span className="id">{referral.friendNumber}</span>
                    </a>
                  ),
                },
                { label: "Brand", value: referral.brand },
                { label: "Friend joined", value: <Moment at={referral.registeredAt} /> },
                { label: "Has to buy before", value: <Moment at={referral.qualifyUntil} /> },
                ...referral.bonuses.map(({ side, state, amountPence, endReason }) => ({
                  label: `Bonus of the ${side}`,
                  value: (
                    <>
                      <Amount pence={amountPence} /> {state}
                      {endReason && ` (${endReason})`}
                    </>
                  ),
                })),
              ]}
            />
          </section>
          {decided.length > 0 && (
            <section className="panel" aria-labelledby="holds">
              <h2 id="holds">Holds that were decided</h2>
              <ol className="timeline">
                {decided.map(({ publicId, placedAt, placedBy, reasons, decision, decidedBy, note }) => (
                  <li key={publicId}>
                    <Moment at={placedAt} /> by {placedBy}: {reasons.join(", ").replaceAll("_", " ")}; {decision} by{" "}
                    {decidedBy}
                    {note && <p>{note}</p>}
                  </li>
                ))}
              </ol>
            </section>
          )}
        </div>
        <div className="stack">
          {mayChange && !posted?.ask && possible.length > 0 && (
            <section className="panel" aria-labelledby="decide">
              <h2 id="decide">Decide</h2>
              <form method="post" action={path}>
                <input type="hidden" name="hold" value={referral.openHold ?? ""} />
                <p className="acts">
                  {possible.map((doing) => (
                    <button
                      key={doing}
                      className={doing === "lift" ? "button" : "button is-danger-quiet"}
                      name="act"
                      value={doing}
                    >
                      {acts[doing].button} …
                    </button>
                  ))}
                </p>
              </form>
            </section>
          )}
          <section className="panel" aria-labelledby="others">
            <h2 id="others">Others whom the inviter invited</h2>
            {referral.others.length === 0 && <p className="soft">Nobody else.</p>}
            <ul className="plain-list">
              {referral.others.map(({ publicId, friendNumber, registeredAt, isHeld }) => (
                <li key={publicId}>
                  <a href={`/admin/referrals/${publicId}`}>
                    <span className="id">{friendNumber}</span>
                  </a>{" "}
                  joined <Moment at={registeredAt} isDay /> {isHeld && <Badge tone="warn">held</Badge>}
                </li>
              ))}
            </ul>
          </section>
        </div>
      </div>
    </>
  );
}
