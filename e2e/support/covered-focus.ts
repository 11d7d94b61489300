import type { Page } from "@playwright/test";

/** Presses `key` again and again, and returns what then has the focus under something else, so that nobody sees it (U1, WCAG 2.4.11). */
export async function coveredFocus(page: Page, { key, presses }: { key: string; presses: number }): Promise<string[]> {
  const covered: string[] = [];
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press(key);
    const name = await page.evaluate(() => {
      const { activeElement: focused } = document;
      const box = focused?.getClientRects()[0];
      if (!focused || focused === document.body || !box) return null;
      const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      const isSeen = seen !== null && (focused.contains(seen) || seen.contains(focused));
      return isSeen ? null : `${focused.outerHTML.slice(0, 120)} at ${Math.round(box.y)} under ${seen?.className}`;
    });
    if (name !== null) covered.push(name);
  }
  return covered;
}
