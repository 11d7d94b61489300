import type { SwapOutcome } from "@farthing/core/code-swaps/operations.server.ts";
import {
  SWAP_DAYS,
  type SwapReason,
  swapReasonLabels,
  swapReasons,
  swapReasonWords,
} from "@farthing/core/code-swaps/rules.ts";
import type { VoidCode } from "@farthing/core/code-swaps/queries.server.ts";
import { dayAndMonth, pastDay, soonAt } from "../../ui/text/british-dates.ts";
import type { MemberReveal } from "./reveal-for.server.ts";

/** Why a code was not swapped, with what was chosen. */
export interface RefusedSwap {
  code: string;
  reason: SwapReason | null;
  why: Exclude<SwapOutcome, { outcome: "swapped" }> | { outcome: "no-reason" };
}

/** Where the page shows the form, for the address after a refusal. */
export const SWAP_FORM = "swap-code";

interface SwapCodeProps {
  code: string;
  variant: string | null;
  /** The page of the code's own variant. */
  path: string;
  reveal: MemberReveal;
  swaps: NonNullable<MemberReveal["swaps"]>;
  refused: RefusedSwap | null;
  now: Date;
}

/**
 * Swaps a member's own code for another (O4). The limit is said before the form; why it was refused is said above it, and what
 * was chosen stays. The form works without script.
 */
export function SwapCode({ code, variant, path, reveal, swaps, refused, now }: SwapCodeProps) {
  const { nextSwapAt, contact } = swaps;
  const ask = <a href={`mailto:${contact}`}>{contact}</a>;
  const hasOther = swaps.swappable.some((one) => one.code === code && one.variant === variant);
  const mayAsk = nextSwapAt === null && reveal.nextRevealAt === null && hasOther;
  return (
    <details className="swap-code" id={SWAP_FORM} open={refused !== null}>
      <summary>This code is no use to me</summary>
      {refused && (
        <p className="deal-message" role="alert">
          {refusalInWords(refused, now)}
        </p>
      )}
      {mayAsk && (
        <>
          <p>
            Was the order cancelled, or did the shop refuse it? Swap it for another code. This one is void then, for
            good.
          </p>
          <p>
            You can swap one code of this offer in {SWAP_DAYS} days. If you need more, write to {ask}.
          </p>
          <form method="post" action={`${path}#${SWAP_FORM}`}>
            <input type="hidden" name="code" value={code} />
            <label htmlFor="swap-reason">What happened?</label>
            <select id="swap-reason" name="swap" className="select" required defaultValue={refused?.reason ?? ""}>
              <option value="">Choose</option>
              {swapReasons.map((reason) => (
                <option key={reason} value={reason}>
                  {swapReasonLabels[reason]}
                </option>
              ))}
            </select>
            <button type="submit" className="button is-quiet is-wide">
              Swap the code
            </button>
          </form>
        </>
      )}
      {!mayAsk && !refused && (
        <p>
          {nextSwapAt
            ? `You can swap one code of this offer in ${SWAP_DAYS} days: again from ${dayAndMonth(nextSwapAt, now)}.`
            : !hasOther
              ? "There is no other code to swap it for now, so it stays yours. Look again later."
              : `You have revealed a lot of codes in a short time. You can swap this one ${reveal.nextRevealAt ? soonAt(reveal.nextRevealAt, now) : "later"}.`}{" "}
          If you can’t wait, write to {ask}.
        </p>
      )}
    </details>
  );
}

function refusalInWords({ why }: RefusedSwap, now: Date): string {
  switch (why.outcome) {
    case "no-reason":
      return "Choose what happened, then press Swap the code.";
    case "pool-empty":
      return "There is no other code now, so nothing was swapped: your code is still yours. Try again later.";
    case "too-soon":
      return `You have swapped a code of this offer already. You can swap another from ${dayAndMonth(why.until, now)}.`;
    case "too-many":
      return `You have revealed a lot of codes in a short time. You can swap this one from ${soonAt(why.until, now)}.`;
    case "not-theirs":
    case "not-live":
      return "This code can’t be swapped. Nothing was changed.";
  }
}

/** The member's codes that are void: what they were, and since when. */
export function VoidCodes({ codes, now }: { codes: readonly VoidCode[]; now: Date }) {
  if (codes.length === 0) return null;
  return (
    <ul className="void-codes" role="list" aria-label="Your void codes">
      {codes.map(({ code, reason, swappedAt }) => (
        <li key={code}>
          <s translate="no">{code}</s> is void: swapped {pastDay(swappedAt, now)}, because {swapReasonWords[reason]}
        </li>
      ))}
    </ul>
  );
}
