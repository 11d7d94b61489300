import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Shows the button that opens the device's own way to share, where there is one. */
export const shareLink: Behaviour = {
  selector: "button[data-shares]",
  start(button) {
    const { shares: url = "", title = "" } = button.dataset;
    if (!("share" in navigator)) return;
    button.hidden = false;
    // A person who changes their mind is no error.
    button.addEventListener("click", () => void navigator.share({ title, url }).catch(() => undefined));
  },
};
