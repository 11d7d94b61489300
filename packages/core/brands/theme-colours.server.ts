import themeColoursJson from "@farthing/db/seeds/theme-colours.json" with { type: "json" };
import { z } from "zod";
import type { BrandColours } from "./brand.ts";
import { brandColours } from "./schema.ts";

/** What themes.test.ts holds against the stylesheets: these few colours are written in two places. */
const byTheme = z.record(z.string(), brandColours).parse(themeColoursJson);

/** A theme's colours, light; of one that does not exist those of the first, whose stylesheet stands in too (themes.ts). */
export function coloursOf(theme: string): BrandColours {
  const colours = byTheme[theme] ?? Object.values(byTheme)[0];
  if (!colours) throw new Error("No theme's colours are known.");
  return colours;
}

/** The themes that a brand may wear. */
export const themeNames: readonly string[] = Object.keys(byTheme).sort();
