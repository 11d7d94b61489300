import { contrastOf, farthest, laidOn, MARK_CONTRAST, nearestThat, TEXT_CONTRAST } from "./contrast.ts";

/** The areas of a page whose colours a brand can choose over those of its theme (B5). */
export const areas = ["header", "hero", "action", "accent"] as const;
export type Area = (typeof areas)[number];

export const areaWords: Record<Area, { name: string; where: string }> = {
  header: { name: "Header", where: "the bar at the top of every page" },
  hero: { name: "Hero", where: "the home page's first area, deal panels and the balance" },
  action: { name: "Buttons and links", where: "every button; links take the colour nearest to it that can be read" },
  accent: { name: "Accent", where: "the banner, boosts and selected text" },
};

/** Hex colours with `#`, in lower case. */
export interface Pair {
  ground: string;
  text: string;
}

/** A brand's own colours; an area that is left out has its theme's. */
export type OwnColours = Partial<Record<Area, Pair>>;

/** What a theme starts with: its pairs, and the grounds that buttons stand on, in both schemes. */
export interface ThemeStart {
  pairs: Record<Area, Pair>;
  light: readonly string[];
  dark: readonly string[];
}

/** How much a state of the stylesheets lays of the text's colour on the ground: colour-pairs.testing.ts lists them. */
const HOVERED: Record<Area, number> = { header: 0.1, hero: 0.14, action: 0, accent: 0 };

export interface ColourFault {
  area: Area;
  part: keyof Pair;
  /** The contrast in the worst state, with two decimals, rounded down. */
  contrast: number;
  /** What it is compared with, in words. */
  against: string;
  /** The nearest colour that passes; null where no lightness of its hue does. */
  nearest: string | null;
}

/**
 * Returns the first thing that can't be read in a pair, in every state of its area, light and dark; null where all can.
 * @param grounds what buttons stand on in the light scheme. In the dark one their colour is worked out.
 */
export function faultOf(area: Area, { ground, text }: Pair, grounds: readonly string[]): ColourFault | null {
  const isGround = (candidate: string) =>
    area !== "action" || grounds.every((other) => contrastOf(candidate, other) >= TEXT_CONTRAST);
  if (!isGround(ground)) {
    const contrast = Math.min(...grounds.map((other) => contrastOf(ground, other)));
    const against = "the page that the button stands on";
    return { area, part: "ground", contrast: down(contrast), against, nearest: nearestThat(ground, isGround) };
  }
  const worst = worstOf(area, { ground, text });
  if (worst >= TEXT_CONTRAST) return null;
  const contrast = down(worst);
  const isText = (candidate: string) => worstOf(area, { ground, text: candidate }) >= TEXT_CONTRAST;
  const nearest = nearestThat(text, isText);
  if (nearest !== null) return { area, part: "text", contrast, against: "its ground", nearest };
  // Nothing can be read on a ground in the middle: it has to move itself.
  const moves = (candidate: string) =>
    isGround(candidate) && worstOf(area, { ground: candidate, text }) >= TEXT_CONTRAST;
  return { area, part: "ground", contrast, against: "its text", nearest: nearestThat(ground, moves) };
}

/** Returns the contrast of a pair in its worst state. An edge that needs less counts in proportion. */
function worstOf(area: Area, { ground, text }: Pair): number {
  const states = [contrastOf(text, ground), contrastOf(text, laidOn(text, HOVERED[area], ground))];
  const asText = (contrast: number) => (contrast * TEXT_CONTRAST) / MARK_CONTRAST;
  if (area === "hero") states.push(asText(contrastOf(laidOn(text, 0.65, ground), ground)));
  if (area === "accent") states.push(asText(contrastOf(text, laidOn(text, 0.14, ground))));
  return Math.min(...states);
}

const down = (contrast: number) => Math.floor(contrast * 100) / 100;

const twoDecimals = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Returns a fault as a sentence. */
export function tellFault({ contrast, against, part, nearest }: ColourFault): string {
  const what = part === "ground" ? "This colour" : "This text";
  const advice =
    nearest === null ? "Choose one that is much lighter or darker." : `The nearest that passes is ${nearest}.`;
  return `${what} has ${twoDecimals.format(contrast)}:1 against ${against}, hovered included; it needs 4.5:1. ${advice}`;
}

/** Returns the areas in which the colours differ from the theme's. */
export function ownOf(pairs: Record<Area, Pair>, start: ThemeStart): OwnColours {
  const own: OwnColours = {};
  for (const area of areas) {
    const [mine, theirs] = [pairs[area], start.pairs[area]];
    if (mine.ground !== theirs.ground || mine.text !== theirs.text) own[area] = mine;
  }
  return own;
}

/** Returns the tokens (docs/themes.md) that a brand's own colours set, as CSS. */
export function ownColoursCss(own: OwnColours, start: ThemeStart): string {
  const tokens: Record<string, string> = {};
  if (own.header) {
    const { ground, text } = own.header;
    Object.assign(tokens, { "--header": ground, "--on-header": text, "--header-mark": text, "--header-focus": text });
    Object.assign(tokens, { "--header-edge": ground, "--wordmark-colour": text });
  }
  if (own.hero) {
    const { ground, text } = own.hero;
    Object.assign(tokens, { "--hero": ground, "--on-hero": text, "--on-hero-soft": text, "--hero-edge": ground });
    Object.assign(tokens, { "--hero-action": text, "--on-hero-action": ground });
    Object.assign(tokens, { "--hero-action-hover": hovered({ ground: text, text: ground }, [ground], MARK_CONTRAST) });
    Object.assign(tokens, { "--hero-field": "var(--surface)", "--on-hero-field": "var(--ink)", "--hero-focus": text });
    // In some themes the footer has the hero's colours, with a mark of its own.
    Object.assign(tokens, { "--footer-mark": "var(--on-footer)", "--footer-focus": "var(--on-footer)" });
  }
  if (own.accent) {
    const { ground, text } = own.accent;
    Object.assign(tokens, { "--accent": ground, "--on-accent": text, "--heading-mark-colour": ground });
  }
  if (own.action) {
    const [light, dark] = [actionIn(own.action, start.light), actionIn(own.action, start.dark)];
    for (const [name, part] of [
      ["--action", "ground"],
      ["--on-action", "text"],
      ["--action-hover", "hover"],
      ["--link", "ground"],
    ] as const)
      tokens[name] = light[part] === dark[part] ? light[part] : `light-dark(${light[part]}, ${dark[part]})`;
  }
  const lines = Object.entries(tokens).map(([name, value]) => `  ${name}: ${value};\n`);
  return lines.length === 0 ? "" : `:root {\n${lines.join("")}}\n`;
}

/** Returns a button's colours on the grounds of one scheme: those that were chosen, moved as far as they must be. */
function actionIn({ ground: chosen, text: wanted }: Pair, grounds: readonly string[]) {
  const stands = (candidate: string) => grounds.every((other) => contrastOf(candidate, other) >= TEXT_CONTRAST);
  const ground = nearestThat(chosen, stands) ?? farthest(grounds[0] ?? "#ffffff");
  const text = contrastOf(wanted, ground) >= TEXT_CONTRAST ? wanted : farthest(ground);
  return { ground, text, hover: hovered({ ground, text }, grounds, MARK_CONTRAST) };
}

/** Returns a button's colour while the pointer is on it: farther from its text, unless it would sink into the page. */
function hovered({ ground, text }: Pair, grounds: readonly string[], min: number): string {
  const moved = laidOn(farthest(text), 0.2, ground);
  const stands = contrastOf(text, moved) >= TEXT_CONTRAST && grounds.every((other) => contrastOf(moved, other) >= min);
  return stands ? moved : ground;
}

const SHAPE = /^colours\.([a-z][a-z0-9-]{1,39})\.((?:[0-9a-f]{12}|-)(?:\.(?:[0-9a-f]{12}|-)){3})\.css$/;

/**
 * Returns the name of the stylesheet, below /brand/, of a brand's own colours: it says what is in it, so that a changed
 * brand has another and caches keep each for good. Null for a brand with its theme's.
 */
export function colourFileOf(theme: string, own: OwnColours): string | null {
  if (areas.every((area) => !own[area])) return null;
  const parts = areas.map((area) => {
    const pair = own[area];
    return pair ? (pair.ground + pair.text).replaceAll("#", "") : "-";
  });
  return `colours.${theme}.${parts.join(".")}.css`;
}

/** Reads such a name; null for any other. */
export function readColourFile(name: string): { theme: string; own: OwnColours } | null {
  const [, theme, joined] = SHAPE.exec(name) ?? [];
  if (theme === undefined || joined === undefined) return null;
  const own: OwnColours = {};
  for (const [at, part] of joined.split(".").entries()) {
    const area = areas[at];
    if (area && part !== "-") own[area] = { ground: `#${part.slice(0, 6)}`, text: `#${part.slice(6)}` };
  }
  return { theme, own };
}
