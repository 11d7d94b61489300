import { FarthingWidgetElement, MOUNT } from "./farthing-widget-element.ts";
import { holdHeight, mountGiftCards } from "./gift-cards.ts";

const NAME = "farthing-gift-cards";
/** Marks the classes of all copies of the package on a page. */
const OURS = Symbol.for(NAME);

/**
 * The custom element `<farthing-gift-cards token environment path redirect …>` (G1): the attributes, properties and events of `<farthing-widget>`,
 * without auto-height, because its height always follows its content. It is 600 px high from the start.
 */
export class FarthingGiftCardsElement extends FarthingWidgetElement {
  static override get observedAttributes(): string[] {
    return super.observedAttributes.filter((name) => name !== "auto-height");
  }

  get [OURS](): true {
    return true;
  }

  override connectedCallback(): void {
    holdHeight(this);
    super.connectedCallback();
  }
}
FarthingGiftCardsElement.prototype[MOUNT] = mountGiftCards;

/**
 * Registers the element, once per page; does nothing on a server. A failure is logged as an error, because nothing else would show it: the element
 * then stays an empty box. Returns whether the element is registered.
 */
export function defineFarthingGiftCards(): boolean {
  const registry = globalThis.customElements;
  if (!registry) return false;
  try {
    const known = registry.get(NAME);
    if (!known) registry.define(NAME, FarthingGiftCardsElement);
    else if (!(OURS in known.prototype)) throw new Error("the page has another element of this name");
    return true;
  } catch (error) {
    console.error(`farthing-gift-cards: the element was not registered: ${(error as Error).message}`);
    return false;
  }
}
