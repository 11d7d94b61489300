import type { Behaviour } from "../../behaviours/behaviour.ts";

/** What stays in view of the page before the current one. */
const BEFORE_PX = 56;

/**
 * Scrolls to the current page in the account's navigation, which is wider than a phone's screen, and marks the ends where pages are cut off:
 * they fade.
 */
export const profileNavigation: Behaviour = {
  selector: ".profile-nav",
  start(navigation) {
    const here = navigation.querySelector<HTMLElement>("[aria-current]");
    if (here) navigation.scrollLeft = here.offsetLeft - BEFORE_PX;
    const mark = () => {
      const { scrollLeft, clientWidth, scrollWidth } = navigation;
      navigation.toggleAttribute("data-cut-start", scrollLeft > 1);
      navigation.toggleAttribute("data-cut-end", scrollLeft + clientWidth < scrollWidth - 1);
    };
    mark();
    navigation.addEventListener("scroll", mark, { passive: true });
    addEventListener("resize", mark);
  },
};
