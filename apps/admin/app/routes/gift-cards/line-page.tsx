import { act } from "@farthing/core/audit/act.server.ts";
import { findLineRecord } from "@farthing/core/gift-cards/find-records.server.ts";
import { resolveLine, type Decision, type Resolved } from "@farthing/core/gift-cards/resolve-line.server.ts";
import type { LineState } from "@farthing/core/gift-cards/rules.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice, type Tone } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults } from "../../kit/read-form.ts";
import { LineStateBadge, words } from "./line-list.tsx";
import type { Route } from "./+types/line-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const line = await findLineRecord(db, { publicId: params.line, now: now() });
  if (!line) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    line,
    mayChange: may(role, "gift-cards.change"),
    maySeeLog: may(role, "audit.see"),
    maySeePayment: may(role, "money.see"),
  };
}

/** What each decision is called, and what is asked before it; none: it is done at once. */
const decisions: Record<Decision, { button: string; done: string; ask?: { title: string; what: string } }> = {
  issue: { button: "Release", done: "Released: the server gets the card now." },
  retry: { button: "Take the next step now", done: "The server takes the next step within seconds." },
  refund: {
    button: "Refund …",
    done: "The refund is under way.",
    ask: {
      title: "Refund this gift card?",
      what: "A card that may exist is taken back from its issuer first, then the buyer gets back what was paid. Neither can be undone.",
    },
  },
  refunded: {
    button: "Record as refunded …",
    done: "Recorded as refunded.",
    ask: {
      title: "Record this gift card as refunded?",
      what: "Only if you have seen the refund at the card provider: the server refunds nothing more for it. This can’t be undone.",
    },
  },
};

interface Posted {
  tone: Tone;
  says: string | null;
  ask: Decision | null;
  faults?: Faults;
}

/** Decides for a line that waits, with an entry in the log; a refund after a question, with its reason. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status = 200) =>
    data<Posted>({ tone: "bad", says: null, ask: null, ...posted }, { status });
  const decision = (Object.keys(decisions) as Decision[]).find((known) => known === typed["act"]);
  if (!decision) return answer({ says: "Choose what to do." }, 422);
  const { ask, done } = decisions[decision];
  let why: string | null = null;
  if (ask) {
    if (typed["confirmed"] !== "yes") return answer({ ask: decision });
    const checked = checkForm(typed, z.object({ why: whySchema }));
    if (!checked.ok) return answer({ ask: decision, faults: checked.faults }, 422);
    why = checked.value.why;
  }
  const publicId = params.line;
  const resolved = await act(
    db,
    actor,
    {
      permission: "gift-cards.change",
      action: `gift-card.${decision}`,
      subject: { type: "gift-card-line", id: publicId },
      why,
      changed: ({ outcome }: Resolved) => outcome === "resolved",
    },
    (joined) => resolveLine(joined, { publicId, decision, by: actor.operator.email.slice(0, 100), now: actor.now }),
  );
  switch (resolved.outcome) {
    case "no-such-line":
      throw unknown();
    case "resolved":
      return answer({ tone: "good", says: done });
    case "not-now":
      return answer({ says: `Nothing was done: it is ${words(resolved.state)}. ${resolved.why}` }, 409);
    case "changed-meanwhile":
      return answer({ says: "Nothing was done: it has just changed. Look at it again." }, 409);
  }
}

function unknown() {
  return refused(404, { title: "No such gift card", text: "There is no line with this number." });
}

export default function LinePage({
  loaderData: { line, mayChange, maySeeLog, maySeePayment },
  actionData: posted,
}: Route.ComponentProps) {
  const path = `/admin/gift-cards/lines/${line.publicId}`;
  const ask = posted?.ask ? decisions[posted.ask].ask : undefined;
  const open = (Object.keys(decisions) as Decision[]).filter((decision) => line.refusals[decision] === null);
  return (
    <>
      <PageHead
        title={`Gift card ${line.publicId}`}
        crumbs={[{ label: "Gift cards", href: "/admin/gift-cards" }]}
        intro={
          <>
            <LineStateBadge state={line.state} /> {line.reason && words(line.reason)} {line.product}
          </>
        }
      >
        {maySeeLog && <a href={`/admin/audit/gift-card-line/${line.publicId}`}>History in the log</a>}
      </PageHead>
      {posted?.says && <Notice tone={posted.tone}>{posted.says}</Notice>}
      {posted?.ask && ask && (
        <Confirm
          title={ask.title}
          what={
            <p>
              {line.product}, <Amount pence={line.facePence} />, for which <Amount pence={line.paidPence} /> was paid.{" "}
              {ask.what}
            </p>
          }
          button={decisions[posted.ask].button.replace(" …", "")}
          keep={[["act", posted.ask]]}
          back={path}
          faults={posted.faults}
        />
      )}
      {line.payment?.isDisputed && <Notice tone="bad">The payment of its order is disputed.</Notice>}
      {line.lastError && (
        <Notice tone="warn">
          The last attempt, number {line.attempts}, failed: {line.lastError}
        </Notice>
      )}
      <div className="split">
        <div className="stack">
          <section className="panel" aria-labelledby="card">
            <h2 id="card">The card</h2>
            <Facts
              facts={[
                { label: "Value", value: <Amount pence={line.facePence} /> },
                { label: "Paid", value: <Amount pence={line.paidPence} /> },
                { label: "Cost", value: <Amount pence={line.costPence} /> },
                { label: "Cashback", value: <Amount pence={line.cashbackPence} /> },
                { label: "Issuer", value: `${line.issuer}, ${line.issuerProductId}` },
                { label: "At the issuer", value: words(line.cardState) },
                { label: "Paid for", value: <Moment at={line.paidAt} /> },
                { label: "Issued", value: <Moment at={line.issuedAt} /> },
                { label: "Next step", value: <Moment at={line.nextStepAt} /> },
              ]}
            />
          </section>
          <section className="panel" aria-labelledby="history">
            <h2 id="history">What happened</h2>
            <ol className="timeline">
              {line.changes.map(({ version, state, cardState, reason, changedBy, changedAt }) => (
                <li key={version}>
                  <Moment at={changedAt} /> <LineStateBadge state={state as LineState} /> card {words(cardState)}
                  {reason && `, ${words(reason)}`}, by {changedBy}
                </li>
              ))}
            </ol>
          </section>
        </div>
        <div className="stack">
          {mayChange && open.length > 0 && !posted?.ask && (
            <section className="panel" aria-labelledby="decide">
              <h2 id="decide">Decide</h2>
              <form method="post" action={path}>
                <p className="acts">
                  {open.map((decision) => (
                    <button
                      key={decision}
                      className={decisions[decision].ask ? "button is-danger-quiet" : "button"}
                      name="act"
                      value={decision}
                    >
                      {decisions[decision].button}
                    </button>
                  ))}
                </p>
              </form>
              {line.state === "held" && line.refusals.issue && (
                <p className="soft">Not released: {line.refusals.issue}</p>
              )}
            </section>
          )}
          <section className="panel" aria-labelledby="order">
            <h2 id="order">Its order</h2>
            <Facts
              facts={[
                {
                  label: "Order",
                  value: (
                    <a href={`/admin/gift-cards?q=${line.orderPublicId}`}>
                      <span className="id">{line.orderPublicId}</span>
                    </a>
                  ),
                },
                { label: "Placed", value: <Moment at={line.placedAt} /> },
                {
                  label: "Buyer",
                  value: line.memberId ? (
                    <a href={`/admin/members/${line.memberId}`}>
                      <span className="id">{line.memberNumber}</span>
                    </a>
                  ) : line.visitorEmail ? (
                    <>a visitor, {line.visitorEmail}</>
                  ) : (
                    "a visitor, of whom no address is kept"
                  ),
                },
                {
                  label: "Payment",
                  value: line.payment && (
                    <>
                      {maySeePayment ? (
                        <a href={`/admin/payments/${line.payment.publicId}`}>
                          <span className="id">{line.payment.publicId}</span>
                        </a>
                      ) : (
                        <span className="id">{line.payment.publicId}</span>
                      )}
                      , {words(line.payment.state)}, <Amount pence={line.payment.amountPence} />
                    </>
                  ),
                },
              ]}
            />
            {line.others.length > 0 && (
              <ul className="plain-list">
                {line.others.map((other) => (
                  <li key={other.publicId}>
                    <LineStateBadge state={other.state} />{" "}
                    <a href={`/admin/gift-cards/lines/${other.publicId}`}>{other.product}</a>{" "}
                    <Amount pence={other.facePence} />
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      </div>
    </>
  );
}
