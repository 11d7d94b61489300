import { findClaimsPanel } from "@farthing/core/claims/queries.server.ts";
import { findWithdrawalPanel } from "@farthing/core/payouts/queries.server.ts";
import { findWalletPanel } from "@farthing/core/gift-cards/wallet.server.ts";
import { findGoodwill } from "@farthing/core/goodwill/find-goodwill.server.ts";
import { findFriendsPanel } from "@farthing/core/referrals/queries.server.ts";
import { findMoney } from "@farthing/core/cashback/find-money.server.ts";
import { findOpenClicks } from "@farthing/core/cashback/find-open-clicks.server.ts";
import type { MoneyView } from "@farthing/core/cashback/cashback-view.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { href } from "react-router";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { Balances } from "./balances.tsx";
import { Credits } from "./credits.tsx";
import { ComingMonths } from "./coming-months.tsx";
import { ComingPurchases } from "./coming-purchases.tsx";
import { MoneyPanels } from "./money-panels.tsx";
import { MonthTable } from "./month-table.tsx";
import { OpenClicks } from "./open-clicks.tsx";
import type { Route } from "./+types/money-page";

/** The newest are shown; the CSV and the archive have all. */
const MAX_CREDITS = 5;

export async function loader({ context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const [money, openClicks, withdrawal, claims, friends, wallet, credits] = await Promise.all([
    findMoney(db, { memberId: member.id, now }),
    findOpenClicks(db, { memberId: member.id, now }),
    findWithdrawalPanel(db, { memberId: member.id }),
    findClaimsPanel(db, { memberId: member.id }),
    findFriendsPanel(db, { brandId: context.get(visitContext).brand.id, memberId: member.id, now }),
    findWalletPanel(db, { memberId: member.id, now }),
    findGoodwill(db, { memberId: member.id, max: MAX_CREDITS }),
  ]);
  return { money, openClicks, withdrawal, claims, friends, wallet, credits, now };
}

/** A member's money (C3): what is theirs, what is coming and when, and what each month amounts to. */
export default function MoneyPage({
  loaderData: { money, openClicks, withdrawal, claims, friends, wallet, credits, now },
}: Route.ComponentProps) {
  const isEmpty = money.months.length === 0;
  return (
    <ProfileShell current="money" title="Your money" lead="What is yours, what is coming, and when.">
      <Balances balances={money.balances} />
      {money.overdue.first && <OverdueNotice overdue={money.overdue} first={money.overdue.first} now={now} />}
      {isEmpty ? (
        <EmptyState title="Nothing tracked yet">
          <p>Follow one of our links, buy something, and it will appear here, usually within days.</p>
          <p className="button-row">
            <a className="button" href="/">
              Find an offer
            </a>
          </p>
        </EmptyState>
      ) : (
        <>
          <section aria-labelledby="coming">
            <h2 id="coming" className="display section-title">
              What is coming
            </h2>
            <div className="coming-columns">
              <ComingMonths coming={money.coming} overdue={money.overdue} laterPence={money.laterPence} />
              {money.next.length > 0 && <ComingPurchases purchases={money.next} now={now} />}
            </div>
          </section>
          <section aria-labelledby="months">
            <h2 id="months" className="display section-title">
              Month by month
            </h2>
            <MonthTable months={money.months} />
            <p className="button-row">
              <a className="button is-quiet" href="/money/purchases">
                All purchases
              </a>
              <a className="button is-quiet" href="/money/purchases.csv" download="">
                Download all as CSV
              </a>
            </p>
          </section>
        </>
      )}
      {credits.length > 0 && <Credits credits={credits} now={now} />}
      {openClicks.length > 0 && <OpenClicks clicks={openClicks} now={now} />}
      <MoneyPanels withdrawal={withdrawal} claims={claims} friends={friends} wallet={wallet} />
    </ProfileShell>
  );
}

function OverdueNotice({
  overdue: { purchases, pence },
  first,
  now,
}: {
  overdue: MoneyView["overdue"];
  first: NonNullable<MoneyView["overdue"]["first"]>;
  now: Date;
}) {
  const path = href("/money/purchases/:purchase", { purchase: cursorOf(first.id) });
  return (
    <Notice tone="warn" title={purchases === 1 ? "One purchase is late" : `${purchases} purchases are late`}>
      <p>
        {purchases === 1 ? (
          <>
            {formatPence(pence)} from <a href={path}>{first.retailer.name}</a> was expected by{" "}
            {dayAndMonth(first.expected.to, now)}.
          </>
        ) : (
          <>
            {formatPence(pence)} together. The longest overdue is <a href={path}>{first.retailer.name}</a>, expected by{" "}
            {dayAndMonth(first.expected.to, now)}.
          </>
        )}{" "}
        It is not lost, and you need not do anything.
      </p>
    </Notice>
  );
}
