/** The numbers of a carousel (D8). carousel.css alone has the number of slides at each width. */

export type CarouselKind = "offers" | "logos" | "other";

/** How long autoplay shows a view before it moves on. */
export const autoplayMs: Readonly<Record<CarouselKind, number>> = { offers: 7_000, logos: 2_500, other: 3_500 };

/** The shortest swipe, in pixels. */
const SWIPE_THRESHOLD = 40;

/** Returns the place to go to after a swipe: the next, the previous or the same one. */
export function placeAfterSwipe({
  place,
  places,
  across,
  along,
  isRound,
}: {
  place: number;
  places: number;
  /** How far the finger moved to the right, and down, in pixels. */
  across: number;
  along: number;
  /** Whether the first place follows the last. */
  isRound: boolean;
}): number {
  if (Math.abs(across) < SWIPE_THRESHOLD || Math.abs(along) > Math.abs(across)) return place;
  const wanted = across < 0 ? place + 1 : place - 1;
  return isRound ? (wanted + places) % places : Math.min(Math.max(wanted, 0), places - 1);
}

/** Returns the indexes of the slides in view, of which `first` is the leftmost. */
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

/** More dots than this are hard to aim at: a line such as "5 to 8 of 12" takes their place. */
const MAX_DOTS = 8;

export function hasDots(places: number): boolean {
  return places > 1 && places <= MAX_DOTS;
}

/** Returns what a screen reader announces after the person moved the carousel: "3 of 8" or "5 to 8 of 12". */
export function describeView(inView: ReadonlySet<number>, slides: number): string {
  const [first = 0] = inView;
  const last = [...inView].at(-1) ?? first;
  if (inView.size === slides) return `All ${slides}`;
  return inView.size === 1 ? `${first + 1} of ${slides}` : `${first + 1} to ${last + 1} of ${slides}`;
}

export interface AutoplayState {
  /** The person's choice with the pause button; null before there is one. */
  choice: "playing" | "paused" | null;
  prefersReducedMotion: boolean;
  /** Where the pointer and the focus are: outside (null), on the pause button, or on the rest of the carousel. */
  pointer: Zone;
  focus: Zone;
  isPageHidden: boolean;
  isOnScreen: boolean;
}

export type Zone = "button" | "rest" | null;

/** Returns whether autoplay is stopped until the person starts it. The pause button shows this. */
export function isStopped({
  choice,
  prefersReducedMotion,
}: Pick<AutoplayState, "choice" | "prefersReducedMotion">): boolean {
  return choice === "paused" || (prefersReducedMotion && choice !== "playing");
}

/**
 * Returns whether autoplay runs. After Play is pressed, pointer and focus are still on the button: these do not
 * pause it.
 */
export function isPlaying(state: AutoplayState): boolean {
  const holds = (zone: Zone) => zone === "rest" || (zone === "button" && state.choice !== "playing");
  return !isStopped(state) && !holds(state.pointer) && !holds(state.focus) && !state.isPageHidden && state.isOnScreen;
}
