import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { data, redirect } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import { servicesContext, visitContext } from "../../site-context.ts";
import { privatePage } from "../../site-headers.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Balances } from "./balances.tsx";
import { CashbackEntry } from "./cashback-entry.tsx";
import { OpenClicks } from "./open-clicks.tsx";
import { ProfileShell } from "./profile-shell.tsx";
import type { Route } from "./+types/profile-page";

export const handle = pageHandle("profiles", "show");

export async function loader({ context }: Route.LoaderArgs) {
  const { member } = context.get(visitContext);
  if (!member) throw redirect("/login?next=%2Fprofile", { headers: privatePage });
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const timeline = await findCashbackTimeline(db, { memberId: member.id, now });
  return data(
    { name: member.name, email: member.email, verification: member.verification, timeline, now },
    { headers: privatePage },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const { name, email, verification, timeline, now } = loaderData;
  const { balances, items, openClicks } = timeline;
  return (
    <ProfileShell current="overview" title="Your cashback" lead={`${name}, ${email}`}>
      {verification !== "verified" && <VerificationNotice verification={verification} />}
      <Balances balances={balances} />
      {openClicks.length > 0 && <OpenClicks clicks={openClicks} now={now} />}
      <section aria-labelledby="history">
        <h2 id="history" className="display section-title">
          From click to payment
        </h2>
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
      </section>
    </ProfileShell>
  );
}

function VerificationNotice({ verification }: { verification: "unverified" | "submitted" | "rejected" | "lapsed" }) {
  const words = {
    unverified:
      "Your membership is not verified yet. You can look around and earn; we ask for proof before anything is paid out.",
    submitted: "We are looking at your proof of membership.",
    rejected: "We could not accept your proof of membership.",
    lapsed: "Your membership has run out. What you have earned stays yours.",
  }[verification];
  return (
    <Notice tone="info">
      <p>{words}</p>
      <p>
        <a href="/verification">{verification === "submitted" ? "See how it stands" : "Send proof of membership"}</a>
      </p>
    </Notice>
  );
}
