import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { whenSeen } from "../../behaviours/when-seen.ts";
import { lazyChunks } from "../../lazy-chunks.ts";

/** Makes a carousel of each row of slides once it is on the screen. Where the script cannot be loaded, the row scrolls. */
export const carousels: Behaviour = {
  selector: ".carousel",
  start(root) {
    whenSeen(root, () => {
      loadModule(lazyChunks.carousel, () => import("./embla-carousel.ts")).then(
        ({ emblaCarousel }) => emblaCarousel(root),
        () => {}, // loadModule has logged it
      );
    });
  },
};
