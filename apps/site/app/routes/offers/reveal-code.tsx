import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { failuresInWords, type VoteOutcome } from "@farthing/core/votes/rules.ts";
import { href } from "react-router";
import { pastDay, soonAt } from "../../ui/text/british-dates.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { preFlightPath } from "../clicks/pre-flight-path.ts";
import { DealLink } from "./deal-link.tsx";
import { DidItWork } from "./did-it-work.tsx";
import type { OfferData } from "./offer-data.ts";
import { REDEEMS, REGISTERS } from "./redeems.ts";
import type { MemberReveal, ShownCode } from "./reveal-for.server.ts";
import { RevealedCode } from "./revealed-code.tsx";
import { SwapCode, VoidCodes } from "./swap-code.tsx";

/** Shown where the pool is empty or never had a code, with what can be done instead (O4). */
function NoCodesLeft({ data: { offer } }: { data: OfferData }) {
  const others = offer.similar.length > 0 && <a href="#similar">others like it below</a>;
  return (
    <p className="deal-message">
      There is no code for this one now.
      {offer.dealLink && <> The link still works, without a code{others && <>, and there are {others}</>}.</>}
      {!offer.dealLink && others && <> There are {others}.</>}
    </p>
  );
}

/** Shown where a code failed for several members lately (reference: complaints, 7). */
function FailsToday({ data: { offer } }: { data: OfferData }) {
  if (!offer.codeHealth?.isDemoted) return null;
  return (
    <p className="deal-message">
      {failuresInWords(offer.codeHealth)}. Try it by all means, or{" "}
      <a href={offer.similar.length > 0 ? "#similar" : href("/retailers/:slug", { slug: offer.retailer.slug })}>
        see the others
      </a>
      .
    </p>
  );
}

/**
 * The button that reveals the code, as an address names it. Whoever pressed "Reveal code" and had to log in first comes back to it: the browser
 * scrolls to it and focuses it. Only their press reveals, because the code of a pool and the limit are spent by it.
 */
export const REVEAL_BUTTON = "reveal-code";

interface RevealProps {
  data: OfferData;
  variant: string | null;
  /** Null where no shop opens with the code. */
  dealPath: string | null;
}

/**
 * Reveals a code as O3 specifies. Without script it is a GET form; with script the retailer also opens in a new tab.
 */
export function RevealCode({ reveal, ...props }: RevealProps & { reveal: NonNullable<OfferData["reveal"]> }) {
  if (reveal.state === "member") return <MembersCode reveal={reveal} {...props} />;
  if (reveal.state === "sign-in") return <LogInFirst {...props} />;
  return <WithoutCode {...props} />;
}

/** Returns the address of the offer's page with `variant` chosen. */
function pathOf({ offer }: OfferData, variant: string | null): string {
  return pagePath(href("/offers/:slug", { slug: offer.slug }), { offer: offer.publicId, offer_variant: variant });
}

function LogInFirst({ data, variant }: RevealProps) {
  return (
    <form method="get" action="/login">
      <FailsToday data={data} />
      <input type="hidden" name="next" value={`${pathOf(data, variant)}#${REVEAL_BUTTON}`} />
      <LoadingButton className="is-large is-wide" describedBy="deal-hint" marks={REGISTERS}>
        Reveal code
      </LoadingButton>
      <p id="deal-hint" className="deal-hint">
        Codes are for members: you log in first
      </p>
    </form>
  );
}

function WithoutCode({ data, dealPath }: RevealProps) {
  return (
    <>
      <NoCodesLeft data={data} />
      {dealPath && <DealLink data={data} href={dealPath} />}
    </>
  );
}

/**
 * Shows the code where the member has revealed it, on any day and device; else the button that reveals it, or why there
 * is none.
 */
function MembersCode({ reveal, ...props }: RevealProps & { reveal: MemberReveal }) {
  const { data, variant, dealPath } = props;
  const { now } = data;
  const seen = reveal.seen.find((code) => code.variant === variant);
  const voidCodes = reveal.swaps?.voidCodes.filter((code) => code.variant === null || code.variant === variant) ?? [];
  if (seen?.isCurrent) {
    return (
      <>
        <RevealedCode
          code={seen.code}
          isNew={reveal.answer === "shown" && variant === data.variant}
          revealed={pastDay(seen.revealedAt, now)}
        >
          {dealPath && <DealLink data={data} href={dealPath} isQuiet />}
        </RevealedCode>
        <DidItWork path={pathOf(data, variant)} today={voteOn(seen, data)} />
        {seen.isOwn && reveal.swaps && (
          <SwapCode
            code={seen.code}
            variant={variant}
            path={pathOf(data, variant)}
            reveal={reveal}
            swaps={reveal.swaps}
            refused={data.refusedSwap?.code === seen.code ? data.refusedSwap : null}
            now={now}
          />
        )}
        <VoidCodes codes={voidCodes} now={now} />
      </>
    );
  }
  const replaced = seen && <ReplacedCode code={seen} now={now} reveal={reveal} />;
  if (reveal.isPoolEmpty) {
    return (
      <>
        {replaced}
        <WithoutCode {...props} />
      </>
    );
  }
  if (reveal.nextRevealAt) {
    return (
      <>
        {replaced}
        <TooManyCodes nextRevealAt={reveal.nextRevealAt} isVerified={reveal.isVerified} now={now} />
        {dealPath && <DealLink data={data} href={dealPath} />}
      </>
    );
  }
  return (
    <>
      {replaced}
      <RevealForm {...props} token={reveal.token} isRefused={reveal.answer === "refused"} />
    </>
  );
}

/** Returns what the member said today about the code that they were shown; null: nothing. */
function voteOn(seen: ShownCode, { votes }: OfferData): VoteOutcome | null {
  const vote = votes.find(({ code, variant }) => code === seen.code && (variant === null || variant === seen.variant));
  return vote?.outcome ?? null;
}

function RevealForm({
  data,
  variant,
  dealPath,
  token,
  isRefused,
}: RevealProps & { token: string; isRefused: boolean }) {
  const { offer } = data;
  return (
    <form method="get" action={href("/offers/:slug", { slug: offer.slug })}>
      {isRefused && (
        <p className="deal-message" role="alert">
          That link to the code has been used or is too old. Press the button once more and the code will show.
        </p>
      )}
      <FailsToday data={data} />
      <input type="hidden" name="offer" value={offer.publicId} />
      {/* The form always sends both parameters (O3). An offer without variants counts as its own only variant. */}
      <input type="hidden" name="offer_variant" value={variant ?? offer.publicId} />
      <input type="hidden" name="reveal_code" value={token} />
      <LoadingButton
        id={REVEAL_BUTTON}
        className="is-large is-wide"
        describedBy="deal-hint"
        opens={dealPath ?? undefined}
        checkedBy={dealPath && paysCashback(offer.rates) ? preFlightPath(dealPath) : undefined}
        marks={REDEEMS}
      >
        Reveal code
      </LoadingButton>
      <p id="deal-hint" className="deal-hint">
        <b className="deal-logged-in">You’re logged in. Reveal your code.</b>
        {dealPath && <span className="needs-script">Opens {offer.retailer.name} in a new tab, too</span>}
      </p>
    </form>
  );
}

/** Shown where the retailer has changed its code since the member revealed it: the old one would waste their time. */
function ReplacedCode({ code, now, reveal }: { code: ShownCode; now: Date; reveal: MemberReveal }) {
  const since = reveal.isPoolEmpty
    ? "is no longer valid."
    : reveal.nextRevealAt
      ? "has been replaced."
      : "has been replaced. Press Reveal code for the new one.";
  return (
    <p className="deal-message">
      The code that you revealed {pastDay(code.revealedAt, now)}, <s translate="no">{code.code}</s>, {since}
    </p>
  );
}

/** Only scripts, and very keen people, reach this limit (packages/core/reveals/rules.ts). */
function TooManyCodes({ nextRevealAt, isVerified, now }: { nextRevealAt: Date; isVerified: boolean; now: Date }) {
  return (
    <div className="deal-message" role="alert">
      <p>
        <b>You have revealed a lot of codes in a short time.</b> You can reveal more from {soonAt(nextRevealAt, now)}.
        The codes that you have revealed stay on the pages of their offers.
      </p>
      {!isVerified && (
        <p>
          Verified members can reveal more: <a href="/verification">verify your membership</a>.
        </p>
      )}
    </div>
  );
}
