import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { useEffect } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";

/** Keeps what is typed into a form in this tab until it has arrived (half-filled.ts). */
export function useHalfFilled(formId: string, name: string): void {
  useEffect(() => {
    let isOver = false;
    let stop = () => {};
    loadModule(lazyChunks.halfFilled, () => import("./half-filled.ts")).then(
      ({ keepHalfFilled }) => {
        const form = document.getElementById(formId);
        if (!isOver && form instanceof HTMLFormElement) stop = keepHalfFilled(form, name);
      },
      () => {}, // the loader has logged it; nothing is kept
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [formId, name]);
}
