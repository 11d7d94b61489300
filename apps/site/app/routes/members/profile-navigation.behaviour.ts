import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Scrolls to the current page in the account's navigation, which is wider than a phone's screen. */
export const profileNavigation: Behaviour = {
  selector: ".profile-nav",
  start(navigation) {
    const here = navigation.querySelector<HTMLElement>("[aria-current]");
    if (here) navigation.scrollLeft = here.offsetLeft - 16;
  },
};
