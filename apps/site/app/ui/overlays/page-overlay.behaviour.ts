import type { Behaviour } from "../../behaviours/behaviour.ts";
import { closeLayer } from "../layout/page-state.ts";

export const pageOverlay: Behaviour = {
  selector: ".site-overlay",
  start: (overlay) => overlay.addEventListener("click", () => closeLayer("overlay")),
};
