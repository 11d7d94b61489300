import type { Behaviour } from "../../behaviours/behaviour.ts";

/** View more and View less of a grid of logos (D7). */
export const logoGrids: Behaviour = {
  selector: ".logo-grid",
  start(grid) {
    const button = grid.querySelector<HTMLElement>("[aria-expanded]");
    button?.addEventListener("click", () => {
      const isOpen = grid.toggleAttribute("data-open");
      button.ariaExpanded = String(isOpen);
      button.textContent = isOpen ? "View less" : "View more";
      // The rows above the button disappear: keep the button on the screen.
      if (!isOpen) requestAnimationFrame(() => button.scrollIntoView({ block: "nearest" }));
    });
  },
};
