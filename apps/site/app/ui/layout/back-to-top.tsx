import { debounce } from "@farthing/ui/timing/debounce.ts";
import { throttle } from "@farthing/ui/timing/throttle.ts";
import { type MouseEvent, useEffect, useState } from "react";

/**
 * A link to the top, shown once the page has been scrolled by one height of the screen (D6). Without script it stands
 * at the foot of the page.
 */
export function BackToTop() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const update = () => setShown(scrollY > innerHeight);
    const onScroll = throttle(update);
    const onResize = debounce(update);
    update();
    addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onResize);
    return () => {
      removeEventListener("scroll", onScroll);
      removeEventListener("resize", onResize);
      onScroll.cancel();
      onResize.cancel();
    };
  }, []);

  function goUp(event: MouseEvent) {
    event.preventDefault();
    const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scrollTo({ top: 0, behavior: reducesMotion ? "instant" : "smooth" });
    // The next Tab starts at the top, too.
    document.getElementById("site-header")?.focus({ preventScroll: true });
  }

  return (
    <a href="#top" className="back-to-top" data-shown={isShown || undefined} onClick={goUp}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        <path
          d="M8 14V2M3 7l5-5 5 5"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span>Back to top</span>
    </a>
  );
}
