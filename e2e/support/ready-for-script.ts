import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Waits until the page's script has taken `control` over: before that a click does what it does without script. */
export async function readyForScript(control: Locator): Promise<void> {
  await expect(async () => {
    const isOurs = await control.evaluate((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    );
    expect(isOurs, "taken over by the page's script").toBe(true);
  }).toPass();
}
