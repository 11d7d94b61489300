import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/**
 * Waits until the page's script has taken over `control`: React inside an island, the behaviours elsewhere. Before that,
 * a click works as without script.
 */
export async function readyForScript(control: Locator): Promise<void> {
  await expect(async () => {
    const isOurs = await control.evaluate((element) =>
      element.closest("site-island") === null
        ? document.documentElement.dataset["script"] === "started"
        : Object.keys(element).some((key) => key.startsWith("__reactProps")),
    );
    expect(isOurs, "taken over by the page's script").toBe(true);
  }).toPass();
}
