import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Taller text is collapsed, in pixels (D4). collapsible-text.css has the same number. */
const COLLAPSED_HEIGHT = 43;

/** Read more and Read less of a text, where it is taller than 43 px (D4). */
export const collapsibleTexts: Behaviour = {
  selector: ".collapsible-text",
  start(text) {
    const body = text.querySelector(".collapsible-text-body");
    const button = text.querySelector<HTMLElement>("[aria-expanded]");
    if (!body || !button) return;
    let isOpen = false;
    const show = () => {
      const isTall = body.scrollHeight > COLLAPSED_HEIGHT;
      text.toggleAttribute("data-open", isOpen || !isTall);
      button.hidden = !isTall;
      button.ariaExpanded = String(isOpen);
      button.textContent = isOpen ? "Read less" : "Read more";
    };
    button.addEventListener("click", () => {
      isOpen = !isOpen;
      show();
    });
    new ResizeObserver(show).observe(body);
  },
};
