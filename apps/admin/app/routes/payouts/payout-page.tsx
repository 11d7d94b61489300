import { act } from "@farthing/core/audit/act.server.ts";
import { endingOf } from "@farthing/core/bank-details/bank-account.ts";
import { openBankAccount, UnreadableDetailsError } from "@farthing/core/bank-details/bank-seal.ts";
import { formatPence, sumPence } from "@farthing/core/money/money.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { stopPayout } from "@farthing/core/payouts/failures.server.ts";
import { findPayoutRecord } from "@farthing/core/payouts/list-payouts.server.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn } from "../../kit/read-form.ts";
import { PayoutBadge } from "./payout-words.tsx";
import type { Route } from "./+types/payout-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, payouts } = context.get(servicesContext);
  const found = await findPayoutRecord(db, { publicId: params.id });
  if (!found) throw refused(404, { title: "No such payout", text: "There is no payout at this address." });
  const { sealed, ...payout } = found;
  return {
    payout,
    account: accountText(sealed, found.memberId, payouts.bankKeys),
    mayChange: may(context.get(operatorContext).role, "money.change"),
  };
}

/** Enough for an operator to talk about the account, and no more: the whole number is in the bank's file only. */
function accountText(sealed: string | null, memberId: string, keys: Parameters<typeof openBankAccount>[2]): string {
  if (sealed === null) return "none, or deleted 30 days after payment";
  try {
    return `ending in ${endingOf(openBankAccount(sealed, memberId, keys))}`;
  } catch (error) {
    if (error instanceof UnreadableDetailsError) return error.message;
    throw error;
  }
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  if (typed["confirmed"] !== "yes") return data({ ask: true, said: null, faults: undefined });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return data({ ask: true, said: null, faults: why.faults }, { status: 422 });
  const what = {
    permission: "money.change",
    action: "payout.stop",
    subject: { type: "payout", id: params.id },
    why: why.value.why,
    changed: ({ outcome }: { outcome: string }) => outcome === "stopped",
  } as const;
  const stop = { publicId: params.id, reason: "operator", by: actor.operator.email, now: actor.now } as const;
  const done = await act(db, actor, what, (joined) => stopPayout(joined, stop));
  return done.outcome === "stopped"
    ? data({
        ask: false,
        said: { tone: "good", text: "Stopped: the money is payable again, and the member knows." } as const,
        faults: undefined,
      })
    : data(
        {
          ask: false,
          said: {
            tone: "bad",
            text: "Nothing was done: it no longer waits. What is in a batch ends only by what the bank reports.",
          } as const,
          faults: undefined,
        },
        { status: 409 },
      );
}

export default function PayoutPage({ loaderData: { payout, account, mayChange }, actionData }: Route.ComponentProps) {
  const path = `/admin/payouts/${payout.publicId}`;
  const waits = payout.state === "requested";
  return (
    <>
      <PageHead title={`Payout ${payout.reference}`} crumbs={[{ label: "Payouts", href: "/admin/payouts" }]}>
        <a href={`/admin/audit/payout/${payout.publicId}`}>History</a>
      </PageHead>
      {actionData?.said && <Notice tone={actionData.said.tone}>{actionData.said.text}</Notice>}
      {actionData?.ask && waits && (
        <Confirm
          title={`Stop this payout of ${formatPence(payout.amountPence)}?`}
          what={
            <p>
              It ends, the money is payable again, and the member gets a mail that we stopped it. They can ask again at
              once.
            </p>
          }
          button="Stop it"
          keep={[]}
          back={path}
          faults={actionData.faults}
        />
      )}
      {payout.hold && waits && (
        <Notice tone="bad">
          On hold since <Moment at={payout.hold.placedAt} />, by {payout.hold.placedBy}: {payout.hold.reason}{" "}
          <a href={`/admin/payouts/holds?q=${payout.memberNumber}`}>To the hold</a>
        </Notice>
      )}
      <div className="split">
        <section className="panel" aria-labelledby="what">
          <h2 id="what">
            <Amount pence={payout.amountPence} /> <PayoutBadge state={payout.state} />
          </h2>
          <Facts facts={factsOf(payout, account)} />
        </section>
        <section className="panel" aria-labelledby="acts">
          <h2 id="acts">What can be done</h2>
          {waits ? (
            <p>It joins the next batch, unless it is held or its account can’t be used yet.</p>
          ) : (
            <p>
              {payout.state !== "processing"
                ? "It is over."
                : payout.isApproved
                  ? "It is at the bank: it ends by the batch’s confirmation or the bank’s report."
                  : "It is in a batch that nobody has approved: rejecting the batch makes it wait again."}
            </p>
          )}
          {mayChange && (
            <form method="post" action={path} className="acts">
              {waits && <button className="button is-danger-quiet">Stop …</button>}
              {!payout.hold && (
                <a className="button" href={`/admin/payouts/holds?member=${payout.memberNumber}#hold`}>
                  Hold the member’s payouts …
                </a>
              )}
            </form>
          )}
        </section>
      </div>
      <Trace payout={payout} />
    </>
  );
}

type Shown = Route.ComponentProps["loaderData"]["payout"];

function factsOf(payout: Shown, account: string) {
  const at = (label: string, moment: Date | null) => (moment ? [{ label, value: <Moment at={moment} /> }] : []);
  return [
    {
      label: "Member",
      value: (
        <>
          <a href={`/admin/members/${payout.memberId}`} className="id">
            {payout.memberNumber}
          </a>{" "}
          of {payout.brand}
        </>
      ),
    },
    {
      label: "Asked for",
      value: (
        <>
          <Moment at={payout.requestedAt} /> by {payout.requestedBy === "member" ? "the member" : payout.requestedBy}
        </>
      ),
    },
    ...(payout.isClosing ? [{ label: "For", value: "a member who leaves" }] : []),
    { label: "Account", value: account },
    ...(payout.state === "requested" && payout.usableFrom ? at("Account usable from", payout.usableFrom) : []),
    ...(payout.lastError ? [{ label: "Left out", value: payout.lastError }] : []),
    ...(payout.batchNumber === null
      ? []
      : [
          {
            label: "Batch",
            value: (
              <>
                <a href={`/admin/payouts/batches/${payout.batchNumber}`}>Batch {payout.batchNumber}</a>
                {!payout.isApproved && ", not approved yet"}
              </>
            ),
          },
        ]),
    ...(payout.entryDay ? [{ label: "In the account", value: <Moment at={payout.entryDay} isDay /> }] : []),
    ...at("Paid", payout.paidAt),
    ...at("Failed", payout.failedAt),
    ...at("Came back", payout.returnedAt),
    ...(payout.reasonText ? [{ label: "The member reads", value: payout.reasonText }] : []),
    ...(payout.bankSaid ? [{ label: "The bank said", value: payout.bankSaid }] : []),
  ];
}

const partWords: Record<Shown["others"][number]["kind"], string> = {
  goodwill: "Goodwill",
  bonus: "Bonus for a friend",
  "gift-card": "Cashback on a gift card",
  returned: "A payout that came back",
  rest: "Left from before, less what was taken as gift cards",
};

/** From the payout back to what earned it, and to its movements. */
function Trace({ payout }: { payout: Shown }) {
  return (
    <div className="panels">
      <section className="panel" aria-labelledby="purchases">
        <h2 id="purchases">What earned it</h2>
        <ul className="plain-list">
          {payout.purchases.map(({ entryId, clickId, retailer, purchasedAt, cashbackPence }) => (
            <li key={entryId}>
              <a href={`/admin/ledger/clicks/${clickId}`}>{retailer}</a>, <Moment at={purchasedAt} isDay />:{" "}
              <Amount pence={cashbackPence} />
            </li>
          ))}
          {payout.purchaseCount > payout.purchases.length && (
            <li>
              {counted(payout.purchaseCount - payout.purchases.length, "more purchase")}:{" "}
              <Amount pence={payout.purchasePence - sumPence(payout.purchases.map((one) => one.cashbackPence))} />
            </li>
          )}
          {payout.others.map((part, index) => (
            <li key={`${part.kind} ${index}`}>
              {part.payout ? (
                <a href={`/admin/payouts/${part.payout.publicId}`}>Payout {part.payout.reference} that came back</a>
              ) : (
                partWords[part.kind]
              )}
              {part.at && (
                <>
                  , <Moment at={part.at} isDay />
                </>
              )}
              : <Amount pence={part.amountPence} />
            </li>
          ))}
          <li>
            <strong>
              Total: <Amount pence={payout.amountPence} />
            </strong>
          </li>
        </ul>
      </section>
      <section className="panel" aria-labelledby="transfers">
        <h2 id="transfers">In the ledger</h2>
        <ul className="plain-list">
          {payout.transfers.map(({ id, kind, happenedAt }) => (
            <li key={id}>
              <Moment at={happenedAt} /> <a href={`/admin/ledger/transfers/${id}`}>{kind.replaceAll("_", " ")}</a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
