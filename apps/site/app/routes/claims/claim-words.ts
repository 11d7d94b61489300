import type { ClaimItem } from "@farthing/core/claims/queries.server.ts";
import type { ClaimState } from "@farthing/core/claims/rules.ts";

export const claimStates: Record<ClaimState, { label: string; tone: string }> = {
  waiting: { label: "Waiting", tone: "" },
  incomplete: { label: "Needs you", tone: "is-warn" },
  open: { label: "To be sent", tone: "" },
  filed: { label: "With the shop", tone: "is-warn" },
  accepted: { label: "Accepted", tone: "is-good" },
  credited: { label: "Done", tone: "is-good" },
  declined: { label: "Declined", tone: "is-bad" },
  goodwill: { label: "Settled by us", tone: "is-good" },
  withdrawn: { label: "Taken back", tone: "" },
  expired: { label: "Run out", tone: "is-bad" },
};

/** Each step of the timeline. */
export const claimSteps: Record<ClaimState, string> = {
  waiting: "You told us. We wait to see whether it shows by itself",
  incomplete: "We asked you for something more",
  open: "We took it up",
  filed: "Sent to the shop",
  accepted: "The shop agreed",
  credited: "The purchase counts and is in your account",
  declined: "The shop declined it",
  goodwill: "We credited you ourselves",
  withdrawn: "You took it back",
  expired: "It ran out: what was missing did not arrive",
};

const kinds: Record<ClaimItem["kind"], string> = {
  untracked: "Missing purchase",
  incorrect: "Wrong amount",
  declined: "Declined purchase",
};

export const claimTitle = ({ kind, retailer }: Pick<ClaimItem, "kind" | "retailer">) =>
  `${kinds[kind]} at ${retailer.name}`;

/** Returns the noon of a day in London, which is that day in every season. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);
