import { act } from "@farthing/core/audit/act.server.ts";
import { findFloatPayments } from "@farthing/core/gift-cards/find-records.server.ts";
import { bookFloatPayment } from "@farthing/core/gift-cards/operations.server.ts";
import { floatSchema } from "@farthing/core/gift-cards/operator-schema.ts";
import { bookedFloat } from "@farthing/core/gift-cards/queries.server.ts";
import { TransferConflictError } from "@farthing/core/ledger/operations.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { findThresholds } from "@farthing/core/thresholds/threshold-values.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import type { Route } from "./+types/floats-page";

const MAX_PAYMENTS = 20;

/** What issuers say is asked of them now; one that does not answer leaves the others readable. */
export async function loader({ context }: Route.LoaderArgs) {
  const { db, issuers } = context.get(servicesContext);
  const read = async (slug: string, float: () => Promise<number>) => ({
    slug,
    pence: await float().catch(() => null),
  });
  const [floats, booked, payments, values] = await Promise.all([
    Promise.all([...issuers.values()].map((issuer) => read(issuer.slug, () => issuer.float()))),
    bookedFloat(db),
    findFloatPayments(db, { max: MAX_PAYMENTS }),
    findThresholds(db),
  ]);
  return { floats, booked, payments, lowPence: values["float-pounds"] * 100 };
}

interface Posted {
  tone: Tone;
  says: string | null;
  typed: Typed;
  ask?: { issuer: string; amountPence: number; reference: string };
  faults?: Faults;
}

/** Books money that was paid to an issuer, after a question: the ledger takes nothing back. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db, issuers } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ tone: "bad", says: null, typed, ...posted }, { status });
  const form = checkForm(typed, floatSchema);
  if (!form.ok) return answer({ faults: form.faults }, 422);
  const { issuer, amount: amountPence, reference } = form.value;
  if (!issuers.has(issuer)) return answer({ faults: { issuer: "Choose one of the issuers." } }, 422);
  const ask = { issuer, amountPence, reference };
  if (typed["confirmed"] !== "yes") return answer({ ask });
  const why = whySchema.safeParse(typed["why"]);
  if (!why.success) return answer({ ask, faults: { why: why.error.issues[0]?.message ?? "Say why." } }, 422);
  try {
    const isNew = await act(
      db,
      actor,
      {
        permission: "gift-cards.change",
        action: "float.book",
        subject: { type: "float-payment", id: `issuer_float:${issuer}:${reference}` },
        why: why.data,
      },
      (joined) => bookFloatPayment(joined, { issuer, amountPence, reference, now: actor.now }),
    );
    return isNew
      ? answer({ tone: "good", says: `${formatPence(amountPence)} booked.`, typed: {} })
      : answer({ says: "This reference was booked before; nothing was done." }, 409);
  } catch (error) {
    if (!(error instanceof TransferConflictError)) throw error;
    return answer({ says: "Nothing was done: this reference was booked before with another amount." }, 409);
  }
}

export default function FloatsPage({
  loaderData: { floats, booked, payments, lowPence },
  actionData: posted,
}: Route.ComponentProps) {
  const total = floats.reduce((sum, { pence }) => sum + (pence ?? 0), 0);
  const isComplete = floats.every(({ pence }) => pence !== null);
  return (
    <>
      <PageHead
        title="Gift-card floats"
        crumbs={[{ label: "Gift cards", href: "/admin/gift-cards" }]}
        intro="Money of ours that lies with issuers. Cards are taken from it."
      />
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.ask && (
        <Confirm
          title={`Book ${formatPence(posted.ask.amountPence)} paid to ${posted.ask.issuer}?`}
          what={
            <p>
              Under the bank’s reference <span className="id">{posted.ask.reference}</span>, once. The ledger keeps what
              is booked for good.
            </p>
          }
          button="Book it"
          keep={["issuer", "amount", "reference"].map((name) => [name, posted.typed[name] ?? ""] as const)}
          back="/admin/gift-cards/floats"
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      <div className="split">
        <div className="stack">
          <section className="panel" aria-labelledby="now">
            <h2 id="now">Now</h2>
            {floats.length === 0 && <p className="soft">No issuer is set up.</p>}
            <Facts
              facts={[
                ...floats.map(({ slug, pence }) => ({
                  label: slug,
                  value:
                    pence === null ? (
                      "does not answer now"
                    ) : (
                      <>
                        <Amount pence={pence} /> {pence < lowPence && <Badge tone="bad">low</Badge>}
                      </>
                    ),
                })),
                { label: "In the books", value: <Amount pence={booked} /> },
                ...(isComplete && floats.length > 0
                  ? [{ label: "Difference", value: <Amount pence={total - booked} /> }]
                  : []),
              ]}
            />
            <p className="soft">
              Home names an issuer with less than {formatPence(lowPence)}, which is a threshold, and any paid card that
              is refused for lack of float. Four hours after it was first asked for, such a card is refunded.
            </p>
            <p className="soft">A difference of cards under way settles by itself; one that stays needs a look.</p>
          </section>
          <section className="panel" aria-labelledby="paid">
            <h2 id="paid">Paid lately</h2>
            {payments.length === 0 && <p className="soft">Nothing has been booked yet.</p>}
            <ul className="plain-list">
              {payments.map(({ key, amountPence, happenedAt }) => (
                <li key={key}>
                  <Moment at={happenedAt} /> <Amount pence={amountPence} />{" "}
                  <span className="id">{key.replace("issuer_float:", "")}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
        {!posted?.ask && (
          <section className="panel" aria-labelledby="book">
            <h2 id="book">Book a payment to an issuer</h2>
            <FaultSummary faults={posted?.faults} />
            <form method="post" action="/admin/gift-cards/floats">
              <SelectField
                name="issuer"
                label="Issuer"
                choices={floats.map(({ slug }) => ({ value: slug, label: slug }))}
                empty="Choose an issuer"
                typed={posted?.typed}
                faults={posted?.faults}
              />
              <TextField
                name="amount"
                label="Amount in pounds"
                inputMode="decimal"
                max={20}
                typed={posted?.typed}
                faults={posted?.faults}
              />
              <TextField
                name="reference"
                label="The bank’s reference"
                help="As on the statement: it makes sure that a payment is booked once."
                max={60}
                typed={posted?.typed}
                faults={posted?.faults}
              />
              <button className="button is-main">Book …</button>
            </form>
          </section>
        )}
      </div>
    </>
  );
}
