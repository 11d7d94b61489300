import { debounce } from "@farthing/ui/timing/debounce.ts";
import { throttle } from "@farthing/ui/timing/throttle.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Shows the link once the page has been scrolled by one height of the screen, and scrolls smoothly (D6). */
export const backToTop: Behaviour = { selector: ".back-to-top", start };

function start(link: HTMLElement): void {
  const update = () => link.toggleAttribute("data-shown", scrollY > innerHeight);
  update();
  addEventListener("scroll", throttle(update), { passive: true });
  addEventListener("resize", debounce(update));
  link.addEventListener("click", goUp);
}

function goUp(event: MouseEvent): void {
  event.preventDefault();
  const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  scrollTo({ top: 0, behavior: reducesMotion ? "instant" : "smooth" });
  // The next Tab starts at the top, too.
  document.getElementById("site-header")?.focus({ preventScroll: true });
}
