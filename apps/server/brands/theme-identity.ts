import { existsSync, readdirSync, readFileSync } from "node:fs";
import { z } from "zod";

/** A theme's drawings of brands outside pages: apps/site/app/themes/<name>/identity.json and the drawings beside it. */

const hex = z.string().regex(/^#[0-9a-f]{6}$/);

const face = z.strictObject({
  /** A font file of the packages that the site serves. */
  file: z.string().regex(/^@fontsource(-variable)?\/[\w/.-]+\.woff2$/),
  /** The position on the weight axis, if the file has one. */
  weight: z.number().min(1).max(1000).optional(),
  /** In ems. */
  tracking: z.number().default(0),
  case: z.enum(["lower", "upper"]).optional(),
});
export type Face = z.infer<typeof face>;

const identity = z.strictObject({
  wordmark: face,
  words: face,
  /** The icon of a brand without a drawing of its own: its letter on a tile of 64, with a mark below. */
  tile: hex,
  letter: hex,
  mark: hex,
  corner: z.number().min(0).max(32),
  symbol: z.strictObject({ light: hex, social: hex }),
  texture: z.string().optional(),
  /** The shape of the hero's lower edge. */
  foot: z
    .strictObject({ file: z.string(), scale: z.number().default(1), stretch: z.boolean().default(false) })
    .optional(),
});

/** A drawing to place into another one: the box and attributes of its root, and its content. */
export interface Drawing {
  box: { x: number; y: number; width: number; height: number };
  attributes: string;
  inside: string;
}

export interface ThemeIdentity extends z.infer<typeof identity> {
  name: string;
  drawings: {
    symbol: Drawing;
    icon: Drawing;
    hero: Drawing;
    texture: Drawing | null;
    foot: Drawing | null;
  };
}

const themes = new URL("../../site/app/themes/", import.meta.url);
const kept = new Map<string, ThemeIdentity>();

/** Returns a theme's identity. An unknown theme falls back to the first one, as on pages (themes.ts). */
export function themeIdentity(name: string): ThemeIdentity {
  const isKnown = /^[a-z][a-z0-9-]*$/.test(name) && existsSync(new URL(`${name}/identity.json`, themes));
  const actual = isKnown ? name : firstTheme();
  const known = kept.get(actual);
  if (known) return known;
  const read = (file: string) => readFileSync(new URL(`${actual}/${file}`, themes), "utf8");
  const parsed = identity.parse(JSON.parse(read("identity.json")));
  const drawing = (file: string) => readDrawing(read(file));
  const made = {
    ...parsed,
    name: actual,
    drawings: {
      symbol: drawing("symbol.svg"),
      icon: drawing("icon.svg"),
      hero: drawing("hero.svg"),
      texture: parsed.texture === undefined ? null : drawing(parsed.texture),
      foot: parsed.foot === undefined ? null : drawing(parsed.foot.file),
    },
  };
  kept.set(actual, made);
  return made;
}

function firstTheme(): string {
  const first = readdirSync(themes)
    .sort()
    .find((entry) => existsSync(new URL(`${entry}/identity.json`, themes)));
  if (first === undefined)
    throw new Error("No theme has an identity.json. Add apps/site/app/themes/<name>/identity.json.");
  return first;
}

/** @throws Error for a file that is not a single svg element with a viewBox */
export function readDrawing(svg: string): Drawing {
  const [, attributes = "", inside = ""] = /^\s*<svg\b([^>]*)>([^]*)<\/svg>\s*$/.exec(svg) ?? [];
  const [x, y, width, height] = (/viewBox="([^"]+)"/.exec(attributes)?.[1] ?? "").split(/[\s,]+/).map(Number);
  if (x === undefined || y === undefined || !width || !height)
    throw new Error("The drawing has no viewBox. Add one to its svg element.");
  return {
    box: { x, y, width, height },
    attributes: attributes
      .replaceAll(/(?<![\w-])(?:xmlns|width|height|viewBox|preserveAspectRatio)="[^"]*"/g, "")
      .trim(),
    inside,
  };
}
