import themeColoursJson from "@farthing/db/seeds/theme-colours.json" with { type: "json" };
import { z } from "zod";
import type { BrandColours } from "./brand.ts";
import { brandColours } from "./schema.ts";

/** These colours are also in the stylesheets; themes.test.ts compares the two. */
const byTheme = z.record(z.string(), brandColours).parse(themeColoursJson);

/** Returns a theme's colours in the light scheme. An unknown theme falls back to the first, as its stylesheet does (themes.ts). */
export function coloursOf(theme: string): BrandColours {
  const colours = byTheme[theme] ?? Object.values(byTheme)[0];
  if (!colours) throw new Error("No theme's colours are known.");
  return colours;
}

/** Names of the themes that a brand can have. */
export const themeNames: readonly string[] = Object.keys(byTheme).sort();
