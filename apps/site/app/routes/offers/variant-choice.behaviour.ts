import { enableCopyButtons } from "@farthing/ui/buttons/copy-button.behaviour.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";

/**
 * Shows the action and the steps of the variant that is chosen (O2). The page has them for each variant; those of the
 * others are in templates, so that no id is there twice.
 */
export const variantChoice: Behaviour = {
  selector: ".deal-variant select",
  start(select) {
    const page = select.closest(".offer");
    if (!(select instanceof HTMLSelectElement) || !page) return;
    const showAction = partOf(page, ".deal-action");
    const showSteps = partOf(page, ".offer-how");

    const choose = () => {
      const action = showAction(select.value);
      if (action) enableCopyButtons(action);
      showSteps(select.value);
    };
    select.addEventListener("change", choose);
    // Browsers may restore a choice that was made before the script ran.
    choose();
  },
};

/** Returns what puts a variant's part into the place of the shown one. It returns the part, or null where nothing changes. */
function partOf(page: Element, selector: string): (variant: string) => HTMLElement | null {
  let shown = page.querySelector<HTMLElement>(selector);
  const parts = new Map(shown ? [[shown.dataset["variant"], shown]] : []);
  for (const { content } of page.querySelectorAll("template")) {
    const part = content.querySelector<HTMLElement>(selector);
    if (part) parts.set(part.dataset["variant"], part);
  }
  return (variant) => {
    const chosen = parts.get(variant);
    if (!chosen || !shown || chosen === shown) return null;
    shown.replaceWith(chosen);
    shown = chosen;
    return chosen;
  };
}
