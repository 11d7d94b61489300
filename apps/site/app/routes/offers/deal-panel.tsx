import { type FormEvent, useEffect, useRef, useState } from "react";
import { arrivalLine } from "../../ui/arrival-words.ts";
import { endsWhen, longDate } from "../../ui/british-dates.ts";
import { LoadingButton, LoadingLink } from "../../ui/loading-button.tsx";
import { pagePath } from "../../ui/page-path.ts";
import type { OfferData } from "./offer-page.tsx";
import { OfferOver } from "./offer-over.tsx";
import { RevealedCode } from "./revealed-code.tsx";

/** The one thing to do with an offer, with what it depends on: the variant before it, when it ends and when the money arrives after it. */
export function DealPanel({ data }: { data: OfferData }) {
  const { offer, now } = data;
  const [variant, setVariant] = useState(data.variant);
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
      <ul className="deal-facts" role="list">
        {offer.kind !== "in_store" && (
          <li>
            {offer.rates.length > 0 ? arrivalLine(offer.tracking) : "You save at the checkout; no cashback on this one"}
          </li>
        )}
        {offer.endsAt && <li>{endsWhen(offer.endsAt, now)}</li>}
      </ul>
    </div>
  );
}

/** Which variant the link is for (product.md O2): with script at the choice, without it through "Update". */
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
  // Browsers may bring back a choice made before the script was there.
  useEffect(() => {
    if (select.current) onChange(select.current.value);
  }, [onChange]);

  if (offer.variants.length === 1) return <p className="deal-variant-only">For: {offer.variants[0]?.label}</p>;
  return (
    <form method="get" action={`/offers/${offer.slug}`} className="deal-variant">
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
  const { offer, reveal, storeLinks } = data;
  const dealPath = pagePath(`/go/offers/${offer.publicId}`, { offer_variant: variant });
  if (offer.kind === "app_exclusive" && (storeLinks.ios || storeLinks.android))
    return <AppLinks storeLinks={storeLinks} />;
  return (
    <>
      {offer.kind === "in_store" && <AtTheTill data={data} />}
      {reveal ? (
        <Reveal data={data} reveal={reveal} variant={variant} dealPath={dealPath} />
      ) : (
        offer.kind !== "in_store" && <DealLink data={data} href={dealPath} />
      )}
    </>
  );
}

function DealLink({
  data: { offer, isSignedIn },
  href,
  isQuiet = false,
}: {
  data: OfferData;
  href: string;
  isQuiet?: boolean;
}) {
  return (
    <>
      <LoadingLink
        href={href}
        opensNewTab
        className={isQuiet ? "is-wide is-quiet" : "is-large is-wide"}
        describedBy="deal-hint"
      >
        Get deal
      </LoadingLink>
      <p id="deal-hint" className="deal-hint">
        {isSignedIn ? `Opens ${offer.retailer.name} in a new tab` : "You log in first, so that we know whose it is"}
      </p>
    </>
  );
}

const noCodesLeft = "All the codes for this one have been given out. The link still works, without a code.";

interface RevealProps {
  data: OfferData;
  reveal: NonNullable<OfferData["reveal"]>;
  variant: string | null;
  dealPath: string;
}

/** Reveal, exactly as product.md O3 has it. Without script it is a GET form; with it, the retailer opens in a new tab as well. */
function Reveal({ data, reveal, variant, dealPath }: RevealProps) {
  const { offer, ownPath } = data;
  if (reveal.state === "shown") {
    return (
      <RevealedCode code={reveal.code} cleanPath={ownPath}>
        <DealLink data={data} href={dealPath} isQuiet />
      </RevealedCode>
    );
  }
  if (reveal.state === "empty") {
    return (
      <>
        <p className="deal-message">{noCodesLeft}</p>
        <DealLink data={data} href={dealPath} />
      </>
    );
  }
  if (reveal.state === "sign-in") {
    return (
      <form method="get" action="/login">
        <input
          type="hidden"
          name="next"
          value={pagePath(`/offers/${offer.slug}`, { offer: offer.publicId, offer_variant: variant })}
        />
        <LoadingButton className="is-large is-wide" describedBy="deal-hint">
          Reveal code
        </LoadingButton>
        <p id="deal-hint" className="deal-hint">
          Codes are for members: you log in first
        </p>
      </form>
    );
  }
  const isPoolEmpty = reveal.state === "ready" && reveal.isPoolEmpty;
  const fields = (
    <>
      <input type="hidden" name="offer" value={offer.publicId} />
      {variant && <input type="hidden" name="offer_variant" value={variant} />}
      <input type="hidden" name="reveal_code" value={reveal.token} />
    </>
  );
  if (isPoolEmpty) {
    return (
      <>
        <p className="deal-message">{noCodesLeft}</p>
        <DealLink data={data} href={dealPath} />
        <form method="get" action={`/offers/${offer.slug}`}>
          {fields}
          <LoadingButton className="is-wide is-quiet">Reveal code</LoadingButton>
          <p className="deal-hint">If one of them is yours, it shows again</p>
        </form>
      </>
    );
  }
  return (
    <form method="get" action={`/offers/${offer.slug}`}>
      {reveal.state === "refused" && <RefusedReveal cleanPath={ownPath} />}
      {fields}
      <LoadingButton
        className="is-large is-wide"
        describedBy="deal-hint"
        onStart={() => window.open(dealPath, "_blank", "noopener")}
      >
        Reveal code
      </LoadingButton>
      <p id="deal-hint" className="deal-hint">
        <span className="needs-script">Opens {offer.retailer.name} in a new tab, too</span>
      </p>
    </form>
  );
}

/** A token that was used, is too old or is not this member's reveals nothing; there is a fresh one in the button already. */
function RefusedReveal({ cleanPath }: { cleanPath: string }) {
  useEffect(() => window.history.replaceState(window.history.state, "", cleanPath), [cleanPath]);
  return (
    <p className="deal-message" role="alert">
      That link to the code has been used or is too old. Press the button once more and the code will show.
    </p>
  );
}

function AtTheTill({ data: { memberName, brandName, ownPath } }: { data: OfferData }) {
  if (memberName === null) {
    return (
      <>
        <a className="button is-large is-wide" href={pagePath("/login", { next: ownPath })}>
          Log in to use it
        </a>
        <p className="deal-hint">Then show this page at the till</p>
      </>
    );
  }
  return (
    <div className="till-card">
      <p>Show this at the till</p>
      <p className="till-card-name display">{memberName}</p>
      <p>Member of {brandName}</p>
    </div>
  );
}

function AppLinks({ storeLinks }: Pick<OfferData, "storeLinks">) {
  return (
    <div className="app-links">
      <p className="deal-message">This one is used in our app.</p>
      {storeLinks.ios && (
        <a className="button is-wide" href={storeLinks.ios}>
          Get it for iPhone
        </a>
      )}
      {storeLinks.android && (
        <a className="button is-wide" href={storeLinks.android}>
          Get it for Android
        </a>
      )}
    </div>
  );
}
