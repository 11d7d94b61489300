import { expect, type Locator, type Page } from "@playwright/test";

/** Scrolls a quarter of the page down, then gives each link, field and button of `part` the focus, and expects the page to stay where it is (U1). */
export async function staysWithFocusIn(page: Page, part: Locator): Promise<void> {
  const from = await page.evaluate(() => {
    scrollTo({ top: document.documentElement.scrollHeight / 4, behavior: "instant" });
    return scrollY;
  });
  expect(from, "the page can scroll").toBeGreaterThan(0);
  const stops = part.locator("a, button, input, summary").filter({ visible: true });
  expect(await stops.count()).toBeGreaterThan(0);
  for (const stop of await stops.all()) {
    await stop.evaluate((element: HTMLElement) => element.focus());
    expect(await page.evaluate(() => scrollY), `with the focus on ${await stop.innerText()}`).toBe(from);
  }
}
