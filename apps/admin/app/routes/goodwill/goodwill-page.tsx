import { act } from "@farthing/core/audit/act.server.ts";
import { giveGoodwill, reverseGoodwill, type GivenGoodwill } from "@farthing/core/goodwill/operations.server.ts";
import { findGoodwillLeft, listGoodwill } from "@farthing/core/goodwill/queries.server.ts";
import { GOODWILL_REASONS, type GoodwillReason, goodwillReasons } from "@farthing/core/goodwill/rules.ts";
import { newGoodwillSchema, reversalSchema } from "@farthing/core/goodwill/schema.ts";
import { findMemberRef } from "@farthing/core/members/operators.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Notice } from "../../kit/facts.tsx";
import { FaultSummary, LongField, SelectField, TextField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { goodwillFaults } from "./goodwill-faults.ts";
import type { Route } from "./+types/goodwill-page";

const MAX_LISTED = 200;

async function memberOf({ context, params }: Pick<Route.LoaderArgs, "context" | "params">) {
  const member = await findMemberRef(context.get(servicesContext).db, { id: params.id });
  if (!member) throw refused(404, { title: "No such member", text: "There is no member at this address." });
  return member;
}

export async function loader(args: Route.LoaderArgs) {
  const { db, goodwill: limits, now } = args.context.get(servicesContext);
  const member = await memberOf(args);
  const [credits, left] = await Promise.all([
    listGoodwill(db, { memberId: member.id, max: MAX_LISTED }),
    findGoodwillLeft(db, { memberId: member.id, limits, now: now() }),
  ]);
  return { member, credits, left, mayGive: may(args.context.get(operatorContext).role, "money.change") };
}

interface Answer {
  said: { tone: "good" | "bad"; text: string } | null;
  /** The reference of the credit that is to be taken back. */
  ask?: string | undefined;
  /** The credit that is to be given, once it is confirmed. */
  giving?: { amountPence: number; reason: GoodwillReason } | undefined;
  faults?: Faults | undefined;
  typed?: Typed | undefined;
}

export async function action(args: Route.ActionArgs) {
  const { context, request } = args;
  const { db, goodwill: limits } = context.get(servicesContext);
  const actor = actorOf(context);
  const by = actor.operator.email;
  const { id: memberId, brandId } = await memberOf(args);
  const typed = typedIn(await request.formData());
  const answer = (value: Answer, status = 200) => data(value, { status });
  if (typed["act"] === "reverse") {
    const { reference = "" } = typed;
    if (typed["confirmed"] !== "yes") return answer({ said: null, ask: reference });
    const read = checkForm(typed, reversalSchema);
    if (!read.ok) return answer({ said: null, ask: reference, faults: read.faults, typed }, 422);
    const why = read.value.why;
    const own = (await listGoodwill(db, { memberId, max: MAX_LISTED })).find((one) => one.reference === reference);
    if (!own) return answer({ said: { tone: "bad", text: "This member has no credit of this reference." } }, 404);
    const what = {
      permission: "money.change",
      action: "goodwill.reverse",
      subject: { type: "goodwill", id: own.publicId },
      why,
      changed: (result: { outcome: string; isNew?: boolean }) => result.isNew === true,
    } as const;
    const done = await act(db, actor, what, (joined) =>
      reverseGoodwill(joined, { brandId, reference, note: why, by, now: actor.now }),
    );
    return done.outcome === "reversed" && done.isNew
      ? answer({ said: { tone: "good", text: `${formatPence(done.amountPence)} taken back. The member gets a mail.` } })
      : answer({ said: { tone: "bad", text: "Nothing was done: it was taken back before." } }, 409);
  }
  const read = checkForm(typed, newGoodwillSchema);
  if (!read.ok) return answer({ said: null, faults: read.faults, typed }, 422);
  const { amount: amountPence, ...rest } = read.value;
  if (typed["confirmed"] !== "yes") return answer({ said: null, giving: { amountPence, reason: rest.reason }, typed });
  const what = {
    permission: "money.change",
    action: "goodwill.give",
    subject: {
      type: "goodwill",
      idOf: (given: GivenGoodwill) => (given.outcome === "given" ? given.publicId : ""),
    },
    why: rest.note,
    changed: (given: GivenGoodwill) => given.outcome === "given" && given.isNew,
  } as const;
  const given = await act(db, actor, what, (joined) =>
    giveGoodwill(joined, { brandId, memberId, amountPence, ...rest, claimPublicId: null, limits, by, now: actor.now }),
  );
  if (given.outcome === "given" && given.isNew)
    return answer({ said: { tone: "good", text: `${formatPence(amountPence)} credited. The member gets a mail.` } });
  return answer({ said: null, faults: goodwillFaults(given), typed }, 409);
}

export default function GoodwillPage({ loaderData, actionData }: Route.ComponentProps) {
  const { member, credits, left, mayGive } = loaderData;
  const { said, ask, giving, faults, typed } = actionData ?? { said: null };
  const path = `/admin/members/${member.id}/goodwill`;
  const own = ask === undefined ? undefined : credits.find(({ reference }) => reference === ask);
  const form = ask === undefined ? { typed, faults } : {};
  return (
    <>
      <PageHead
        title={`Goodwill of ${member.name}`}
        crumbs={[
          { label: "Members", href: "/admin/members" },
          { label: member.name, href: `/admin/members/${member.id}` },
        ]}
        intro={
          <>
            What the club credits with a reason. <Amount pence={left.memberPence} /> more may go to this member in 365
            days, and <Amount pence={left.dayPence} /> to all members today.
          </>
        }
      />
      {said && <Notice tone={said.tone}>{said.text}</Notice>}
      {own && own.state === "given" && (
        <Confirm
          title={`Take back ${formatPence(own.amountPence)}?`}
          what={
            <p>
              The member gets a mail. What they have withdrawn already is set against what comes next; nobody is asked
              for money. It can’t be given again under the reference {own.reference}.
            </p>
          }
          button="Take it back"
          keep={[
            ["act", "reverse"],
            ["reference", own.reference],
          ]}
          back={path}
          typed={typed}
          faults={faults}
        />
      )}
      {giving && (
        <Confirm
          title={`Credit ${formatPence(giving.amountPence)} to ${member.name}?`}
          what={
            <p>
              It is payable at once, and the member gets a mail with the reason “{GOODWILL_REASONS[giving.reason]}”. You
              can take it back, but not what they have withdrawn by then.
            </p>
          }
          button="Credit it"
          keep={["act", "amount", "reason", "reference", "note"].map((name) => [name, typed?.[name] ?? ""])}
          back={path}
          asksWhy={false}
        />
      )}
      {credits.length === 0 ? (
        <p className="empty">This member was credited nothing yet.</p>
      ) : (
        <div className="table-scroll" tabIndex={0} role="region" aria-label="Table of credits">
          <table className="rows">
            <caption className="away">credits</caption>
            <thead>
              <tr>
                <th scope="col">Given</th>
                <th scope="col" className="number">
                  Amount
                </th>
                <th scope="col">Reason, as the member reads it</th>
                <th scope="col">Note</th>
                <th scope="col">Reference</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              {credits.map((credit) => (
                <tr key={credit.reference}>
                  <td>
                    <Moment at={credit.givenAt} /> by {credit.givenBy}
                  </td>
                  <td className="number">
                    <Amount pence={credit.amountPence} />
                  </td>
                  <td>{GOODWILL_REASONS[credit.reason]}</td>
                  <td>{credit.note}</td>
                  <td className="id">{credit.reference}</td>
                  <td>
                    {credit.reversedAt ? (
                      <>
                        <Badge tone="bad">taken back</Badge> <Moment at={credit.reversedAt} /> by {credit.reversedBy}:{" "}
                        {credit.reversalNote}
                      </>
                    ) : mayGive ? (
                      <form method="post" action={path}>
                        <input type="hidden" name="reference" value={credit.reference} />
                        <button className="button is-danger-quiet" name="act" value="reverse">
                          Take back … <span className="away">{credit.reference}</span>
                        </button>
                      </form>
                    ) : (
                      <Badge tone="good">given</Badge>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {mayGive && (
        <section className="panel" aria-labelledby="give">
          <h2 id="give">Credit the member</h2>
          {ask === undefined && <FaultSummary faults={faults} />}
          <form method="post" action={path}>
            <TextField name="amount" label="Amount in pounds" inputMode="decimal" max={12} {...form} />
            <SelectField
              name="reason"
              label="Reason"
              help="The member reads it, in the mail and on the money page. For a declined claim, use its own page: that ends the claim too."
              empty="Choose"
              choices={goodwillReasons.map((value) => ({ value, label: GOODWILL_REASONS[value] }))}
              {...form}
            />
            <TextField
              name="reference"
              label="Your reference"
              help="Such as a ticket. The same reference credits once."
              max={100}
              {...form}
            />
            <LongField
              name="note"
              label="Note"
              help="For operators, in the audit log and in the member’s copy of their data: leave out names."
              max={500}
              {...form}
            />
            <button className="button is-main" name="act" value="give">
              Credit …
            </button>
          </form>
        </section>
      )}
    </>
  );
}
