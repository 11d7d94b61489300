/** What the tag manager reads: `{ event, ...fields }`. */
export interface DataLayerPush {
  event: string;
  [field: string]: string | number;
}

declare global {
  interface Window {
    dataLayer?: DataLayerPush[];
  }
}

/** The names that are pushed on a click (T4). Every other tracked element is pushed when the page is opened. */
export const CLICK_EVENTS: ReadonlySet<string> = new Set([
  "offer_listing_clicks",
  "terms_and_conditions",
  "merchant_information",
  "register_for_offer",
  "join",
  "search",
  "from_website",
  "cashback_url_click",
  "extra_offer_button_click",
  "migration__agree_to_migrate",
]);

const TRACKED = "[data-tracking]";
const LISTED = '[data-tracking="offer_listing_clicks"]';
/** What an offer's position counts in. */
const LIST = "ul, ol, [data-tracked-list], main";

export function push(entry: DataLayerPush): void {
  (window.dataLayer ??= []).push(entry);
}

/** Pushes the tracked elements of the page that are not for clicks, in their order. */
export function pushLoaded(root: ParentNode): void {
  for (const element of root.querySelectorAll<HTMLElement>(TRACKED))
    if (!CLICK_EVENTS.has(nameOf(element))) push(entryOf(element));
}

/** Pushes the tracked element that a click is on, if it is for clicks. */
export function pushClicked(target: Element): void {
  const element = target.closest<HTMLElement>(TRACKED);
  if (element && CLICK_EVENTS.has(nameOf(element))) push(entryOf(element));
}

const nameOf = ({ dataset }: HTMLElement) => dataset["tracking"] ?? "";

/** Returns the push of an element: `data-tracking` is the event's name, and `data-tracking-offer-id` its field `offerId`. */
export function entryOf(element: HTMLElement): DataLayerPush {
  const entry: DataLayerPush = { event: nameOf(element) };
  for (const [key, value] of Object.entries(element.dataset)) {
    const field = /^tracking(.+)$/.exec(key)?.[1];
    if (field && value !== undefined) entry[field.charAt(0).toLowerCase() + field.slice(1)] = value;
  }
  if (element.matches(LISTED)) {
    const list = element.closest(LIST)?.querySelectorAll(LISTED) ?? [];
    entry["position"] = [...list].indexOf(element) + 1;
  }
  return entry;
}
