import { type AutoplayState, isPlaying, isStopped, type Zone } from "./carousel-rules.ts";

export interface Autoplay {
  /** Begins the time of a view. Autoplay rests where the carousel cannot move. */
  restart(canMove: boolean): void;
}

/**
 * Calls `next` every `everyMs`, counted from the last `restart`. The pause button, pointer, focus, a hidden page, being
 * off the screen and reduced motion pause it (D8).
 */
export function startAutoplay(root: HTMLElement, { everyMs, next }: { everyMs: number; next: () => void }): Autoplay {
  const button = root.querySelector<HTMLElement>("[data-autoplay-button]");
  const motion = window.matchMedia("(prefers-reduced-motion: reduce)");
  const state: AutoplayState = {
    choice: null,
    prefersReducedMotion: motion.matches,
    pointer: window.matchMedia("(hover: hover)").matches && root.matches(":hover") ? "rest" : null,
    focus: root.contains(document.activeElement) ? zoneOf(document.activeElement) : null,
    isPageHidden: document.hidden,
    isOnScreen: false,
  };
  let canMove = false;
  let timer: number | null = null;

  const schedule = () => {
    if (timer !== null) window.clearTimeout(timer);
    timer = canMove && isPlaying(state) ? window.setTimeout(next, everyMs) : null;
  };
  const update = (change: Partial<AutoplayState>) => {
    Object.assign(state, change);
    if (button) button.ariaLabel = isStopped(state) ? "Play" : "Pause";
    if ((timer !== null) !== (canMove && isPlaying(state))) schedule();
  };
  update({});

  button?.addEventListener("click", () => update({ choice: isStopped(state) ? "playing" : "paused" }));
  // Touch has no hover: after a tap, browsers report the pointer as if it were still there.
  root.addEventListener("pointerover", ({ pointerType, target }) =>
    update({ pointer: pointerType === "touch" ? null : zoneOf(target) }),
  );
  root.addEventListener("pointerleave", () => update({ pointer: null }));
  root.addEventListener("focusin", ({ target }) => update({ focus: zoneOf(target) }));
  root.addEventListener("focusout", ({ relatedTarget }) =>
    update({ focus: relatedTarget instanceof Node && root.contains(relatedTarget) ? "rest" : null }),
  );
  motion.addEventListener("change", () => update({ prefersReducedMotion: motion.matches }));
  document.addEventListener("visibilitychange", () => update({ isPageHidden: document.hidden }));
  new IntersectionObserver((entries) => update({ isOnScreen: entries.at(-1)?.isIntersecting ?? false }), {
    threshold: 0.2,
  }).observe(root);

  return {
    restart(canMoveNow) {
      canMove = canMoveNow;
      schedule();
    },
  };
}

function zoneOf(target: EventTarget | null): Zone {
  return target instanceof Element && target.closest("[data-autoplay-button]") ? "button" : "rest";
}
