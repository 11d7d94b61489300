import type { Brand } from "@farthing/core/brands/brand.ts";
import { escapeXml } from "@farthing/art/escape-xml.ts";
import { outliner } from "./outlined-text.ts";
import type { Drawing, ThemeIdentity } from "./theme-identity.ts";
import { themeIdentity } from "./theme-identity.ts";

export type DrawnBrand = Pick<Brand, "slug" | "name" | "strapline" | "theme" | "colours" | "colourFile">;

/** Returns an svg element with a text alternative. */
export function svg(
  width: number,
  height: number,
  title: string,
  inside: string,
  box = `0 0 ${width} ${height}`,
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}" role="img"><title>${escapeXml(title)}</title>${inside}</svg>`;
}

/** Returns a drawing fitted into a box of another one. `colour` replaces black, as in a mask. */
export function placed(drawing: Drawing, x: number, y: number, width: number, height: number, colour?: string): string {
  const { box, attributes } = drawing;
  const inside = colour === undefined ? drawing.inside : drawing.inside.replaceAll(/#000\b/g, colour);
  const fill = colour === undefined ? "" : ` fill="${colour}"`;
  return `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${box.x} ${box.y} ${box.width} ${box.height}" ${attributes}${/(?<![\w-])fill=/.test(attributes) ? "" : fill}>${inside}</svg>`;
}

export function path(d: string, colour: string, x: number, y: number, size: number): string {
  return `<path fill="${colour}" transform="translate(${rounded(x)} ${rounded(y)}) scale(${rounded(size)})" d="${d}"/>`;
}

/** Draws the logo: the theme's symbol and the brand's name. */
export async function drawLogo(brand: DrawnBrand): Promise<string> {
  const theme = identityOf(brand);
  const mark = await wordmark(brand, theme, 64, { symbol: theme.symbol.light, letters: brand.colours.ink });
  const width = Math.ceil(mark.width);
  return svg(width, 80, brand.name, mark.drawn, `0 -8 ${width} 80`);
}

/** Returns the theme's identity in the brand's colours, if it has its own. */
export function identityOf({ theme: name, colours, colourFile }: DrawnBrand): ThemeIdentity {
  const theme = themeIdentity(name);
  if (colourFile === null) return theme;
  const { hero, onHero, action } = colours;
  return { ...theme, tile: hero, letter: onHero, mark: onHero, symbol: { light: action, social: onHero } };
}

/** Returns symbol and name in one line, `height` high, starting at 0. */
export async function wordmark(
  { name }: { name: string },
  theme: ThemeIdentity,
  height: number,
  colours: { symbol: string; letters: string },
): Promise<{ drawn: string; width: number }> {
  const { symbol } = theme.drawings;
  const letters = await outliner(theme.wordmark);
  const size = height * 0.98;
  const symbolWidth = (height * symbol.box.width) / symbol.box.height;
  const { path: d, width } = letters.outline(name);
  const start = symbolWidth + height * 0.3;
  const baseline = (height + letters.capHeight * size) / 2;
  const drawn =
    placed(symbol, 0, 0, symbolWidth, height, colours.symbol) + path(d, colours.letters, start, baseline, size);
  return { drawn, width: start + width * size };
}

/** Returns the icon's background, from edge to edge: systems cut their own corners. */
export type IconShape = "own" | "square" | "maskable";

/**
 * Draws the brand's icon. The brand with the theme's name has the theme's drawing. Every other brand of the theme has
 * its letter on the theme's tile, so that the tabs of two clubs differ.
 */
export async function drawIcon(brand: DrawnBrand, shape: IconShape = "own", pixels = 64): Promise<string> {
  const theme = identityOf(brand);
  // A drawing has the theme's colours.
  const own = brand.slug === theme.name && brand.colourFile === null ? theme.drawings.icon : null;
  const drawn = own ? placed(own, 0, 0, 64, 64) : await letterTile(brand, theme, shape === "own" ? theme.corner : 0);
  if (shape === "own") return svg(pixels, pixels, brand.name, drawn, "0 0 64 64");
  // Within the circle that every mask keeps (80 %); slightly smaller than the tile on Apple's square.
  const scale = shape === "maskable" ? 0.74 : 0.94;
  const ground = `<path fill="${theme.tile}" d="M0 0h64v64H0z"/>`;
  const at = rounded((64 * (1 - scale)) / 2);
  return svg(
    pixels,
    pixels,
    brand.name,
    `${ground}<g transform="translate(${at} ${at}) scale(${scale})">${drawn}</g>`,
    "0 0 64 64",
  );
}

async function letterTile({ name }: DrawnBrand, theme: ThemeIdentity, corner: number): Promise<string> {
  const face = await outliner(theme.wordmark);
  const { path: d, width } = face.outline([...name.trim()][0]?.toUpperCase() ?? "");
  const size = Math.min(44, 44 / Math.max(width, 0.01));
  const middle = 29 + (face.capHeight * size) / 2;
  return `<rect width="64" height="64" rx="${corner}" fill="${theme.tile}"/>${path(d, theme.letter, 32 - (width * size) / 2, middle, size)}<rect x="18" y="51" width="28" height="4" rx="${Math.min(2, corner)}" fill="${theme.mark}"/>`;
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
