import type { PurchaseView } from "@farthing/core/cashback/cashback-view.ts";
import { findPurchase } from "@farthing/core/cashback/find-history.server.ts";
import { cursorOf, entryIdOf } from "@farthing/core/cashback/history-cursor.ts";
import { findClaimOfPurchase } from "@farthing/core/claims/queries.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data, href, useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { memberContext, servicesContext } from "../../site-context.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { dateRange, dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { stateWords } from "./entry-words.ts";
import { Timeline } from "./timeline.tsx";
import type { Route } from "./+types/purchase-page";

export async function loader({ context, params }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const entryId = entryIdOf(params.purchase);
  const [purchase, claim] = await Promise.all([
    findPurchase(db, { memberId: member.id, entryId, now }),
    findClaimOfPurchase(db, { memberId: member.id, entryId }),
  ]);
  if (!purchase) throw data(null, 404);
  return { purchase, claim, now };
}

/** One purchase: where it stands, what is expected and why, who decided what, and the receipt of its click (C3). */
export default function PurchasePage({ loaderData: { purchase, claim, now } }: Route.ComponentProps) {
  const state = stateWords[purchase.state];
  const isPending = purchase.state === "tracked" || purchase.state === "confirmed";
  const receipt = href("/money/receipts/:number", { number: purchase.clickNumber });
  return (
    <ProfileShell
      current="money"
      title={`${purchase.isCorrection ? "Correction" : "Purchase"} at ${purchase.retailer.name}`}
      parent={{ href: "/money/purchases", label: "All purchases" }}
    >
      <div className="purchase-top">
        <RetailerMark slug={purchase.retailer.slug} size={64} isOwn />
        <p className={`purchase-much is-${purchase.state}`}>
          <span className="display">
            <Amount pence={purchase.cashbackPence} isPending={isPending} />
          </span>
          <span className="purchase-tags">
            <span className={`tag ${state.tone}`}>{state.label}</span>
            {purchase.isOverdue && <span className="tag is-bad">Late</span>}
          </span>
        </p>
        <p className="soft">
          {formatPence(purchase.purchasePence)} counted for cashback, bought on {longDate(purchase.purchasedAt)}
          {purchase.offerTitle && `. ${purchase.offerTitle}`}
        </p>
      </div>
      {purchase.isOverdue && (
        <Notice tone="warn" title="This is late">
          <p>{purchase.reason} We noticed and keep watching it. It is not lost, and you need not do anything.</p>
        </Notice>
      )}
      <Reason purchase={purchase} claim={claim} />
      <div className="purchase-columns">
        <section aria-labelledby="steps">
          <h2 id="steps" className="display section-title">
            From click to payment
          </h2>
          <Timeline steps={purchase.steps} now={now} />
        </section>
        <div className="purchase-side">
          {isPending && <Expected purchase={purchase} now={now} />}
          {isPending && !purchase.isCorrection && (
            <p>
              {claim ? (
                <a href={href("/money/claims/:claim", { claim })}>See your claim about this purchase</a>
              ) : (
                <a href={pagePath(href("/money/claims/new"), { purchase: cursorOf(purchase.id) })}>
                  Is the amount wrong?
                </a>
              )}
            </p>
          )}
          <section aria-labelledby="receipt">
            <h2 id="receipt" className="display section-title">
              Your proof
            </h2>
            <p>
              Click number <b className="figures">{purchase.clickNumber}</b>. The receipt has the rate and the terms as
              they were when you followed our link.
            </p>
            <p className="button-row">
              <a className="button is-quiet" href={receipt}>
                See the receipt
              </a>
            </p>
          </section>
          {purchase.related.length > 0 && <Related purchase={purchase} now={now} />}
        </div>
      </div>
    </ProfileShell>
  );
}

function Reason({
  purchase: { id, state, reason, decision, isOverdue, isCorrection, clickNumber },
  claim,
}: {
  purchase: PurchaseView;
  /** The number of the claim about it; null: none. */
  claim: string | null;
}) {
  if (!reason || isOverdue) return null;
  // Networks take no claims about money that they have paid.
  const isClaimable = !isCorrection && (state === "tracked" || state === "confirmed" || state === "declined");
  const [tone, title] =
    state === "declined"
      ? (["bad", "Why it was declined"] as const)
      : (["info", decision ? "What changed" : undefined] as const);
  return (
    <Notice tone={tone} {...(title ? { title } : {})}>
      <p>{reason}</p>
      {decision && (
        <dl className="decision">
          <div>
            <dt>Who decided</dt>
            <dd>{decision.decidedBy === "the retailer" ? "The retailer" : "The retailer’s network"}, not us.</dd>
          </div>
          <div>
            <dt>If you think that is wrong</dt>
            <dd>
              {decision.appeal ?? "There is nothing that the retailer could look at again."}{" "}
              {claim ? (
                <a href={href("/money/claims/:claim", { claim })}>See your claim about it</a>
              ) : (
                decision.appeal &&
                (isClaimable ? (
                  <a href={pagePath(href("/money/claims/new"), { purchase: cursorOf(id) })}>
                    {state === "declined" ? "Appeal" : "Say what is wrong"}
                  </a>
                ) : (
                  <WriteToUs clickNumber={clickNumber} />
                ))
              )}
            </dd>
          </div>
        </dl>
      )}
    </Notice>
  );
}

/** How to appeal where no claim can be filed. */
function WriteToUs({ clickNumber }: { clickNumber: string }) {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <>
      Write to <a href={`mailto:${brand.supportEmail}?subject=Click%20${clickNumber}`}>{brand.supportEmail}</a> and name
      click number {clickNumber}.
    </>
  );
}

const awaited = { confirmation: "Confirmation", payment: "Yours" };

function Expected({ purchase: { told }, now }: { purchase: PurchaseView; now: Date }) {
  const [current, ...before] = told;
  if (!current) return null;
  return (
    <section aria-labelledby="expected">
      <h2 id="expected" className="display section-title">
        When to expect it
      </h2>
      <p className="expected-range">
        <b>{current.range ? dateRange(current.range.from, current.range.to, now) : "No date yet"}</b>
      </p>
      <p>
        {current.range &&
          `${awaited[current.awaits]}: half of all purchases are there by the first day, nine in ten by the last. `}
        {current.because}
      </p>
      {before.length > 0 && (
        <details className="told-before">
          <summary>What we told you before</summary>
          <ol role="list">
            {before.map((one, index) => (
              <li key={index}>
                <b>
                  {awaited[one.awaits]}: {one.range ? dateRange(one.range.from, one.range.to, now) : "no date yet"}
                </b>
                <small className="soft">
                  From {dayAndMonth(one.toldAt, now)}. {one.because}
                </small>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function Related({ purchase: { related }, now }: { purchase: PurchaseView; now: Date }) {
  return (
    <section aria-labelledby="related">
      <h2 id="related" className="display section-title">
        The same order
      </h2>
      <ul className="related" role="list">
        {related.map((one) => (
          <li key={one.id}>
            <a href={href("/money/purchases/:purchase", { purchase: cursorOf(one.id) })}>
              {one.isCorrection ? "Correction" : "The purchase"} of {dayAndMonth(one.at, now)}
            </a>{" "}
            <Amount pence={one.cashbackPence} />
          </li>
        ))}
      </ul>
    </section>
  );
}
