import { hash } from "./hash.ts";
import type { Palette } from "./shop-look.ts";

/** Mixes two colours, both as #rrggbb. */
function mix(first: string, second: string, share: number): string {
  const channel = (colour: string, index: number): number =>
    Number.parseInt(colour.slice(1 + index * 2, 3 + index * 2), 16);
  const mixed = [0, 1, 2].map((index) =>
    Math.round(channel(first, index) * share + channel(second, index) * (1 - share)),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the colours of a product's picture: the shop's colours in another order for each product, so that two boots side by side differ. */
export function pictureInks(
  palette: Palette,
  sku: string,
): { inks: { a: string; b: string; c: string }; field: string } {
  const { brand, accent, ink, tint, paper } = palette;
  const dark = mix(brand, ink, 0.5);
  const soft = mix(brand, "#ffffff", 0.55);
  const warm = mix(accent, brand, 0.7);
  const choices = [
    { inks: { a: brand, b: accent, c: ink }, field: tint },
    { inks: { a: warm, b: soft, c: dark }, field: mix(tint, paper, 0.6) },
    { inks: { a: soft, b: accent, c: dark }, field: mix(brand, tint, 0.12) },
    { inks: { a: dark, b: soft, c: ink }, field: mix(accent, paper, 0.16) },
    { inks: { a: accent, b: dark, c: ink }, field: tint },
  ] as const;
  return choices[hash(sku) % choices.length] ?? choices[0];
}
