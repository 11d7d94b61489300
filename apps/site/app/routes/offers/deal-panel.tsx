import { healthInWords } from "@farthing/core/votes/rules.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { arrivalLine } from "../../ui/text/arrival-words.ts";
import { endsWhen, longDate, pastDay } from "../../ui/text/british-dates.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { AppExclusive } from "./app-exclusive.tsx";
import { AtTheTill } from "./at-the-till.tsx";
import { DealLink } from "./deal-link.tsx";
import { DidItWork } from "./did-it-work.tsx";
import { GiftCardAction } from "./gift-card-action.tsx";
import type { OfferData } from "./offer-data.ts";
import { OfferOver } from "./offer-over.tsx";
import { RevealCode } from "./reveal-code.tsx";
import { timeLeftInWords, type TimeLeft } from "./use-time-left.ts";

/**
 * The main action of an offer, with what it depends on: the variant before it; when it ends and when the money arrives
 * after it.
 */
export function DealPanel({ data, timeLeft }: { data: OfferData; timeLeft: TimeLeft | null }) {
  const { offer, now, vote } = data;
  const [variant, setVariant] = useState(data.variant);
  const worked = workedInWords(offer.codeHealth, now);
  if (offer.state === "expired" || offer.state === "withdrawn") return <OfferOver data={data} />;
  return (
    <div className="deal-panel">
      {offer.state === "upcoming" ? (
        <p className="deal-upcoming">
          <b>Starts on {longDate(offer.startsAt)}</b>
          <span>Come back then: there will be a button here.</span>
        </p>
      ) : (
        <>
          {offer.variants.length > 0 && <VariantForm data={data} variant={variant} onChange={setVariant} />}
          <DealAction data={data} variant={variant} />
        </>
      )}
      {offer.state === "live" && vote && hasCode(data, variant) && (
        <DidItWork ownPath={data.ownPath} today={vote.today} />
      )}
      <ul className="deal-facts" role="list">
        {offer.kind !== "in_store" && (
          <li>
            {offer.kind === "app_exclusive"
              ? "Only what you buy in the app counts"
              : offer.rates.length > 0
                ? arrivalLine(offer.tracking)
                : "You save at the checkout; no cashback on this one"}
          </li>
        )}
        {worked && <li>{worked}</li>}
        {offer.endsAt && (
          <li>
            {endsWhen(offer.endsAt, now)}
            {timeLeft && offer.state === "live" && (
              // The end is written beside it. A screen reader that announces every second helps nobody.
              <span className="time-left figures" aria-hidden="true">
                {timeLeftInWords(timeLeft)}
              </span>
            )}
          </li>
        )}
      </ul>
    </div>
  );
}

/** Returns whether the page shows the member's code. Only then is there one to report on. */
function hasCode({ reveal }: OfferData, variant: string | null): boolean {
  return reveal?.state === "member" && reveal.seen.some((code) => code.isCurrent && code.variant === variant);
}

/** Returns `Worked for 12 members this week, last yesterday`; null where too few members have said so. */
function workedInWords(health: OfferData["offer"]["codeHealth"], now: Date): string | null {
  const words = health && healthInWords(health);
  return words && health.lastWorkedAt ? `${words}; last ${pastDay(health.lastWorkedAt, now)}` : words;
}

/** Chooses the variant of the link (O2): at once with script, through "Update" without. */
function VariantForm({
  data: { offer },
  variant,
  onChange,
}: {
  data: OfferData;
  variant: string | null;
  onChange(variant: string): void;
}) {
  const select = useRef<HTMLSelectElement>(null);
  // Browsers may restore a choice that was made before the script ran.
  useEffect(() => {
    if (select.current) onChange(select.current.value);
  }, [onChange]);

  if (offer.variants.length === 1) return <p className="deal-variant-only">For: {offer.variants[0]?.label}</p>;
  return (
    <form method="get" action={href("/offers/:slug", { slug: offer.slug })} className="deal-variant">
      <input type="hidden" name="offer" value={offer.publicId} />
      <label htmlFor="offer-variant">Choose</label>
      <select
        id="offer-variant"
        name="offer_variant"
        className="select"
        ref={select}
        defaultValue={variant ?? undefined}
        onChange={(event: FormEvent<HTMLSelectElement>) => onChange(event.currentTarget.value)}
      >
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

function DealAction({ data, variant }: { data: OfferData; variant: string | null }) {
  const { offer, reveal, app, brandName } = data;
  const dealPath = pagePath(`/go/offers/${offer.publicId}`, { offer_variant: variant });
  if (offer.kind === "app_exclusive") {
    if (app) return <AppExclusive data={{ ...data, app }} />;
    return <p className="deal-message">This one is for an app, and {brandName} does not have one yet.</p>;
  }
  return (
    <>
      {offer.kind === "in_store" && <AtTheTill data={data} />}
      {reveal ? (
        <RevealCode data={data} reveal={reveal} variant={variant} dealPath={dealPath} />
      ) : offer.kind === "gift_card" ? (
        <GiftCardAction data={data} dealPath={dealPath} />
      ) : (
        offer.kind !== "in_store" && <DealLink data={data} href={dealPath} />
      )}
    </>
  );
}
