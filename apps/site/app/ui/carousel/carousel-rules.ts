/** What a carousel does, in numbers (product.md D8, seed section 9). How many slides are seen at which width is said once, in carousel.css. */

export type CarouselKind = "offers" | "logos" | "other";

/** How long a view stays before the next one comes. */
export const autoplayMs: Readonly<Record<CarouselKind, number>> = { offers: 7_000, logos: 2_500, other: 3_500 };

/** A finger that went less far sideways meant something else. */
const swipeThreshold = 40;

/** The place to go to after a swipe: one further, one back, or where it was. Places are counted round. */
export function placeAfterSwipe({
  place,
  places,
  across,
  along,
  isRound,
}: {
  place: number;
  places: number;
  /** How far the finger went to the right, and down, in pixels. */
  across: number;
  along: number;
  /** Whether the first place follows the last. */
  isRound: boolean;
}): number {
  if (Math.abs(across) < swipeThreshold || Math.abs(along) > Math.abs(across)) return place;
  const wanted = across < 0 ? place + 1 : place - 1;
  return isRound ? (wanted + places) % places : Math.min(Math.max(wanted, 0), places - 1);
}

/** The slides in view, by number from nought, when `first` is the leftmost of them. */
export function slidesInView({
  first,
  inView,
  slides,
}: {
  first: number;
  inView: number;
  slides: number;
}): Set<number> {
  if (inView >= slides) return new Set(Array.from({ length: slides }, (_, index) => index));
  return new Set(Array.from({ length: inView }, (_, index) => (first + index) % slides));
}

/** More dots than this are a row to count, not to choose from: a line of words stands in for them. */
const mostDots = 8;

export function hasDots(places: number): boolean {
  return places > 1 && places <= mostDots;
}

/** "3 of 8", or "5 to 8 of 12": what a screen reader hears after somebody moved the carousel. */
export function describeView(inView: ReadonlySet<number>, slides: number): string {
  const [first = 0] = inView;
  const last = [...inView].at(-1) ?? first;
  if (inView.size === slides) return `All ${slides}`;
  return inView.size === 1 ? `${first + 1} of ${slides}` : `${first + 1} to ${last + 1} of ${slides}`;
}

export interface AutoplayState {
  /** What the person asked for with the pause button, if anything. */
  choice: "playing" | "paused" | null;
  prefersStillness: boolean;
  /** Where the pointer and the focus are: nowhere in it, on the pause button, or on the rest of it. */
  pointer: Zone;
  focus: Zone;
  isPageHidden: boolean;
  isOnScreen: boolean;
}

export type Zone = "button" | "rest" | null;

/** Whether the carousel is stopped until somebody starts it: what the button says. */
export function isStopped({ choice, prefersStillness }: Pick<AutoplayState, "choice" | "prefersStillness">): boolean {
  return choice === "paused" || (prefersStillness && choice !== "playing");
}

/** Whether the next view comes by itself. Somebody who has just pressed Play is on the button: that alone holds nothing up. */
export function isPlaying(state: AutoplayState): boolean {
  const holds = (zone: Zone) => zone === "rest" || (zone === "button" && state.choice !== "playing");
  return !isStopped(state) && !holds(state.pointer) && !holds(state.focus) && !state.isPageHidden && state.isOnScreen;
}
