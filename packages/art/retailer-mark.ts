import { contrast, mix } from "./colours.ts";
import { random, type Random } from "./random.ts";
import { initialsOf, letterforms, type Letterform } from "./letterforms.ts";
import { motifsOf } from "./motifs.ts";
import { markPalettes, type MarkPalette } from "./palettes.ts";
import { escapeXml } from "./escape-xml.ts";

/**
 * Returns a retailer's mark as SVG: 64 × 64 units, less than 2 kB, always the same for the same slug. It is a tile in three colours with a motif from the name
 * or its initials.
 */
export function retailerMark({ slug, name }: { slug: string; name: string }): string {
  const chance = random(`mark/${slug}`);
  const palette = chance.pick(markPalettes);
  const motifs = motifsOf(slug);
  const figure =
    motifs.length > 0 && chance.percent(48)
      ? drawMotif(chance.pick(motifs), palette, chance)
      : drawLetters(initialsOf(name), palette, chance);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>${escapeXml(name)}</title>${figure}</svg>`;
}

type Motif = ReturnType<typeof motifsOf>[number];

function drawMotif(motif: Motif, palette: MarkPalette, chance: Random): string {
  const tile = chance.pick(["square", "circle", "arch", "leaf", "square", "circle", "squircle"] as const);
  const scale = tile === "circle" ? 0.84 : 0.92;
  const shift = round(32 - 32 * scale);
  return `${tileOf(tile, palette.ground)}<g transform="matrix(${scale} 0 0 ${scale} ${shift} ${tile === "arch" ? round(shift + 2) : shift})">${motif(palette, chance)}</g>`;
}

type Tile = "square" | "circle" | "arch" | "leaf" | "shield" | "hexagon" | "squircle" | "scallop";

function tileOf(tile: Tile, fill: string): string {
  if (tile === "circle") return `<circle cx="32" cy="32" r="32" fill="${fill}"/>`;
  return `<path d="${tilePaths[tile]}" fill="${fill}"/>`;
}

const tilePaths: Record<Exclude<Tile, "circle">, string> = {
  square: "M8 0H56A8 8 0 0 1 64 8V56A8 8 0 0 1 56 64H8A8 8 0 0 1 0 56V8A8 8 0 0 1 8 0Z",
  squircle: "M32 0C58 0 64 6 64 32S58 64 32 64S0 58 0 32S6 0 32 0Z",
  arch: "M0 32A32 32 0 0 1 64 32V58A6 6 0 0 1 58 64H6A6 6 0 0 1 0 58Z",
  leaf: "M0 28A28 28 0 0 1 28 0H60A4 4 0 0 1 64 4V36A28 28 0 0 1 36 64H4A4 4 0 0 1 0 60Z",
  shield: "M4 0H60A4 4 0 0 1 64 4V30C64 48 50 59 32 64C14 59 0 48 0 30V4A4 4 0 0 1 4 0Z",
  hexagon:
    "M28 1.100A8 8 0 0 1 36 1.100L58 13.800A8 8 0 0 1 62 20.700V43.300A8 8 0 0 1 58 50.200L36 62.900A8 8 0 0 1 28 62.900L6 50.200A8 8 0 0 1 2 43.300V20.700A8 8 0 0 1 6 13.800Z",
  scallop: scallop(12),
};

/** Returns a badge with so many round teeth. */
function scallop(teeth: number): string {
  const point = (index: number) => {
    const angle = (Math.PI * 2 * index) / teeth - Math.PI / 2;
    return `${round(32 + 27.5 * Math.cos(angle))} ${round(32 + 27.5 * Math.sin(angle))}`;
  };
  const radius = round(27.5 * Math.sin(Math.PI / teeth));
  const arcs = Array.from({ length: teeth }, (_, index) => `A${radius} ${radius} 0 0 1 ${point(index + 1)}`);
  return `M${point(0)}${arcs.join("")}Z`;
}

type Composition = (initials: readonly string[], palette: MarkPalette, chance: Random) => string;

function drawLetters(initials: readonly string[], palette: MarkPalette, chance: Random): string {
  const pool = initials.length > 1 ? [...oneLetter, ...twoLetters] : oneLetter;
  return chance.pick(pool)(initials, palette, chance);
}

interface Setting {
  x: number;
  y: number;
  /** Height of a capital, in units of the mark. */
  height: number;
  weight: number;
  round: boolean;
}

function setLetter(initial: string, colour: string, { x, y, height, weight, round: isRound }: Setting): string {
  const form = letterforms[initial] as Letterform;
  const scale = round(height / 40);
  const ends = isRound
    ? ' stroke-linecap="round" stroke-linejoin="round"'
    : ' stroke-linejoin="miter" stroke-miterlimit="8"';
  return `<path d="${form.path}" fill="none" stroke="${colour}" stroke-width="${round(weight / scale)}"${ends} transform="matrix(${scale} 0 0 ${scale} ${round(x)} ${round(y - height / 2)})"/>`;
}

/** Returns the height at which a letter fits a width, at most `max`. */
function fitted(initial: string, width: number, max: number): number {
  return Math.min(max, (width / (2 * (letterforms[initial] as Letterform).halfWidth)) * 40);
}

const solid: Composition = ([first = "O"], palette, chance) => {
  const tile = chance.pick(["square", "circle", "arch", "leaf", "shield", "hexagon", "squircle", "scallop"] as const);
  const y = tile === "shield" ? 30 : tile === "arch" ? 35 : 32;
  const setting = {
    x: 32,
    y,
    height: fitted(first, 34, 30),
    weight: chance.pick([5, 6.5, 8]),
    round: chance.percent(40),
  };
  return tileOf(tile, palette.ground) + setLetter(first, palette.figure, setting);
};

/** Draws a letter with a line of the ground colour in the middle of its stroke. */
const inline: Composition = ([first = "O"], palette, chance) => {
  const tile = chance.pick(["square", "circle", "shield", "squircle", "arch"] as const);
  const setting = {
    x: 32,
    y: tile === "shield" ? 29 : tile === "arch" ? 35 : 32,
    height: fitted(first, 32, 30),
    weight: 9,
    round: false,
  };
  return (
    tileOf(tile, palette.ground) +
    setLetter(first, palette.figure, setting) +
    setLetter(first, palette.ground, { ...setting, weight: 2.2 })
  );
};

/** Draws a letter over its shadow. */
const shadow: Composition = ([first = "O"], palette, chance) => {
  const tile = chance.pick(["square", "circle", "leaf", "squircle"] as const);
  const setting = { x: 31, y: 31, height: fitted(first, 32, 30), weight: 8, round: chance.percent(50) };
  return (
    tileOf(tile, palette.ground) +
    setLetter(first, palette.accent, { ...setting, x: 34.5, y: 34.5 }) +
    setLetter(first, palette.figure, setting)
  );
};

/** Draws a ring with a dot on it. */
const ring: Composition = ([first = "O"], palette, chance) => {
  const angle = chance.between(0, 11) * (Math.PI / 6);
  const dot = `<circle cx="${round(32 + 25 * Math.cos(angle))}" cy="${round(32 + 25 * Math.sin(angle))}" r="5" fill="${palette.accent}" stroke="${palette.ground}" stroke-width="2.5"/>`;
  const setting = { x: 32, y: 32, height: fitted(first, 24, 23), weight: 6, round: chance.percent(50) };
  return `<circle cx="32" cy="32" r="32" fill="${palette.ground}"/><circle cx="32" cy="32" r="25" fill="none" stroke="${palette.figure}" stroke-width="2.5"/>${dot}${setLetter(first, palette.figure, setting)}`;
};

/** Draws a tile of two colours, with the letter across both in the third. */
const split: Composition = ([first = "O"], palette, chance) => {
  const cut = chance.pick([
    "M0 0H64L0 64Z",
    "M0 32H64V64H0Z",
    "M0 0H22V64H0Z",
    "M0 64A64 64 0 0 1 64 0V64Z",
    "M0 0H32V32H0ZM32 32H64V64H32Z",
  ]);
  const clip = `c${hashId(first, chance)}`;
  const setting = { x: 32, y: 32, height: fitted(first, 34, 32), weight: 8, round: chance.percent(40) };
  return `<clipPath id="${clip}"><path d="${tilePaths[chance.pick(["square", "squircle", "leaf"] as const)]}"/></clipPath><g clip-path="url(#${clip})"><path d="M0 0H64V64H0Z" fill="${palette.ground}"/><path d="${cut}" fill="${mix(palette.ground, palette.figure, 0.16)}"/></g>${setLetter(first, palette.figure, setting)}`;
};

/** Draws a letter above a short rule in the third colour. */
const underlined: Composition = ([first = "O"], palette, chance) => {
  const tile = chance.pick(["square", "arch", "squircle"] as const);
  const wide = chance.pick([10, 16, 22]);
  return `${tileOf(tile, palette.ground)}${setLetter(first, palette.figure, { x: 32, y: 29, height: fitted(first, 32, 26), weight: 6.5, round: false })}<path d="M${32 - wide / 2} 52h${wide}" stroke="${palette.accent}" stroke-width="4" fill="none"/>`;
};

/** Draws two initials side by side. */
const pair: Composition = ([first = "O", second = "O"], palette, chance) => {
  const tile = chance.pick(["square", "circle", "squircle", "hexagon", "leaf"] as const);
  const room = tile === "circle" || tile === "hexagon" ? 40 : 46;
  const weight = 5.2;
  const widthOf = (initial: string) => 2 * (letterforms[initial] as Letterform).halfWidth;
  const gap = 11;
  const height = Math.min(22, ((room - gap) / (widthOf(first) + widthOf(second))) * 40);
  const scale = height / 40;
  const whole = (widthOf(first) + widthOf(second)) * scale + gap;
  const x1 = 32 - whole / 2 + (widthOf(first) * scale) / 2;
  const x2 = 32 + whole / 2 - (widthOf(second) * scale) / 2;
  const setting = { y: 32, height, weight, round: chance.percent(50) };
  return (
    tileOf(tile, palette.ground) +
    setLetter(first, palette.figure, { ...setting, x: x1 }) +
    setLetter(second, contrast(palette.accent, palette.ground) >= 3 ? palette.accent : palette.figure, {
      ...setting,
      x: x2,
    })
  );
};

/** Draws two leaning tiles with an initial in each. */
const stepped: Composition = ([first = "O", second = "O"], palette, chance) => {
  const shape = chance.percent(50) ? 19 : 6;
  const tile = (x: number, y: number, fill: string) =>
    `<rect x="${x}" y="${y}" width="38" height="38" rx="${shape}" fill="${fill}"/>`;
  const up = chance.percent(50);
  const [y1, y2] = up ? [26, 0] : [0, 26];
  const small = { height: 17, weight: 4.6, round: chance.percent(50) };
  const front =
    tile(26, y2, palette.ground) +
    setLetter(second, palette.figure, { ...small, x: 45, y: y2 + 19, height: fitted(second, 18, 17) });
  const back =
    tile(0, y1, palette.accent) +
    setLetter(first, inkOn(palette.accent, palette), { ...small, x: 17, y: y1 + 19, height: fitted(first, 16, 17) });
  return back + front;
};

const oneLetter: readonly Composition[] = [solid, solid, inline, shadow, ring, split, underlined];
const twoLetters: readonly Composition[] = [pair, stepped, pair];

/** Returns ground or figure, whichever has more contrast with the colour. */
function inkOn(colour: string, palette: MarkPalette): string {
  return contrast(palette.ground, colour) >= contrast(palette.figure, colour) ? palette.ground : palette.figure;
}

function hashId(text: string, chance: Random): string {
  return `${text}${chance.between(1000, 9999)}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
