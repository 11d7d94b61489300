import { useEffect } from "react";
import { LoadingButton } from "../../ui/loading-button.tsx";
import { pagePath } from "../../ui/page-path.ts";
import { DealLink } from "./deal-link.tsx";
import type { OfferData } from "./offer-page.tsx";
import { RevealedCode } from "./revealed-code.tsx";

/** An empty pool, and what can be done instead (product.md O4). */
function NoCodesLeft({ data: { offer } }: { data: OfferData }) {
  return (
    <p className="deal-message">
      All the codes for this one have been given out. The link still works, without a code
      {offer.similar.length > 0 && (
        <>
          , and there are <a href="#similar">others like it below</a>
        </>
      )}
      .
    </p>
  );
}

/** Codes that several members could not use today (complaints.md 7). */
function FailsToday({ data: { offer } }: { data: OfferData }) {
  if (!offer.codeHealth?.isDemoted) return null;
  return (
    <p className="deal-message">
      {offer.codeHealth.failedToday} members told us today that this code did not work. Try it by all means, or{" "}
      <a href={offer.similar.length > 0 ? "#similar" : `/retailers/${offer.retailer.slug}`}>see the others</a>.
    </p>
  );
}

interface RevealProps {
  data: OfferData;
  reveal: NonNullable<OfferData["reveal"]>;
  variant: string | null;
  dealPath: string;
}

/** Reveal, exactly as product.md O3 has it. Without script it is a GET form; with it, the retailer opens in a new tab as well. */
export function RevealCode({ data, reveal, variant, dealPath }: RevealProps) {
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
        <NoCodesLeft data={data} />
        <DealLink data={data} href={dealPath} />
      </>
    );
  }
  if (reveal.state === "sign-in") {
    return (
      <form method="get" action="/login">
        <FailsToday data={data} />
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
        <NoCodesLeft data={data} />
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
      <FailsToday data={data} />
      {fields}
      <LoadingButton className="is-large is-wide" describedBy="deal-hint" opens={dealPath}>
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
