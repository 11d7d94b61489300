import { expect, type Locator } from "@playwright/test";

/**
 * Clicks an element of a frame from another site. The browser decides which frame gets the pointer by what it painted last: a frame that has
 * just appeared, or that a modal has just uncovered, may not be there yet, and the click would go to the page around it. Waits until the
 * pointer reaches the element.
 */
export async function clickInFrame(target: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await target.hover();
      return target.evaluate((element) => element.matches(":hover"));
    }, "the pointer reaches the frame")
    .toBe(true);
  await target.click();
}
