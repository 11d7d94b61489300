import type { Page } from "@playwright/test";

/** Waits until every carousel of the page has its script, which is loaded when the carousel is seen. */
export async function carouselsAreReady(page: Page): Promise<void> {
  for (const carousel of await page.locator(".carousel").all()) await carousel.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => !document.querySelector(".carousel:not([data-ready])"));
}
