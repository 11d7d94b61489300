import type { Page } from "@playwright/test";

/**
 * Waits for FilePond on a page with a file field. It loads after the page and fades its text in by script; during that
 * its contrast is too low.
 */
export async function fileFieldsAreDrawn(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".filepond--drop-label")].every((label) =>
      ["0", "1"].includes(getComputedStyle(label).opacity),
    ),
  );
}
