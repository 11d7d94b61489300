import { actOutside } from "@farthing/core/audit/act.server.ts";
import { formatPence, parsePounds } from "@farthing/core/money/money.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { findPaymentRecord } from "@farthing/core/payments/operator-payments.server.ts";
import { refundSchema } from "@farthing/core/payments/operator-schema.ts";
import type { RefundedPayment } from "@farthing/core/payments/refund-payment.server.ts";
import { wasTaken } from "@farthing/core/payments/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, TextField, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { DisputeBadge, EvidenceDue, PaymentBadge } from "./payment-words.tsx";
import type { Route } from "./+types/payment-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const payment = await findPaymentRecord(db, { publicId: params.id });
  if (!payment) throw refused(404, { title: "No such payment", text: "There is no card payment at this address." });
  return { payment, now: now(), mayRefund: may(context.get(operatorContext).role, "money.change") };
}

interface Answer {
  said: { tone: "good" | "warn" | "bad"; text: string } | null;
  ask?: boolean;
  faults?: Faults | undefined;
  typed?: Typed | undefined;
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, cards } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (value: Answer, status = 200) => data(value, { status });
  const isAsking = typed["confirmed"] !== "yes";
  const read = checkForm(isAsking ? { ...typed, why: "asked later" } : typed, refundSchema);
  if (!read.ok) return answer({ said: null, ask: !isAsking, faults: read.faults, typed }, 422);
  if (isAsking) return answer({ said: null, ask: true, typed });
  if (!(await findPaymentRecord(db, { publicId: params.id })))
    throw refused(404, { title: "No such payment", text: "There is no card payment at this address." });
  const { amount: amountPence, version, why } = read.value;
  const what = {
    permission: "money.change",
    action: "payment.refund",
    subject: { type: "payment", id: params.id },
    why,
    changed: ({ outcome }: { outcome: string }) => outcome === "refunded" || outcome === "unavailable",
  } as const;
  const requestKey = `admin:${version}:${amountPence ?? "rest"}`;
  const done = await actOutside(db, actor, what, (own) =>
    cards.refund(own, { publicId: params.id, amountPence, requestKey, now: actor.now }),
  );
  const [tone, text] = wordsOf(done);
  return answer({ said: { tone, text } }, tone === "bad" ? 409 : 200);
}

function wordsOf(done: RefundedPayment | { outcome: "unavailable" | "no-account" }): ["good" | "warn" | "bad", string] {
  switch (done.outcome) {
    case "refunded":
      return [
        "good",
        `Refunded ${formatPence(done.refund.amountPence)}: ${formatPence(done.payment.refundedPence)} of ${formatPence(done.payment.amountPence)} has gone back.`,
      ];
    case "unavailable":
      return [
        "warn",
        "The card provider does not answer. The refund is kept, and the worker finishes it: do not ask again.",
      ];
    case "no-account":
      return ["bad", "Nothing was refunded: the account at the card provider is not set up."];
    case "no-such-payment":
      return ["bad", "There is no such payment."];
    case "not-paid":
      return ["bad", `Nothing was refunded: the payment is ${done.payment.state.replaceAll("_", " ")}.`];
    case "more-than-left":
      return [
        "bad",
        `Nothing was refunded: ${formatPence(done.payment.amountPence - done.payment.refundedPence)} is left.`,
      ];
    case "not-an-amount":
      return ["bad", "Nothing was refunded: that is no amount."];
    case "disputed":
      return [
        "bad",
        "Nothing was refunded: the payer’s bank has the money, or asks for it, so a refund would pay twice.",
      ];
    case "refunds-running":
      return ["bad", "Nothing was refunded: other refunds of this payment are running. Try again in a moment."];
    case "already-refunded":
      return ["bad", `Nothing was refunded: ${formatPence(done.refund.amountPence)} was refunded before.`];
    case "key-taken":
      return ["bad", "Nothing was refunded: this form was sent before. Look at the payment, then start again."];
    case "refused":
      return ["bad", `Nothing was refunded. ${done.why}`];
    case "unsure":
      return [
        "bad",
        "This refund was asked for more than 20 hours ago without an answer. It is looked up at the card provider and decided 26 hours after it was asked for.",
      ];
    case "contradiction":
      return ["bad", `${done.why} The refund was sent; look at the payment at the card provider.`];
  }
}

export default function PaymentPage({ loaderData: { payment, now, mayRefund }, actionData }: Route.ComponentProps) {
  const { said, ask, faults, typed } = actionData ?? { said: null };
  const path = `/admin/payments/${payment.publicId}`;
  const leftPence = payment.amountPence - payment.refundedPence - payment.disputedPence;
  const amount = typed?.["amount"]?.trim() ?? "";
  const earlier = payment.refunds.find(
    ({ amountPence, state }) => (state === "asked" || state === "done") && amountPence === parsePounds(amount),
  );
  return (
    <>
      <PageHead
        title={`Payment for ${payment.reference}`}
        crumbs={[{ label: "Card payments", href: "/admin/payments" }]}
      >
        <a href={`/admin/audit/payment/${payment.publicId}`}>History</a>
      </PageHead>
      {said && <Notice tone={said.tone}>{said.text}</Notice>}
      {ask && (
        <Confirm
          title={amount === "" ? "Refund all that is left?" : `Refund £${amount}?`}
          what={
            <>
              <p>The money goes back to the payer’s card, which can’t be undone. They see it in a few days.</p>
              {earlier && (
                <Notice tone="warn">
                  {formatPence(earlier.amountPence)} {earlier.state === "asked" ? "is being" : "was"} refunded already,
                  asked for at <Moment at={earlier.askedAt} />. This is one more refund.
                </Notice>
              )}
            </>
          }
          button="Refund it"
          keep={[
            ["amount", amount],
            ["version", typed?.["version"] ?? String(payment.version)],
          ]}
          back={path}
          typed={typed}
          faults={faults}
        />
      )}
      <div className="split">
        <section className="panel" aria-labelledby="what">
          <h2 id="what">
            <Amount pence={payment.amountPence} /> <PaymentBadge state={payment.state} />{" "}
            {payment.mode === "test" && <Badge>test</Badge>}
          </h2>
          <Facts
            facts={[
              { label: "Partner", value: payment.partner },
              { label: "Made", value: <Moment at={payment.createdAt} /> },
              { label: "Refunded", value: <Amount pence={payment.refundedPence} /> },
              ...(payment.disputedPence > 0
                ? [{ label: "Disputed", value: <Amount pence={payment.disputedPence} /> }]
                : []),
              { label: "At the provider", value: <span className="id">{payment.providerPaymentId ?? "–"}</span> },
            ]}
          />
        </section>
        {payment.giftCardLines.length > 0 && (
          <section className="panel" aria-labelledby="cards">
            <h2 id="cards">Gift cards</h2>
            <p>A payment for gift cards is refunded card by card, so that no card is paid back twice.</p>
            <ul className="plain-list">
              {payment.giftCardLines.map(({ publicId, state }) => (
                <li key={publicId}>
                  <a href={`/admin/gift-cards/lines/${publicId}`}>{publicId.slice(-8)}</a>: {state.replaceAll("_", " ")}
                </li>
              ))}
            </ul>
          </section>
        )}
        {mayRefund && payment.giftCardLines.length === 0 && wasTaken(payment.state) && leftPence > 0 && (
          <section className="panel" aria-labelledby="refund">
            <h2 id="refund">Refund</h2>
            <FaultSummary faults={ask ? undefined : faults} />
            <form method="post" action={path}>
              <TextField
                name="amount"
                label="Amount in pounds"
                help={`Nothing for all that is left: ${formatPence(leftPence)}.`}
                inputMode="decimal"
                isRequired={false}
                max={12}
                {...(ask ? {} : { typed, faults })}
              />
              <VersionField current={payment.version} typed={ask ? undefined : typed} />
              <button className="button is-danger-quiet">Refund …</button>
            </form>
          </section>
        )}
      </div>
      {payment.disputes.map((dispute) => (
        <section key={dispute.publicId} className="panel" aria-labelledby={`dispute-${dispute.publicId}`}>
          <h2 id={`dispute-${dispute.publicId}`}>
            Dispute of <Amount pence={dispute.amountPence} /> <DisputeBadge state={dispute.state} />
          </h2>
          <Facts
            facts={[
              { label: "Reason", value: dispute.reason.replaceAll("_", " ") },
              { label: "Opened", value: <Moment at={dispute.openedAt} /> },
              { label: "Evidence due", value: <EvidenceDue dispute={dispute} now={now} /> },
              { label: "Withdrawn", value: <Amount pence={dispute.withdrawnPence} /> },
              { label: "Fee", value: <Amount pence={dispute.feePence} /> },
              { label: "At the provider", value: <span className="id">{dispute.providerDisputeId}</span> },
            ]}
          />
          {dispute.lines.length > 0 && (
            <ul>
              {dispute.lines.map(({ publicId, state, isLost }) => (
                <li key={publicId}>
                  Gift card <span className="id">{publicId.slice(-8)}</span>: {state.replaceAll("_", " ")}
                  {isLost && ", the buyer keeps it"}
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
      <div className="panels">
        <section className="panel" aria-labelledby="changes">
          <h2 id="changes">What happened</h2>
          <ol className="timeline">
            {payment.changes.map(({ state, refundedPence, transferId, failureCode, changedAt }) => (
              <li key={`${state} ${changedAt}`}>
                <Moment at={changedAt} />{" "}
                {transferId ? (
                  <a href={`/admin/ledger/transfers/${transferId}`}>{state.replaceAll("_", " ")}</a>
                ) : (
                  state.replaceAll("_", " ")
                )}
                {failureCode && `: ${failureCode.replaceAll("_", " ")}`}
                {refundedPence > 0 && (
                  <>
                    , <Amount pence={refundedPence} /> refunded in all
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
        {payment.refunds.length > 0 && (
          <section className="panel" aria-labelledby="refunds">
            <h2 id="refunds">Refunds</h2>
            <ul>
              {payment.refunds.map(({ id, state, amountPence, madeBy, askedAt, lastError }) => (
                <li key={id}>
                  <Moment at={askedAt} /> <Amount pence={amountPence} />{" "}
                  <Badge tone={state === "done" ? "good" : state === "asked" ? "warn" : "bad"}>{state}</Badge>{" "}
                  {madeBy === "provider" && "made in the provider’s dashboard"} {lastError}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}
