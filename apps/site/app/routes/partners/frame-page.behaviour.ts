import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";

/** A page that walks in a partner's frame (W9). Its script loads there only. */
export const framePage: Behaviour = {
  selector: "html[data-frame-host]",
  start(root) {
    return loadModule(lazyChunks.framePage, () => import("./start-frame-page.ts")).then(
      ({ startFramePage }) => startFramePage(root),
      () => {}, // the loader has logged the error
    );
  },
};
