import type { Page } from "@playwright/test";

/** Texts that say nothing about where a link leads: those of Lighthouse's link-text audit. */
const VAGUE_TEXTS = [
  "click here",
  "click this",
  "go",
  "here",
  "information",
  "learn more",
  "more",
  "more info",
  "more information",
  "read more",
  "right here",
  "see more",
  "start",
  "this",
];

/** Returns a line for each link of the page whose text says nothing about where it leads. */
export async function vagueLinks(page: Page): Promise<string[]> {
  const links = await page
    .locator("a[href]")
    .evaluateAll((anchors) =>
      (anchors as HTMLAnchorElement[]).map(({ textContent, pathname }) => ({ text: textContent.trim(), pathname })),
    );
  return links
    .filter(({ text }) => VAGUE_TEXTS.includes(text.toLowerCase()))
    .map(({ text, pathname }) => `the link to ${pathname} says only "${text}"`);
}
