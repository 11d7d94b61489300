import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fallbackFaces } from "./fallback-faces.ts";
import { fallbackFacesFile, themeNames } from "./theme-fonts.ts";

test.each(themeNames())(
  "U2 the fallback faces of %s are those of its fonts: run npm run themes:fallbacks",
  async (theme) => {
    const file = fallbackFacesFile(theme);
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(await fallbackFaces(theme));
  },
);
