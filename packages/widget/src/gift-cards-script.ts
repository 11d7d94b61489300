import { defineEnvironments } from "./environments.ts";
import { defineFarthingGiftCards, type FarthingGiftCardsElement } from "./farthing-gift-cards-element.ts";
import { type GiftCardsProperties, mountGiftCards } from "./gift-cards.ts";
import { defineFromScriptTag, type MountByScript, mountByScript, type ScriptProperties } from "./script-tag.ts";
import { version } from "./version.ts";

export type { FarthingEvent } from "./element-types.ts";
export type { GiftCardsProperties, Widget } from "./gift-cards.ts";
export type * from "./types.ts";

export type GiftCardsScriptProperties = GiftCardsProperties & Pick<ScriptProperties, "style" | "className">;
export type FarthingGiftCardsScript = {
  version: string;
  defineEnvironments: typeof defineEnvironments;
  /** Mounts the portal into an element, or into the first match of a selector. */
  mount: MountByScript<GiftCardsScriptProperties>;
};
declare global {
  interface Window {
    FarthingGiftCards?: FarthingGiftCardsScript;
  }
  /** Defined once the script has loaded. */
  var FarthingGiftCards: FarthingGiftCardsScript;
  interface HTMLElementTagNameMap {
    "farthing-gift-cards": FarthingGiftCardsElement;
  }
}

// A second script tag has no effect: the first copy stays in use. On a server there is no document.
if (globalThis.document && !window.FarthingGiftCards?.mount) {
  window.FarthingGiftCards = { version, defineEnvironments, mount: mountByScript(mountGiftCards) };
  defineFromScriptTag();
  defineFarthingGiftCards();
}
