import { random } from "./random.ts";
import { categoryScenes } from "./category-scenes.ts";
import { escapeXml } from "./escape-xml.ts";
import { scenePalettes, type ScenePalette } from "./scene-palettes.ts";

/**
 * Returns a category's picture as SVG: 320 × 200 units, less than 2 kB. The twenty categories of the demo catalogue have scenes of their own; any other gets an
 * abstract picture derived from its slug. It decorates the category's name, so its title is the slug in words.
 * @param palette a brand's colours; by default each category has its own
 */
export function categoryArt({ slug, palette }: { slug: string; palette?: ScenePalette }): string {
  const scene = categoryScenes[slug];
  const colours =
    palette ??
    scenePalettes[scene?.palette ?? random(`scene/${slug}`).pick(Object.keys(scenePalettes))] ??
    Object.values(scenePalettes)[0]!;
  const drawing = scene === undefined ? abstractScene(slug, colours) : scene.draw(colours);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img" preserveAspectRatio="xMidYMid slice"><title>${escapeXml(slug.replaceAll("-", " "))}</title><path d="M0 0H320V200H0Z" fill="${colours.ground}"/>${drawing}</svg>`;
}

/** Returns a patchwork of quarter circles. */
function abstractScene(slug: string, { shade, ink, accent, light }: ScenePalette): string {
  const chance = random(`scene/${slug}`);
  const side = 80;
  const tiles: string[] = [];
  for (let x = 0; x < 320; x += side) {
    for (let y = -20; y < 200; y += side) {
      if (chance.percent(22)) continue;
      const [cx, cy] = chance.pick([
        [x, y],
        [x + side, y],
        [x, y + side],
        [x + side, y + side],
      ] as const);
      const [ox, oy] = [cx === x ? side : -side, cy === y ? side : -side];
      const sweep = ox * oy > 0 ? 1 : 0;
      tiles.push(
        `<path d="M${cx} ${cy}h${ox}A${side} ${side} 0 0 ${sweep} ${cx} ${cy + oy}Z" fill="${chance.pick([shade, shade, ink, accent, light])}"/>`,
      );
    }
  }
  return tiles.join("");
}
