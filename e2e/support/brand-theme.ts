import type { Page } from "@playwright/test";

/** What a theme changes in a document: its stylesheet, and the one with its faces for narrow windows. Paths. */
export interface BrandTheme {
  stylesheet: string;
  faces: string;
}

/** Returns the theme of the page's document. Fails if the document has none. */
export async function themeOf(page: Page, name: string): Promise<BrandTheme> {
  const theme = await page.evaluate((theme) => {
    const sheet = document.querySelector<HTMLLinkElement>(`link[rel=stylesheet][href*="/${theme}-"]`);
    return { stylesheet: sheet?.getAttribute("href"), faces: document.documentElement.dataset["faces"] };
  }, name);
  const { stylesheet, faces } = theme;
  if (!stylesheet || !faces) throw new Error(`${page.url()} is not in the theme ${name}`);
  return { stylesheet, faces };
}

/** Shows the page's document, which is in the theme `from`, in the theme `to`. Resolves when its stylesheets and faces apply. */
export async function wearTheme(page: Page, from: BrandTheme, to: BrandTheme): Promise<void> {
  await page.evaluate(
    async ({ from, to }) => {
      const links = [...document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
      const isOf = (theme: BrandTheme) => (link: HTMLLinkElement) =>
        [theme.stylesheet, theme.faces].includes(link.getAttribute("href") ?? "");
      const old = links.filter(isOf(from));
      if (old.length === 0) throw new Error(`${location.pathname} is not in the theme ${from.stylesheet}`);
      // Before the old one, so that it keeps its place among the other stylesheets.
      const added = [to.stylesheet, to.faces].map(
        (href) =>
          new Promise((resolve, reject) => {
            const sheet = document.createElement("link");
            Object.assign(sheet, { rel: "stylesheet", href, onload: resolve, onerror: reject });
            old[0]!.before(sheet);
          }),
      );
      await Promise.all(added);
      for (const link of old) link.remove();
      await document.fonts.ready;
    },
    { from, to },
  );
}
