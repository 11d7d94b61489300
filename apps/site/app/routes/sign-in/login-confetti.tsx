import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { useEffect } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import { celebrationCookie } from "./celebration.ts";

/** Confetti once after a login where the brand likes it (seed sections 2 and 8). It is loaded then and not before, and does nobody harm who can't have it. */
export function LoginConfetti() {
  useEffect(() => {
    if (!document.cookie.includes(`${celebrationCookie}=1`)) return;
    document.cookie = `${celebrationCookie}=; Max-Age=0; Path=/`;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    loadModule(lazyChunks.confetti, () => import("./throw-confetti.ts")).then(
      ({ throwConfetti }) => throwConfetti(),
      () => {}, // the loader has logged it, and nobody misses anything
    );
  }, []);
  return null;
}
