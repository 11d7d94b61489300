import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Waits until the page's script has taken over `control`: before that, a click works as without script. */
export async function readyForScript(control: Locator): Promise<void> {
  await expect(async () => {
    const isOurs = await control.evaluate((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    );
    expect(isOurs, "taken over by the page's script").toBe(true);
  }).toPass();
}
