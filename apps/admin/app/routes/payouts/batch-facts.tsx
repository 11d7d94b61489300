import type { BatchRecord } from "@farthing/core/payouts/list-batches.server.ts";
import { CUT_OFF } from "@farthing/core/payouts/bacs-calendar.ts";
import type { PayoutState } from "@farthing/core/payouts/rules.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { Facts } from "../../kit/facts.tsx";
import { counted, Moment } from "../../kit/moment.tsx";
import { By } from "./done-by.tsx";
import { BatchBadge, PayoutBadge } from "./payout-words.tsx";

/** A batch's sum, its days and who decided what, and where its payments are listed. */
export function BatchFacts({ batch }: { batch: BatchRecord }) {
  return (
    <section className="panel" aria-labelledby="what">
      <h2 id="what">
        {counted(batch.payouts, "payment")}, <Amount pence={batch.totalPence} /> <BatchBadge state={batch.state} />
      </h2>
      <Facts facts={factsOf(batch)} />
      {batch.parts.length > 0 && (
        <ul className="plain-list">
          {batch.parts.map(({ state, payouts, pence }) => (
            <li key={state}>
              <PayoutBadge state={state as PayoutState} /> {payouts}, <Amount pence={pence} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={`/admin/payouts?batch=${batch.batchNumber}`}>All its payments</a>
        {batch.isLast && (
          <>
            {" · "}
            <a href="/admin/payouts?state=left-out">Who was left out</a>
          </>
        )}
      </p>
    </section>
  );
}

function factsOf(batch: BatchRecord) {
  return [
    { label: "Made", value: <By at={batch.madeAt} by={batch.madeBy} /> },
    ...(batch.approvedAt ? [{ label: "Approved", value: <By at={batch.approvedAt} by={batch.approvedBy} /> }] : []),
    ...(batch.approvedAloneBecause ? [{ label: "By one person, because", value: batch.approvedAloneBecause }] : []),
    ...(batch.rejectedAt ? [{ label: "Rejected", value: <By at={batch.rejectedAt} by={batch.rejectedBy} /> }] : []),
    ...(batch.rejectedBecause ? [{ label: "Because", value: batch.rejectedBecause }] : []),
    ...(batch.cancelledAt ? [{ label: "Cancelled", value: <By at={batch.cancelledAt} by={batch.cancelledBy} /> }] : []),
    ...(batch.cancelledBecause ? [{ label: "Because", value: batch.cancelledBecause }] : []),
    ...(batch.state === "approved"
      ? [
          {
            label: "Send it to the bank by",
            value: (
              <>
                {CUT_OFF} on <Moment at={batch.sendDay} isDay />
              </>
            ),
          },
        ]
      : []),
    ...(batch.rejectedAt || batch.cancelledAt
      ? []
      : [
          { label: "Bacs processes it", value: <Moment at={batch.processingDay} isDay /> },
          { label: "In accounts", value: <Moment at={batch.entryDay} isDay /> },
        ]),
    ...(batch.confirmedAt ? [{ label: "Confirmed", value: <By at={batch.confirmedAt} by={batch.confirmedBy} /> }] : []),
  ];
}
