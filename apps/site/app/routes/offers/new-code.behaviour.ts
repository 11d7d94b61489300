import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Moves the focus to a code that has just been revealed. The page is a new one, and not everybody sees the code. */
export const newCode: Behaviour = {
  selector: ":is(.revealed, .gift-card-code)[data-is-new]",
  start(panel) {
    panel.focus({ preventScroll: true });
    panel.scrollIntoView({ block: "nearest" });
  },
};
