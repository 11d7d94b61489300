import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { findOpenAccess } from "@farthing/core/account-access/queries.server.ts";
import { findPayoutThreshold } from "@farthing/core/payouts/queries.server.ts";
import { findStandingView } from "@farthing/core/verification-requests/queries.server.ts";
import { data, href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { Balances } from "./balances.tsx";
import { CashbackEntry } from "./cashback-entry.tsx";
import { HistoryPager } from "./history-pager.tsx";
import { OpenClicks } from "./open-clicks.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { AccessNotice } from "../account-access/access-notice.tsx";
import { bannerOf, VerificationBanner } from "./verification-banner.tsx";
import type { Route } from "./+types/profile-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { brand } = context.get(visitContext);
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const { before, after } = readParameters(request, "/profile");
  const place = before !== null ? { olderThan: before } : after !== null ? { newerThan: after } : null;
  const [timeline, standing, access, withdrawableFrom] = await Promise.all([
    findCashbackTimeline(db, { memberId: member.id, now, place }),
    findStandingView(db, { memberId: member.id, brandId: brand.id, now }),
    findOpenAccess(db, { memberId: member.id, now }),
    findPayoutThreshold(db, { brandId: brand.id }),
  ]);
  const banner = standing && bannerOf(standing);
  const shown = {
    name: member.name,
    email: member.email,
    banner,
    access: access && { operator: access.operator, publicId: access.publicId, standing: access.standing },
    closing: standing?.isClosing ?? false,
    timeline,
    withdrawableFrom,
    now,
  };
  return data(shown, timeline.isPageUnknown ? 404 : 200);
}

export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const { name, email, banner, access, closing, timeline, withdrawableFrom, now } = loaderData;
  const { balances, items, newer, older, isPageUnknown, openClicks } = timeline;
  return (
    <ProfileShell current="overview" title="Your cashback" lead={`${name}, ${email}`}>
      {access && <AccessNotice {...access} />}
      {closing && (
        <Notice tone="warn" title="We are closing your account">
          <p>
            <a href="/profile/privacy/close">See how it stands, or keep it</a>
          </p>
        </Notice>
      )}
      {banner && <VerificationBanner banner={banner} />}
      <Balances balances={balances} withdrawableFrom={withdrawableFrom} />
      <p>
        <a href="/money">Your money: what is coming, and when</a>
      </p>
      {openClicks.length > 0 && <OpenClicks clicks={openClicks} now={now} />}
      <section aria-labelledby="history">
        <h2 id="history" className="display section-title">
          From click to payment
        </h2>
        {isPageUnknown && (
          <Notice tone="info" title="There is no such page of your purchases">
            <p>Part of the address may be missing. Here are your latest purchases.</p>
          </Notice>
        )}
        {items.length > 0 ? (
          <ol className="cashback-list" role="list">
            {items.map((item, index) => (
              <CashbackEntry key={item.id} item={item} now={now} isOpen={index === 0} />
            ))}
          </ol>
        ) : (
          <EmptyState title="Nothing tracked yet">
            <p>Follow one of our links, buy something, and it will appear here, usually within days.</p>
            <p className="button-row">
              <a className="button" href="/">
                Find an offer
              </a>
            </p>
          </EmptyState>
        )}
        <HistoryPager newer={newer} older={older} pathOf={(place) => `${pagePath(href("/profile"), place)}#history`} />
      </section>
    </ProfileShell>
  );
}
