import { expect, test } from "vitest";
import { allCategories } from "@farthing/demo-catalogue/categories/all-categories.ts";
import { demoCatalogue } from "@farthing/demo-catalogue/demo-catalogue.ts";
import { categoryArt } from "./category-art.ts";
import { giftCardArt } from "./gift-card-art.ts";
import { letterforms } from "./letterforms.ts";
import { markPalettes } from "./palettes.ts";
import { contrast } from "./colours.ts";
import { retailerMark } from "./retailer-mark.ts";
import { scenePalettes } from "./scene-palettes.ts";

const retailers = [
  ...demoCatalogue({ seed: "farthing", now: new Date("2026-11-20"), retailers: 240, offers: 1100 }),
].map((entry) => entry.editorial);
const marks = retailers.map(({ slug, name }) => retailerMark({ slug, name }));
const scenes = [...allCategories.map((category) => category.slug), "office-supplies", "pets"].map((slug) =>
  categoryArt({ slug }),
);

/** Every tag is closed in order: what a parser of XML asks for, without one. */
function isWellFormed(svg: string): boolean {
  const open: string[] = [];
  for (const [, closing, name, selfClosing] of svg.matchAll(/<(\/?)([a-zA-Z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (closing) {
      if (open.pop() !== name) return false;
    } else if (!selfClosing) open.push(name as string);
  }
  return open.length === 0 && !/&(?!amp;|lt;|gt;|quot;|#39;)/.test(svg);
}

test("U2 every retailer's mark is a small, well-formed SVG titled with its name, without scripts or external resources", () => {
  for (const svg of [...marks, ...scenes]) {
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"[^>]*><title>[^<]+<\/title>/,
    );
    expect(Buffer.byteLength(svg)).toBeLessThan(2048);
    expect(isWellFormed(svg)).toBe(true);
    expect(svg).not.toMatch(/<script|<foreignObject|<image|<style|\son\w+=|href|NaN|undefined|url\((?!#)/);
  }
});

test("U2 240 retailers have distinct marks, and a mark is the same every time", () => {
  expect(new Set(marks.map((svg) => svg.replace(/<title>.*<\/title>/, "").replace(/c[A-Z]\d{4}/g, ""))).size).toBe(240);
  expect(retailers.map(({ slug, name }) => retailerMark({ slug, name }))).toEqual(marks);
});

test("U2 G2 gift cards have distinct, small, well-formed art with the retailer's name", () => {
  const cards = retailers.map(({ slug, name }) => giftCardArt({ slug, name }));
  for (const svg of cards) {
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 320 200"[^>]*><title>[^<]+<\/title>/,
    );
    expect(Buffer.byteLength(svg)).toBeLessThan(3072);
    expect(isWellFormed(svg)).toBe(true);
    expect(svg).not.toMatch(/NaN|undefined|href|<script/);
  }
  expect(new Set(cards).size).toBe(cards.length);
});

test("U2 categories have distinct art", () => {
  expect(new Set(scenes.map((svg) => svg.replace(/<title>.*<\/title>/, ""))).size).toBe(scenes.length);
});

test("U1 the contrast with the ground is at least 4.5 to 1 for every mark's figure and 3 to 1 for every scene's dark colour", () => {
  for (const { ground, figure } of markPalettes)
    expect(contrast(ground, figure), `${figure} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  for (const [name, { ground, ink, light }] of Object.entries(scenePalettes))
    expect(Math.max(contrast(ground, ink), contrast(ground, light)), name).toBeGreaterThanOrEqual(3);
});

test("S1 markup in a name is escaped", () => {
  const svg = retailerMark({ slug: "x", name: `<script>alert("1")</script> & 'Sons'\u0000` });
  expect(svg).toContain("<title>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;</title>");
  expect(isWellFormed(categoryArt({ slug: "<b>-&" }))).toBe(true);
});

test("U2 every initial has a letterform, and a name without initials has a mark", () => {
  expect(Object.keys(letterforms).join("")).toBe("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  for (const name of ["日本", "123", "", "É", "the of"])
    expect(retailerMark({ slug: `s-${name}`, name })).toContain("<svg");
});
