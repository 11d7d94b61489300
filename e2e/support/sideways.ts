import type { Page } from "@playwright/test";

/**
 * Returns a line that says how wide the page is where it is wider than the window, so that it scrolls sideways;
 * else nothing.
 */
export async function sideways(page: Page): Promise<string[]> {
  const { scrolled, width, room } = await page.evaluate(() => {
    window.scrollTo(1000, 0);
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrolled: window.scrollX, width: scrollWidth, room: clientWidth };
  });
  return scrolled > 0 || width > room ? [`${width} px wide in a window of ${room}`] : [];
}
