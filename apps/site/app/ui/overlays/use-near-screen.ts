import { type RefObject, useEffect, useState } from "react";

/** Returns true once the element is on the screen and the browser is idle: the moment to load its script. */
export function useNearScreen(root: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let cancel = () => {};
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        cancel = whenIdle(() => setNear(true));
      },
      { rootMargin: "0px" },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancel();
    };
  }, [root]);
  return isNear;
}

/**
 * Calls `act` when the browser is idle. Safari has no requestIdleCallback yet. Returns the function that cancels it.
 */
function whenIdle(act: () => void): () => void {
  if (typeof window.requestIdleCallback === "function") {
    const handle = window.requestIdleCallback(act, { timeout: 2_000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = window.setTimeout(act, 200);
  return () => window.clearTimeout(timer);
}
