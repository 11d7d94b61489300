import { type FocusEvent, type PointerEvent, type RefObject, useEffect, useState } from "react";
import { isPlaying, isStopped, type AutoplayState, type Zone } from "./carousel-rules.ts";

/**
 * Calls `next` every `everyMs`, counted from the last change of `shown`. The pause button, pointer, focus, a hidden
 * page, being off the screen and reduced motion pause it (D8). Spread `zoneProps` on the carousel's element.
 */
export function useAutoplay(
  root: RefObject<HTMLElement | null>,
  { everyMs, shown, canMove, next }: { everyMs: number; shown: unknown; canMove: boolean; next: () => void },
) {
  const [choice, setChoice] = useState<AutoplayState["choice"]>(null);
  const [pointer, setPointer] = useState<Zone>(null);
  const [focus, setFocus] = useState<Zone>(null);
  const prefersReducedMotion = usePrefersReducedMotion();
  const isPageHidden = usePageHidden();
  const isOnScreen = useOnScreen(root);
  const stopped = isStopped({ choice, prefersReducedMotion });
  const playing = canMove && isPlaying({ choice, prefersReducedMotion, pointer, focus, isPageHidden, isOnScreen });

  useEffect(() => {
    if (!playing) return;
    const timer = window.setTimeout(next, everyMs);
    return () => window.clearTimeout(timer);
  }, [playing, everyMs, shown, next]);

  return {
    isStopped: stopped,
    isOnScreen,
    toggle: () => setChoice(stopped ? "playing" : "paused"),
    zoneProps: {
      // Touch has no hover: after a tap, browsers report the pointer as if it were still there.
      onPointerOver: (event: PointerEvent) => setPointer(event.pointerType === "touch" ? null : zoneOf(event.target)),
      onPointerLeave: () => setPointer(null),
      onFocus: (event: FocusEvent) => setFocus(zoneOf(event.target)),
      onBlur: (event: FocusEvent) => setFocus(root.current?.contains(event.relatedTarget) ? "rest" : null),
    },
  };
}

function zoneOf(target: EventTarget): Zone {
  return target instanceof Element && target.closest("[data-autoplay-button]") ? "button" : "rest";
}

function usePrefersReducedMotion(): boolean {
  const [isSo, setSo] = useState(false);
  useEffect(() => {
    const query = window.matchMedia("(prefers-reduced-motion: reduce)");
    const read = () => setSo(query.matches);
    read();
    query.addEventListener("change", read);
    return () => query.removeEventListener("change", read);
  }, []);
  return isSo;
}

function usePageHidden(): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const read = () => setHidden(document.hidden);
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, []);
  return isHidden;
}

function useOnScreen(root: RefObject<HTMLElement | null>): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!root.current) return;
    const observer = new IntersectionObserver((entries) => setOn(entries.at(-1)?.isIntersecting ?? false), {
      threshold: 0.2,
    });
    observer.observe(root.current);
    return () => observer.disconnect();
  }, [root]);
  return isOn;
}
