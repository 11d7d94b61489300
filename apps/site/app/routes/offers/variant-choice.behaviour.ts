import { enableCopyButtons } from "@farthing/ui/buttons/copy-button.behaviour.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";

/**
 * Shows the action of the variant that is chosen (O2). The page has one for each variant; those of the others are in
 * templates, so that no id is there twice.
 */
export const variantChoice: Behaviour = {
  selector: ".deal-variant select",
  start(select) {
    const panel = select.closest(".deal-panel");
    let shown = panel?.querySelector<HTMLElement>(".deal-action");
    if (!(select instanceof HTMLSelectElement) || !panel || !shown) return;
    const actions = new Map([[shown.dataset["variant"], shown]]);
    for (const { content } of panel.querySelectorAll("template")) {
      const action = content.querySelector<HTMLElement>(".deal-action");
      if (action) actions.set(action.dataset["variant"], action);
    }

    const choose = () => {
      const chosen = actions.get(select.value);
      if (!chosen || !shown || chosen === shown) return;
      shown.replaceWith(chosen);
      shown = chosen;
      enableCopyButtons(chosen);
    };
    select.addEventListener("change", choose);
    // Browsers may restore a choice that was made before the script ran.
    choose();
  },
};
