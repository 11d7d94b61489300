import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";

/** Loads the script of consent where the question is open, where something was agreed to, and on the page of the choice (T6). */
export const consent: Behaviour = {
  selector: "html[data-consent-asks]:not([data-consent='']), html:has(.consent-form)",
  start() {
    loadModule(lazyChunks.consent, () => import("./start-consent.ts")).then(
      ({ startConsent }) => startConsent(),
      () => {}, // the loader has logged it; nothing runs that was not agreed to
    );
  },
};
