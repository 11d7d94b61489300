import type { Verification } from "@farthing/core/verification-requests/rules.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";

const words: Record<Exclude<Verification, "verified">, { title: string; text: string; step: string }> = {
  unverified: {
    title: "Your card is one step away",
    text: "Show us that you belong here, and this page becomes your card: name, number, and a code that any till can check.",
    step: "Prove your membership",
  },
  submitted: {
    title: "We are looking at your proof",
    text: "A person looks at it, usually within two working days, and we write to you at once. Then your card is here.",
    step: "See what you sent",
  },
  rejected: {
    title: "We could not accept your proof",
    text: "Your card comes with your next proof. The page of proofs says what was wrong and what would pass.",
    step: "See why, and try again",
  },
  lapsed: {
    title: "Your card has run out",
    text: "Send new proof and it comes back, with the same number. What you have earned stays yours.",
    step: "Renew your membership",
  },
};

/** Stands in place of the card, with the next step. */
export function NoCardYet({ verification }: { verification: Exclude<Verification, "verified"> }) {
  const { title, text, step } = words[verification];
  return (
    <EmptyState title={title}>
      <p>{text}</p>
      <p className="button-row">
        <a className="button" href="/verification">
          {step}
        </a>
      </p>
    </EmptyState>
  );
}
