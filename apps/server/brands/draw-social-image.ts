import { type DrawnBrand, identityOf, path, placed, rounded, svg, wordmark } from "./draw-logo.ts";
import { outliner, type Outliner } from "./outlined-text.ts";
import type { ThemeIdentity } from "./theme-identity.ts";

export const socialSize = { width: 1200, height: 630 };
const { width: W, height: H } = socialSize;
const LEFT = 76;
/** The width for text. */
const MAX_WIDTH = 620;
/** The height of the page's ground below the hero. */
const FOOT = 46;

/** Draws the image of shared links: the brand's hero, with wordmark and strapline in its own faces. */
export async function drawSocialImage(brand: DrawnBrand): Promise<string> {
  const theme = identityOf(brand);
  const { hero, onHero, ground } = brand.colours;
  const title = await drawTitle(brand, theme, onHero);
  const words = await outliner(theme.words);
  const { lines, size } = wrapped(brand.strapline, words, { largest: 46, smallest: 22, lines: 4 });
  const step = size * 1.28;
  const top = (H - FOOT - (title.height + 44 + lines.length * step)) / 2;
  const strapline = lines
    .map((line, index) => path(line, onHero, LEFT, top + title.height + 44 + size * 0.8 + index * step, size))
    .join("");
  const { box } = theme.drawings.hero;
  const artWidth = Math.min(440, (420 * box.width) / box.height);
  const artHeight = (artWidth * box.height) / box.width;
  return svg(
    W,
    H,
    `${brand.name}: ${brand.strapline}`,
    `<path fill="${hero}" d="M0 0h${W}v${H}H0z"/>${texture(theme)}${placed(
      theme.drawings.hero,
      W - artWidth - 56,
      (H - FOOT - artHeight) / 2,
      artWidth,
      artHeight,
    )}<g transform="translate(${LEFT} ${rounded(top)})">${title.drawn}</g>${strapline}${ending(theme, hero, ground)}`,
  );
}

/** Draws the wordmark in one line, or a long name in several lines below the symbol. */
async function drawTitle(
  brand: DrawnBrand,
  theme: ThemeIdentity,
  letters: string,
): Promise<{ drawn: string; height: number }> {
  const colours = { symbol: theme.symbol.social, letters };
  const height = 92;
  const mark = await wordmark(brand, theme, height, colours);
  const fit = Math.min(1, MAX_WIDTH / mark.width);
  if (fit > 0.6) return { drawn: `<g transform="scale(${rounded(fit)})">${mark.drawn}</g>`, height: height * fit };
  const { symbol } = theme.drawings;
  const face = await outliner(theme.wordmark);
  const { lines, size } = wrapped(brand.name, face, { largest: 68, smallest: 36, lines: 3 });
  const step = size * 1.08;
  const names = lines.map((line, index) => path(line, letters, 0, 72 + 28 + size * 0.8 + index * step, size)).join("");
  const drawn = placed(symbol, 0, 0, (72 * symbol.box.width) / symbol.box.height, 72, colours.symbol) + names;
  return { drawn, height: 72 + 28 + lines.length * step };
}

/** Breaks a text into at most `max.lines` lines, as large as possible. */
function wrapped(
  text: string,
  face: Outliner,
  max: { largest: number; smallest: number; lines: number },
): { lines: string[]; size: number } {
  const words = text.split(/\s+/).filter(Boolean);
  const widthOf = (line: string, size: number) => face.outline(line).width * size;
  let size = max.largest;
  let lines = broken(words, (line) => widthOf(line, size) <= MAX_WIDTH);
  while (size > max.smallest && (lines.length > max.lines || lines.some((line) => widthOf(line, size) > MAX_WIDTH))) {
    size -= 4;
    lines = broken(words, (line) => widthOf(line, size) <= MAX_WIDTH);
  }
  // Evens the lines out, so that no word is alone on the last one.
  for (let width = MAX_WIDTH - 20; width > MAX_WIDTH / 2; width -= 20) {
    const evener = broken(words, (line) => widthOf(line, size) <= width);
    if (evener.length > lines.length || evener.some((line) => widthOf(line, size) > width)) break;
    lines = evener;
  }
  return { lines: lines.slice(0, 6).map((line) => face.outline(line).path), size };
}

function broken(words: string[], fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function texture(theme: ThemeIdentity): string {
  const drawing = theme.drawings.texture;
  if (!drawing) return "";
  const { width, height } = drawing.box;
  return `<defs><pattern id="texture" width="${width}" height="${height}" patternUnits="userSpaceOnUse">${placed(drawing, 0, 0, width, height)}</pattern></defs><path fill="url(#texture)" d="M0 0h${W}v${H}H0z"/>`;
}

/** Draws the page's ground, and the shape in which the theme's hero ends above it. */
function ending(theme: ThemeIdentity, hero: string, ground: string): string {
  const below = `<path fill="${ground}" d="M0 ${H - FOOT}h${W}v${FOOT}H0z"/>`;
  const drawing = theme.drawings.foot;
  if (!drawing || !theme.foot) return below;
  const { width, height } = drawing.box;
  if (theme.foot.stretch)
    return `${below}<g transform="translate(0 ${H - FOOT - 1}) scale(${W / width} ${(FOOT * 0.8) / height})" fill="${hero}">${drawing.inside}</g>`;
  const { scale } = theme.foot;
  const tile = placed(drawing, 0, 0, width * scale, height * scale, hero);
  return `<defs><pattern id="foot" width="${width * scale}" height="${height * scale}" patternUnits="userSpaceOnUse" patternTransform="translate(0 ${H - FOOT - 1})">${tile}</pattern></defs>${below}<path fill="url(#foot)" d="M0 ${H - FOOT - 1}h${W}v${height * scale}H0z"/>`;
}
