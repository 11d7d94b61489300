import type { CashbackItem } from "@farthing/core/cashback/cashback-view.ts";
import { findPurchases } from "@farthing/core/cashback/find-purchases.server.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data, href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { dateRange, dayAndMonth } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { nextWords, stateWords } from "./entry-words.ts";
import { HistoryPager } from "./history-pager.tsx";
import type { Route } from "./+types/purchases-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const { q, before, after } = readParameters(request, "/money/purchases");
  const place = before !== null ? { olderThan: before } : after !== null ? { newerThan: after } : null;
  const list = await findPurchases(db, { memberId: member.id, now, place, words: q });
  return data({ list, q, now }, list.isPageUnknown ? 404 : 200);
}

/** All purchases of a member, newest first, with a search by retailer (C3). */
export default function PurchasesPage({ loaderData: { list, q, now } }: Route.ComponentProps) {
  const { items, newer, older, isPageUnknown, retailers } = list;
  const pathOf = (place: { before: string } | { after: string }) =>
    pagePath(href("/money/purchases"), { q: q || null, ...place });
  return (
    <ProfileShell current="money" title="All purchases" parent={{ href: "/money", label: "Your money" }}>
      <search>
        <form className="purchase-search" action="/money/purchases" method="get">
          <div className="field">
            <label htmlFor="q">Search by retailer</label>
            <input
              id="q"
              name="q"
              type="search"
              defaultValue={q}
              autoComplete="off"
              maxLength={80}
              enterKeyHint="search"
            />
          </div>
          <button type="submit" className="button is-quiet">
            Search
          </button>
        </form>
      </search>
      {isPageUnknown && (
        <Notice tone="info" title="There is no such page of your purchases">
          <p>Part of the address may be missing. Here are the latest ones.</p>
        </Notice>
      )}
      {retailers && items.length > 0 && (
        <p className="purchase-found">
          Purchases at {inWords(retailers)}. <a href="/money/purchases">Show all</a>
        </p>
      )}
      {items.length > 0 ? (
        <ol className="purchase-rows" role="list">
          {items.map((item) => (
            <PurchaseRow key={item.id} item={item} now={now} />
          ))}
        </ol>
      ) : (
        <NoPurchases q={q} />
      )}
      <HistoryPager newer={newer} older={older} pathOf={pathOf} />
      {items.length > 0 && (
        <p className="purchase-download">
          <a href="/money/purchases.csv" download="">
            Download all purchases as CSV
          </a>
        </p>
      )}
    </ProfileShell>
  );
}

function PurchaseRow({ item, now }: { item: CashbackItem; now: Date }) {
  const state = stateWords[item.state];
  const next = item.steps.find(({ at, expected }) => at === null && expected !== null);
  const isPending = item.state === "tracked" || item.state === "confirmed";
  return (
    <li className="purchase-row">
      <RetailerMark slug={item.retailer.slug} size={40} />
      <p>
        <a href={href("/money/purchases/:purchase", { purchase: cursorOf(item.id) })}>{item.retailer.name}</a>
        <small className="soft">
          {dayAndMonth(item.purchasedAt, now)}
          {item.state === "declined" && item.reason
            ? `. ${item.reason}`
            : next?.expected &&
              `. ${nextWords[next.step] ?? "Next step"} expected ${dateRange(next.expected.from, next.expected.to, now)}`}
        </small>
      </p>
      <span className={`cashback-item-much is-${item.state}`}>
        <Amount pence={item.cashbackPence} isPending={isPending} />
        <span className="purchase-tags">
          {item.isOverdue && <span className="tag is-bad">Late</span>}
          <span className={`tag ${state.tone}`}>{state.label}</span>
        </span>
      </span>
    </li>
  );
}

function NoPurchases({ q }: { q: string }) {
  if (q !== "")
    return (
      <EmptyState title="No purchase found">
        <p>You have no purchase at a retailer called “{q}”. Part of its name is enough.</p>
        <p className="button-row">
          <a className="button" href="/money/purchases">
            Show all purchases
          </a>
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing tracked yet">
      <p>Follow one of our links, buy something, and it will appear here, usually within days.</p>
      <p className="button-row">
        <a className="button" href="/">
          Find an offer
        </a>
      </p>
    </EmptyState>
  );
}

function inWords(names: readonly string[]): string {
  return names.length <= 1 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
