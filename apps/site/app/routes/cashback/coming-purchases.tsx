import type { ComingPurchase } from "@farthing/core/cashback/cashback-view.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { href } from "react-router";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { dateRange } from "../../ui/text/british-dates.ts";

const awaited = { confirmation: "Confirmation", payment: "Yours" };

/** The purchases whose next step is due soonest. */
export function ComingPurchases({ purchases, now }: { purchases: readonly ComingPurchase[]; now: Date }) {
  return (
    <div>
      <h3 className="coming-title display">Due next</h3>
      <ol className="purchase-rows" role="list">
        {purchases.map((purchase) => (
          <li key={purchase.id} className="purchase-row">
            <RetailerMark slug={purchase.retailer.slug} size={40} />
            <p>
              <a href={href("/money/purchases/:purchase", { purchase: cursorOf(purchase.id) })}>
                {purchase.retailer.name}
              </a>
              <small className="soft">
                {awaited[purchase.awaits]} expected {dateRange(purchase.expected.from, purchase.expected.to, now)}
              </small>
            </p>
            <Amount pence={purchase.cashbackPence} isPending />
          </li>
        ))}
      </ol>
    </div>
  );
}
