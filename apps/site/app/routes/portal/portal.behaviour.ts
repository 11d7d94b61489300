import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";

/** A page of the gift-card portal in its frame (G2). Its script loads there only. */
export const portalPage: Behaviour = {
  selector: "html[data-portal-host]",
  start(root) {
    return loadModule(lazyChunks.portal, () => import("./start-portal.ts")).then(
      ({ startPortal }) => startPortal(root),
      () => {}, // the loader has logged the error
    );
  },
};
