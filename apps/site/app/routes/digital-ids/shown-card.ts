import type { CardFacts } from "@farthing/core/digital-ids/digital-id-view.ts";
import type { ShownCard } from "./kept-card.ts";

/** Returns the card as pages show it and devices store it. */
export function shownCard({ validUntil, memberSince, ...facts }: CardFacts): ShownCard {
  return { ...facts, validUntil: validUntil?.toISOString() ?? null, memberSince: memberSince.toISOString() };
}
