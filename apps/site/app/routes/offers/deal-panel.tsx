import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { healthInWords } from "@farthing/core/votes/rules.ts";
import { href } from "react-router";
import { arrivalLine } from "../../ui/text/arrival-words.ts";
import { endsWhen, longDate, pastDay } from "../../ui/text/british-dates.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { AppExclusive } from "./app-exclusive.tsx";
import { AtTheTill } from "./at-the-till.tsx";
import { DealLink } from "./deal-link.tsx";
import { GiftCardAction } from "./gift-card-action.tsx";
import type { OfferData } from "./offer-data.ts";
import { OfferOver } from "./offer-over.tsx";
import { RevealCode } from "./reveal-code.tsx";
import { isShown, timeLeft, timeLeftInWords } from "./time-left.ts";

/**
 * The main action of an offer, with what it depends on: the variant before it; when it ends and when the money arrives
 * after it.
 */
export function DealPanel({ data }: { data: OfferData }) {
  const { offer, now, reveal } = data;
  const worked = workedInWords(offer.codeHealth, now);
  if (offer.state === "expired" || offer.state === "withdrawn") return <OfferOver offer={offer} />;
  if (!data.isForUs) return <OfferOver offer={offer} appOf={data.brandName} />;
  // What buyers of the brand's own gift cards get is said where they choose one.
  const isOwnGiftCard = offer.kind === "gift_card" && data.sellsGiftCards && !offer.code;
  const hasToken = reveal?.state === "member" && reveal.answer !== null;
  return (
    <div className="deal-panel" data-clean-address={hasToken ? data.ownPath : undefined}>
      {offer.state === "upcoming" ? (
        <p className="deal-upcoming">
          <b>Starts on {longDate(offer.startsAt)}</b>
          <span>Come back then: there will be a button here.</span>
        </p>
      ) : (
        <>
          {offer.variants.length > 0 && <VariantForm data={data} />}
          <DealActions data={data} />
        </>
      )}
      <ul className="deal-facts" role="list">
        {offer.kind !== "in_store" && !isOwnGiftCard && (
          <li>
            {offer.kind === "app_exclusive"
              ? "Only what you buy in the app counts"
              : paysCashback(offer.rates)
                ? arrivalLine(offer.tracking)
                : offer.dealLink === null
                  ? "No cashback on this one"
                  : "You save at the checkout; no cashback on this one"}
          </li>
        )}
        {worked && <li>{worked}</li>}
        {offer.endsAt && (
          <li>
            {endsWhen(offer.endsAt, now)}
            {offer.state === "live" && <TimeLeft endsAt={offer.endsAt} now={now} />}
          </li>
        )}
      </ul>
    </div>
  );
}

/**
 * The time left, from the last day on (O7); time-left.behaviour.ts counts it down. The end is written beside it: a
 * screen reader that announces every second helps nobody.
 */
function TimeLeft({ endsAt, now }: { endsAt: Date; now: Date }) {
  const left = timeLeft(endsAt.getTime(), now.getTime(), true);
  return (
    <span
      className="time-left figures"
      aria-hidden="true"
      hidden={!isShown(left)}
      data-ends-at={endsAt.getTime()}
      data-rendered-at={now.getTime()}
    >
      {isShown(left) && timeLeftInWords(left)}
    </span>
  );
}

/** Returns whether the page shows the member's code of a variant. */
export function hasCode({ reveal }: OfferData, variant: string | null): boolean {
  return reveal?.state === "member" && reveal.seen.some((code) => code.isCurrent && code.variant === variant);
}

/** Returns `Worked for 12 members this week, last yesterday`; null where too few members have said so. */
function workedInWords(health: OfferData["offer"]["codeHealth"], now: Date): string | null {
  const words = health && healthInWords(health);
  return words && health.lastWorkedAt ? `${words}; last ${pastDay(health.lastWorkedAt, now)}` : words;
}

/** Chooses the variant of the link (O2): at once with script (variant-choice.behaviour.ts), through "Update" without. */
function VariantForm({ data: { offer, variant } }: { data: OfferData }) {
  if (offer.variants.length === 1) return <p className="deal-variant-only">For: {offer.variants[0]?.label}</p>;
  return (
    <form method="get" action={href("/offers/:slug", { slug: offer.slug })} className="deal-variant">
      <input type="hidden" name="offer" value={offer.publicId} />
      <label htmlFor="offer-variant">Choose</label>
      <select id="offer-variant" name="offer_variant" className="select" defaultValue={variant ?? undefined}>
        {offer.variants.map(({ publicId, label }) => (
          <option key={publicId} value={publicId}>
            {label}
          </option>
        ))}
      </select>
      <noscript>
        <button type="submit" className="button is-quiet">
          Update
        </button>
      </noscript>
    </form>
  );
}

/** The action of the chosen variant and, where there is a choice, those of the others in a template. */
function DealActions({ data }: { data: OfferData }) {
  const { offer, variant } = data;
  if (offer.variants.length < 2) return <DealAction data={data} variant={variant} />;
  const actionOf = (publicId: string) => (
    <div key={publicId} className="deal-action" data-variant={publicId}>
      <DealAction data={data} variant={publicId} />
    </div>
  );
  const others = offer.variants.filter(({ publicId }) => publicId !== variant);
  return (
    <>
      {variant !== null && actionOf(variant)}
      {others.map(({ publicId }) => (
        <template key={publicId}>{actionOf(publicId)}</template>
      ))}
    </>
  );
}

function DealAction({ data, variant }: { data: OfferData; variant: string | null }) {
  const { offer, reveal, app } = data;
  const dealPath = offer.dealLink && pagePath(`/go/offers/${offer.publicId}`, { offer_variant: variant });
  if (app) return <AppExclusive data={{ ...data, app }} />;
  return (
    <>
      {offer.kind === "in_store" && <AtTheTill data={data} />}
      {reveal ? (
        <RevealCode data={data} reveal={reveal} variant={variant} dealPath={dealPath} />
      ) : offer.kind === "gift_card" && (dealPath || data.sellsGiftCards) ? (
        <GiftCardAction data={data} dealPath={dealPath} />
      ) : dealPath ? (
        <DealLink data={data} href={dealPath} />
      ) : (
        offer.kind !== "in_store" && <NoLink retailer={offer.retailer} />
      )}
    </>
  );
}

/** Shown where the shop can't be reached in a way that keeps what the offer promises. */
function NoLink({ retailer }: { retailer: OfferData["offer"]["retailer"] }) {
  return (
    <p className="deal-message">
      There is no cashback at {retailer.name} just now, so there is no link to it here.{" "}
      <a href={href("/retailers/:slug", { slug: retailer.slug })}>What {retailer.name} has on now</a>
    </p>
  );
}
