import type { CashbackTimeline } from "@farthing/core/cashback/cashback-view.ts";
import { Amount } from "@farthing/ui/amount.tsx";

/** Money you have, large and solid; money on its way, dashed and lighter (reference: money you don't have yet must not look like it). */
export function Balances({ balances }: { balances: CashbackTimeline["balances"] }) {
  return (
    <dl className="balances">
      <div className="balance is-yours">
        <dt>Yours, ready to be paid out</dt>
        <dd className="display">
          <Amount pence={balances.payablePence} />
        </dd>
      </div>
      <div className="balance is-pending">
        <dt>Confirmed, payable soon</dt>
        <dd>
          <Amount pence={balances.confirmedPence} isPending />
        </dd>
      </div>
      <div className="balance is-pending">
        <dt>Pending: tracked, not sure yet</dt>
        <dd>
          <Amount pence={balances.trackedPence} isPending />
        </dd>
      </div>
      <div className="balance">
        <dt>Paid out so far</dt>
        <dd>
          <Amount pence={balances.paidPence} />
        </dd>
      </div>
    </dl>
  );
}
