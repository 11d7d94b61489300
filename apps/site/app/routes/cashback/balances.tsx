import type { CashbackTimeline } from "@farthing/core/cashback/cashback-view.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";

/**
 * Money that members have is large and solid. Money on its way is dashed and lighter, because it must not look like
 * money they have.
 */
export function Balances({
  balances,
  withdrawableFrom = null,
}: {
  balances: CashbackTimeline["balances"];
  /** The smallest withdrawal in pence, for a note on what becomes of payable money; null where the page says so elsewhere. */
  withdrawableFrom?: number | null;
}) {
  return (
    <>
      <dl className="balances">
        <div className="balance is-yours">
          <dt>Yours</dt>
          <dd className="display">
            <Amount pence={balances.payablePence} />
          </dd>
        </div>
        <div className="balance is-pending">
          <dt>Confirmed, yours once the shop has paid us</dt>
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
      {withdrawableFrom !== null && balances.payablePence > 0 && (
        <p className="soft">
          What is yours stays in your account and does not run out.{" "}
          {balances.payablePence < withdrawableFrom ? (
            <>
              You can <a href="/money/withdraw">withdraw it</a> from {formatPence(withdrawableFrom)} on.
            </>
          ) : (
            <>
              <a href="/money/withdraw">Withdraw it</a> when you like.
            </>
          )}
        </p>
      )}
    </>
  );
}
