/** Calls `act` once the element is on the screen and the browser is idle: the moment to load its script. */
export function whenSeen(element: Element, act: () => void): void {
  new IntersectionObserver((entries, observer) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    // Safari has no requestIdleCallback yet.
    if (typeof window.requestIdleCallback === "function") window.requestIdleCallback(act, { timeout: 2_000 });
    else setTimeout(act, 200);
  }).observe(element);
}
