import { rejectionReasons } from "@farthing/core/verification-requests/reasons.ts";
import type { StandingView } from "@farthing/core/verification-requests/verification-view.ts";
import { longDate } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";

/** Returns what the member has to do about proof of membership; null where there is nothing to do. */
export function bannerOf({ verification, verifiedUntil, maySubmit, isSubmitted, refusedFor }: StandingView) {
  if (verification === "verified")
    return maySubmit && !isSubmitted && verifiedUntil ? { state: "renewal" as const, until: verifiedUntil } : null;
  if (verification === "rejected")
    return { state: "rejected" as const, says: refusedFor ? rejectionReasons[refusedFor].says : null };
  return { state: verification };
}

export type Banner = NonNullable<ReturnType<typeof bannerOf>>;

/** Shown at the top of a member's account: the next step for proof of membership. */
export function VerificationBanner({ banner }: { banner: Banner }) {
  switch (banner.state) {
    case "unverified":
      return (
        <Notice tone="warn" title="Show that you belong">
          <p>You can look around and earn. Your digital ID comes with the proof.</p>
          <Way label="Send proof of membership" />
        </Notice>
      );
    case "submitted":
      return (
        <Notice tone="info" title="We are looking at your proof">
          <p>Usually within two working days. We write to you as soon as somebody has decided.</p>
          <Way label="See how it stands" />
        </Notice>
      );
    case "rejected":
      return (
        <Notice tone="bad" title="We could not accept your proof">
          <p>{banner.says ?? "Look there what was missing."} What you have earned stays yours.</p>
          <Way label="Send another" />
        </Notice>
      );
    case "lapsed":
      return (
        <Notice tone="warn" title="Your membership has run out">
          <p>What you have earned stays yours. Send new proof, and it goes on.</p>
          <Way label="Send new proof" />
        </Notice>
      );
    case "renewal":
      return (
        <Notice tone="warn" title="Time to renew">
          <p>Your card is good until {longDate(banner.until)}, and stays good while we look at your new proof.</p>
          <Way label="Renew my membership" />
        </Notice>
      );
  }
}

function Way({ label }: { label: string }) {
  return (
    <p>
      <a href="/verification">{label}</a>
    </p>
  );
}
