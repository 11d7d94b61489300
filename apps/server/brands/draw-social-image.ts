import { type DrawnBrand, path, placed, rounded, svg, wordmark } from "./draw-logo.ts";
import { outliner, type Outliner } from "./outlined-text.ts";
import { themeIdentity, type ThemeIdentity } from "./theme-identity.ts";

export const socialSize = { width: 1200, height: 630 };
const { width: W, height: H } = socialSize;
const left = 76;
const room = 620;
/** How much of the foot of the image is the page below the hero. */
const foot = 46;

/** What is shown where somebody shares a link to the brand: its hero, with wordmark and strapline in its own faces. */
export async function drawSocialImage(brand: DrawnBrand): Promise<string> {
  const theme = themeIdentity(brand.theme);
  const { hero, onHero, ground } = brand.colours;
  const title = await drawTitle(brand, theme, onHero);
  const words = await outliner(theme.words);
  const { lines, size } = wrapped(brand.strapline, words, { largest: 46, smallest: 22, lines: 4 });
  const step = size * 1.28;
  const top = (H - foot - (title.height + 44 + lines.length * step)) / 2;
  const strapline = lines
    .map((line, index) => path(line, onHero, left, top + title.height + 44 + size * 0.8 + index * step, size))
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
      (H - foot - artHeight) / 2,
      artWidth,
      artHeight,
    )}<g transform="translate(${left} ${rounded(top)})">${title.drawn}</g>${strapline}${ending(theme, hero, ground)}`,
  );
}

/** The wordmark in one line; a name too long for that in several, below the symbol. */
async function drawTitle(
  brand: DrawnBrand,
  theme: ThemeIdentity,
  letters: string,
): Promise<{ drawn: string; height: number }> {
  const colours = { symbol: theme.symbol.social, letters };
  const height = 92;
  const mark = await wordmark(brand, theme, height, colours);
  const fit = Math.min(1, room / mark.width);
  if (fit > 0.6) return { drawn: `<g transform="scale(${rounded(fit)})">${mark.drawn}</g>`, height: height * fit };
  const { symbol } = theme.drawings;
  const face = await outliner(theme.wordmark);
  const { lines, size } = wrapped(brand.name, face, { largest: 68, smallest: 36, lines: 3 });
  const step = size * 1.08;
  const names = lines.map((line, index) => path(line, letters, 0, 72 + 28 + size * 0.8 + index * step, size)).join("");
  const drawn = placed(symbol, 0, 0, (72 * symbol.box.width) / symbol.box.height, 72, colours.symbol) + names;
  return { drawn, height: 72 + 28 + lines.length * step };
}

/** A text in few lines, as large as that allows. */
function wrapped(
  text: string,
  face: Outliner,
  most: { largest: number; smallest: number; lines: number },
): { lines: string[]; size: number } {
  const words = text.split(/\s+/).filter(Boolean);
  const widthOf = (line: string, size: number) => face.outline(line).width * size;
  let size = most.largest;
  let lines = broken(words, (line) => widthOf(line, size) <= room);
  while (size > most.smallest && (lines.length > most.lines || lines.some((line) => widthOf(line, size) > room))) {
    size -= 4;
    lines = broken(words, (line) => widthOf(line, size) <= room);
  }
  // As even as the same number of lines allows: no word alone on the last.
  for (let width = room - 20; width > room / 2; width -= 20) {
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

/** The page's ground below, and the shape in which the theme's hero ends above it. */
function ending(theme: ThemeIdentity, hero: string, ground: string): string {
  const below = `<path fill="${ground}" d="M0 ${H - foot}h${W}v${foot}H0z"/>`;
  const drawing = theme.drawings.foot;
  if (!drawing || !theme.foot) return below;
  const { width, height } = drawing.box;
  if (theme.foot.stretch)
    return `${below}<g transform="translate(0 ${H - foot - 1}) scale(${W / width} ${(foot * 0.8) / height})" fill="${hero}">${drawing.inside}</g>`;
  const { scale } = theme.foot;
  const tile = placed(drawing, 0, 0, width * scale, height * scale, hero);
  return `<defs><pattern id="foot" width="${width * scale}" height="${height * scale}" patternUnits="userSpaceOnUse" patternTransform="translate(0 ${H - foot - 1})">${tile}</pattern></defs>${below}<path fill="url(#foot)" d="M0 ${H - foot - 1}h${W}v${height * scale}H0z"/>`;
}
