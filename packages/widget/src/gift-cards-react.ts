import type { ReactElement } from "react";
import { type GiftCardsProperties, mountGiftCards } from "./gift-cards.ts";
import { MIN_HEIGHT_PX } from "./portal-height.ts";
import { type BoxProperties, useWidget } from "./use-widget.ts";

export { defineEnvironments } from "./environments.ts";
export type { GiftCardsProperties } from "./gift-cards.ts";
export type * from "./types.ts";

/** The portal's properties, and those of the box around the iframe. */
export type FarthingGiftCardsProperties = GiftCardsProperties & BoxProperties;

/** React never writes these again, because they never change: from then on the height is the portal's. */
const HEIGHT = { height: MIN_HEIGHT_PX, minHeight: MIN_HEIGHT_PX };

/**
 * The gift-card portal as a React component (G1). The server renders an empty box of 600 px, so that nothing jumps; the token is never in its HTML.
 * A `height` in `style` has no effect. A wrong property throws in an effect, so error boundaries catch it.
 */
export function FarthingGiftCards({ style, ...properties }: FarthingGiftCardsProperties): ReactElement {
  return useWidget(mountGiftCards, { ...properties, style: { ...style, ...HEIGHT } });
}
