import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";

/** A page that follows a form names it: it has arrived, so what was typed is no longer kept in the tab. */
export const halfFilledForms: Behaviour = {
  selector: "[data-form-arrived]",
  start({ dataset }) {
    loadModule(lazyChunks.halfFilled, () => import("./half-filled.ts")).then(
      ({ forgetHalfFilled }) => {
        for (const name of (dataset["formArrived"] ?? "").split(" ")) forgetHalfFilled(name);
      },
      () => {}, // the loader has logged it
    );
  },
};
