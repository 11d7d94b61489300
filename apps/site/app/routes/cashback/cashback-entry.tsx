import type { CashbackItem } from "@farthing/core/cashback/cashback-view.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { href } from "react-router";
import { dateRange, dayAndMonth } from "../../ui/text/british-dates.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { nextWords, stateWords } from "./entry-words.ts";
import { Timeline } from "./timeline.tsx";

/** One purchase, from the click to the payment. Past steps are solid, expected ones are dashed (C3). */
export function CashbackEntry({ item, now, isOpen }: { item: CashbackItem; now: Date; isOpen: boolean }) {
  const state = stateWords[item.state];
  const isPending = item.state === "tracked" || item.state === "confirmed";
  // The timeline states the reason once.
  const isInTimeline = item.steps.some(({ amounts }) => amounts?.because === item.reason);
  const reason = isInTimeline && item.state !== "declined" ? null : item.reason;
  const next = item.steps.find(({ at, expected }) => at === null && expected !== null);
  return (
    <li className="cashback-item">
      <details open={isOpen}>
        <summary>
          <RetailerMark slug={item.retailer.slug} size={44} />
          <span className="cashback-item-what">
            <b>{item.retailer.name}</b>
            <small className="soft">
              {formatPence(item.purchasePence)} counted for cashback, bought on {dayAndMonth(item.purchasedAt, now)}
              {next?.expected &&
                !isOpen &&
                `. ${nextWords[next.step] ?? "Next step"} expected ${dateRange(next.expected.from, next.expected.to, now)}`}
            </small>
          </span>
          <span className={`cashback-item-much is-${item.state}`}>
            <Amount pence={item.cashbackPence} isPending={isPending} />
            <span className={`tag ${state.tone}`}>{state.label}</span>
            {item.isOverdue && <span className="tag is-bad">Late</span>}
          </span>
        </summary>
        <div className="cashback-item-more">
          {reason && <p className="cashback-reason">{reason}</p>}
          <Timeline steps={item.steps} now={now} />
          <p className="soft cashback-receipt">
            What counts is what the shop tells us: the price without VAT and delivery, unless its page says otherwise.{" "}
            {item.offerTitle && <>{item.offerTitle}. </>}Click number{" "}
            <span className="figures">{item.clickNumber}</span>: quote it if you write to us.
          </p>
          <p className="button-row">
            <a href={href("/money/purchases/:purchase", { purchase: cursorOf(item.id) })}>
              Everything about this purchase<span className="visually-hidden"> at {item.retailer.name}</span>
            </a>
            <a href={href("/money/receipts/:number", { number: item.clickNumber })}>
              Receipt for the click<span className="visually-hidden"> at {item.retailer.name}</span>
            </a>
          </p>
        </div>
      </details>
    </li>
  );
}
