import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { CELEBRATION_COOKIE } from "./celebration.ts";

/**
 * Throws confetti once after a login, where the brand has turned it on. The script is loaded only then, and a failure
 * has no effect (T5).
 */
export const loginConfetti: Behaviour = {
  selector: "html[data-visit=member]",
  start() {
    if (!document.cookie.includes(`${CELEBRATION_COOKIE}=1`)) return;
    document.cookie = `${CELEBRATION_COOKIE}=; Max-Age=0; Path=/`;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    loadModule(lazyChunks.confetti, () => import("./throw-confetti.ts")).then(
      ({ throwConfetti }) => throwConfetti(),
      () => {}, // the loader has logged the error, and nothing is missing
    );
  },
};
