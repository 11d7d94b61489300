import {
  findClaimSubject,
  findVisitPurchases,
  findVisits,
  type ClaimAbout,
  type ClaimSubject,
  type ClaimVisit,
  type VisitPurchase,
} from "@farthing/core/claims/find-subject.server.ts";
import { makeClaim, type MadeClaim } from "@farthing/core/claims/operations.server.ts";
import { readClaim, typedClaim } from "@farthing/core/claims/schema.ts";
import { clickNumberOf } from "@farthing/core/cashback/schema.ts";
import { cursorOf } from "@farthing/core/cashback/history-cursor.ts";
import { decimalPounds, formatPence } from "@farthing/core/money/money.ts";
import { DECISION_FACTS } from "@farthing/core/networks/decline-reason.ts";
import { londonDate } from "@farthing/core/registration/rules.ts";
import { typedIn } from "@farthing/core/registration/read-registration.ts";
import { data, href, redirect } from "react-router";
import { possessive } from "../../ui/text/possessive.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { HalfFilled } from "../../ui/forms/half-filled.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import type { Route } from "./+types/new-claim-page";
import ClaimForm from "./claim-form.island.tsx";

const PATH = href("/money/claims/new");

/** What the address names; null: nothing, so the member chooses a visit. */
function aboutOf(request: Request): ClaimAbout | null {
  const { click, purchase } = readParameters(request, "/money/claims/new");
  if (purchase !== null) return { entryId: purchase };
  return click === null ? null : { clickNumber: clickNumberOf(click) ?? "" };
}

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const about = aboutOf(request);
  if (!about) return { subject: null, visits: await findVisits(db, { memberId: member.id, now }), known: [], now };
  const subject = await findClaimSubject(db, { memberId: member.id, about, now });
  if (!subject) throw data(null, 404);
  const ofVisit = { memberId: member.id, clickId: subject.click.id };
  const known = subject.kind === "untracked" ? await findVisitPurchases(db, ofVisit) : [];
  return { subject, visits: [], known, now };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const about = aboutOf(request);
  const subject = about && (await findClaimSubject(db, { memberId: member.id, about, now }));
  if (!about || !subject) throw data(null, 404);
  const values = typedClaim(typedIn(await request.formData()));
  const order = subject.purchase?.orderReference ?? values.order_number;
  const read = readClaim({ ...values, order_number: order }, { clickedAt: subject.click.clickedAt, now });
  if (read.errors) return data({ errors: read.errors, values, refused: null, purchase: null }, 400);
  const { id: brandId } = context.get(visitContext).brand;
  const made = await makeClaim(db, { brandId, memberId: member.id, about, form: read.value, now });
  if (made.outcome === "made" || made.outcome === "already") {
    const claim = href("/money/claims/:claim", { claim: made.publicId });
    throw redirect(`${claim}?note=${made.outcome}`, 303);
  }
  if (made.outcome === "unknown") throw data(null, 404);
  const purchase = made.outcome === "tracked" ? made.purchase : null;
  return data({ errors: {}, values, refused: made.outcome, purchase }, 409);
}

export default function NewClaimPage({
  loaderData: { subject, visits, known, now },
  actionData,
}: Route.ComponentProps) {
  if (!subject) return <ChooseVisit visits={visits} now={now} />;
  const { click, retailer, purchase, kind, window, place, rule } = subject;
  const address = purchase
    ? pagePath(PATH, { purchase: cursorOf(purchase.id) })
    : pagePath(PATH, { click: click.number });
  const isLate = place === "late";
  return (
    <ProfileShell
      current="money"
      title={titles[kind](retailer.name)}
      parent={
        purchase
          ? { href: href("/money/purchases/:purchase", { purchase: cursorOf(purchase.id) }), label: "The purchase" }
          : { href: PATH, label: "Choose another visit" }
      }
    >
      {actionData?.refused && <Refused outcome={actionData.refused} purchase={actionData.purchase} />}
      <div className="claim-top">
        <RetailerMark slug={retailer.slug} size={64} isOwn />
        <p>
          {purchase
            ? `${formatPence(purchase.salePence)} reported, bought on ${longDate(purchase.purchasedAt)}. ${formatPence(purchase.cashbackPence)} cashback.`
            : `Your visit on ${longDate(click.clickedAt)}.`}{" "}
          <span className="soft">
            Click number <span className="figures">{click.number}</span>
          </span>
        </p>
      </div>
      {known.length > 0 && <Known purchases={known} />}
      {kind === "declined" && purchase && (
        <Notice tone="info" title="What helps">
          <p>{DECISION_FACTS[purchase.reason ?? "not_given"].appeal}</p>
        </Notice>
      )}
      {place === "early" && (
        <Notice tone="info" title={`It is early: it can still show by ${dayAndMonth(window.opensAt, now)}`}>
          <p>
            Tell us now if you like. We keep your claim, and send it by ourselves on that day if nothing has shown. You
            need not come back.
          </p>
        </Notice>
      )}
      {isLate ? (
        <Notice tone="bad" title={`Claims closed on ${longDate(window.closesAt)}`}>
          <p>The shop does not look into purchases that are older. We are sorry.</p>
        </Notice>
      ) : (
        <>
          <p className="claim-deadline">
            Claims about it close on <b>{longDate(window.closesAt)}</b>.{" "}
            {rule.needsEvidence
              ? "This shop wants to see the order confirmation: you add it in the next step."
              : "You can add the order confirmation in the next step."}
          </p>
          <HalfFilled
            name={`claim:${purchase ? cursorOf(purchase.id) : click.number}`}
            form="claim"
            start="Start again"
          />
          <ClaimForm
            action={address}
            values={actionData?.values ?? startOf(subject)}
            errors={actionData?.errors ?? {}}
            fixedOrder={purchase?.orderReference ?? null}
            asksForWords={kind !== "untracked"}
            button={kind === "declined" ? "Appeal" : "Send my claim"}
          />
        </>
      )}
    </ProfileShell>
  );
}

const titles: Record<ClaimSubject["kind"], (name: string) => string> = {
  untracked: (name) => `A missing purchase at ${name}`,
  incorrect: (name) => `A wrong amount at ${name}`,
  declined: (name) => `Appeal against ${possessive(name)} decision`,
};

/** What of the visit is in the account already, so that nobody claims it again. */
function Known({ purchases }: { purchases: readonly VisitPurchase[] }) {
  return (
    <Notice
      tone="info"
      title={purchases.length === 1 ? "This purchase is there already" : "These purchases are there already"}
    >
      <ul>
        {purchases.map(({ id, purchasedAt, salePence, cashbackPence }) => (
          <li key={id}>
            <a href={href("/money/purchases/:purchase", { purchase: cursorOf(id) })}>
              {formatPence(salePence)} on {longDate(purchasedAt)}
            </a>
            , {formatPence(cashbackPence)} cashback
          </li>
        ))}
      </ul>
      <p>Is the amount wrong? Say so on the purchase’s own page. Go on here if you bought something else too.</p>
    </Notice>
  );
}

/** A purchase is known. Of a visit only the day is, which is nearly always that of the purchase. */
function startOf({ purchase, click }: ClaimSubject) {
  const [year = "", month, day] = londonDate(purchase?.purchasedAt ?? click.clickedAt).split("-");
  const amount = purchase ? decimalPounds(purchase.salePence) : "";
  return { order_number: "", purchased_on: `${day}-${month}-${year.slice(2)}`, amount, words: "" };
}

function Refused({
  outcome,
  purchase,
}: {
  outcome: Exclude<MadeClaim["outcome"], "made" | "already" | "unknown">;
  purchase: string | null;
}) {
  const [title, text] = refusals[outcome];
  return (
    <Notice tone="bad" isUrgent title={title}>
      <p>
        {text} {purchase && <a href={href("/money/purchases/:purchase", { purchase })}>See the purchase</a>}
      </p>
    </Notice>
  );
}

const refusals = {
  tracked: ["It is there already", "The shop has reported this order, and it is among your purchases."],
  late: ["It is too late for this visit", "The shop does not look into purchases that are older."],
  "no-cashback": ["This visit promised no cashback", "There was no cashback at this shop when you followed the link."],
  "too-many": ["You have 20 claims under way", "Wait for an answer to one of them, or take one back."],
} as const;

function ChooseVisit({ visits, now }: { visits: ClaimVisit[]; now: Date }) {
  return (
    <ProfileShell
      current="money"
      title="Which visit was it?"
      parent={{ href: "/money/claims", label: "Claims" }}
      lead="Choose the visit after which you bought something. These are the latest that promised cashback."
    >
      {visits.length === 0 ? (
        <EmptyState title="No visits yet">
          <p>A purchase can only be claimed if it began with one of our links.</p>
          <p className="button-row">
            <a className="button" href="/">
              Find an offer
            </a>
          </p>
        </EmptyState>
      ) : (
        <ol className="purchase-rows" role="list">
          {visits.map(({ click, retailer, place, window, hasPurchase }) => (
            <li key={click.number} className="purchase-row claim-visit">
              <RetailerMark slug={retailer.slug} size={48} isOwn />
              <p>
                {place === "late" ? (
                  <b>{retailer.name}</b>
                ) : (
                  <a href={pagePath(PATH, { click: click.number })}>
                    {retailer.name}
                    <span className="visually-hidden">, visited {dayAndMonth(click.clickedAt, now)}</span>
                  </a>
                )}
                <small className="soft">
                  Visited {dayAndMonth(click.clickedAt, now)}.{" "}
                  {place === "late"
                    ? `Claims closed on ${dayAndMonth(window.closesAt, now)}.`
                    : hasPurchase
                      ? `One purchase is in your account. Claim another by ${dayAndMonth(window.closesAt, now)}.`
                      : place === "early"
                        ? `It can still show by ${dayAndMonth(window.opensAt, now)}.`
                        : `Claim by ${dayAndMonth(window.closesAt, now)}.`}
                </small>
              </p>
              <span className="figures soft">{click.number}</span>
            </li>
          ))}
        </ol>
      )}
    </ProfileShell>
  );
}
