import { phoneOf } from "@farthing/core/brands/store-links.ts";
import { openDialog } from "@farthing/ui/dialogs/open-dialog.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Opens the dialog of an offer for the app on a computer (O5). A phone follows the link to its store. */
export const appDialog: Behaviour = {
  selector: "a[data-opens-dialog]",
  start(link) {
    const dialog = document.getElementById(link.dataset["opensDialog"] ?? "");
    if (!(dialog instanceof HTMLDialogElement) || phoneOf(navigator.userAgent)) return;
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      const close = openDialog(dialog, { onClose: () => close() });
    });
  },
};
