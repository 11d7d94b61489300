import { startBulk } from "./bulk.ts";
import { startColours } from "./colours.ts";
import { startForms } from "./forms.ts";
import { startPalette } from "./palette.ts";
import { startShortcuts } from "./shortcuts.ts";

/** Starts what script adds to pages that work without it. One that fails does not stop the others. */
export function startScript(): void {
  document.documentElement.dataset["script"] = "started";
  for (const start of [startPalette, startShortcuts, startBulk, startColours, startForms]) {
    try {
      start();
    } catch (error) {
      reportError(error);
    }
  }
}
