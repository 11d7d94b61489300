import themeColoursJson from "@farthing/db/seeds/theme-colours.json" with { type: "json" };
import themeStartsJson from "@farthing/db/seeds/theme-starts.json" with { type: "json" };
import { z } from "zod";
import type { BrandColours } from "./brand.ts";
import type { OwnColours, ThemeStart } from "./own-colours.ts";
import { brandColours, colourPairs, hexColour } from "./schema.ts";

/** Returns a file's values by theme. A map, because an object has members that no theme is named after. */
const byTheme = <Value>(value: z.ZodType<Value>, file: unknown) =>
  new Map(Object.entries(z.record(z.string(), value).parse(file)));

/** These colours are also in the stylesheets; themes.test.ts compares the two. */
const colours = byTheme(brandColours, themeColoursJson);
const starts = byTheme(
  z.strictObject({ pairs: colourPairs, light: z.array(hexColour).length(3), dark: z.array(hexColour).length(3) }),
  themeStartsJson,
);

/**
 * Returns a brand's colours in the light scheme: its own over its theme's. An unknown theme falls back to the first, as its
 * stylesheet does (themes.ts).
 */
export function coloursOf(theme: string, { hero, action, accent }: OwnColours = {}): BrandColours {
  const own = colours.get(theme) ?? colours.values().next().value;
  if (!own) throw new Error("No theme's colours are known.");
  return {
    ...own,
    ...(hero && { hero: hero.ground, onHero: hero.text }),
    ...(action && { action: action.ground, onAction: action.text }),
    ...(accent && { accent: accent.ground }),
  };
}

/** Names of the themes that a brand can have. */
export const themeNames: readonly string[] = [...colours.keys()].sort();

/** Returns what a brand on a theme starts from; as above for an unknown one. */
export function startOf(theme: string): ThemeStart {
  const start = starts.get(theme) ?? starts.values().next().value;
  if (!start) throw new Error("No theme's colours are known.");
  return start;
}
