import { mix } from "./colours.ts";
import { markPalettes } from "./palettes.ts";
import { random } from "./random.ts";
import { retailerMark } from "./retailer-mark.ts";

/**
 * Returns a gift card's picture as SVG: 320 × 200 units, less than 3 kB, always the same for the same slug. It is the
 * retailer's mark on a card in the mark's own colours, under a few large rings or bands.
 */
export function giftCardArt({ slug, name }: { slug: string; name: string }): string {
  // The mark picks its palette first, so that card and mark have the same one.
  const palette = random(`mark/${slug}`).pick(markPalettes);
  const chance = random(`gift-card/${slug}`);
  const ground = mix(palette.ground, palette.figure, 0.12);
  const soft = mix(palette.ground, palette.figure, 0.24);
  const [x, y] = chance.pick([
    [300, 20],
    [20, 190],
    [300, 190],
  ] as const);
  const pattern = chance.percent(50)
    ? [150, 110, 70].map(
        (r, index) =>
          `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${index === 1 ? palette.accent : soft}" stroke-width="${index === 1 ? 5 : 16}"/>`,
      )
    : [0, 1, 2].map(
        (index) =>
          `<path d="M${x - 160 + index * 52} 200L${x - 20 + index * 52} 0" stroke="${index === 1 ? palette.accent : soft}" stroke-width="${index === 1 ? 6 : 22}"/>`,
      );
  const mark = retailerMark({ slug, name }).replace("<svg ", '<svg x="112" y="52" width="96" height="96" ');
  const title = /<title>[^<]*<\/title>/.exec(mark)?.[0] ?? "";
  const inner = mark.replace(title, "").replace(' xmlns="http://www.w3.org/2000/svg"', "").replace(' role="img"', "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img">${title}<path d="M0 0H320V200H0Z" fill="${ground}"/>${pattern.join("")}<circle cx="160" cy="100" r="62" fill="${ground}"/>${inner}</svg>`;
}
