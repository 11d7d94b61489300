// npm run themes:fallbacks: writes apps/site/app/themes/<theme>/fallback-faces.css.
import { writeFileSync } from "node:fs";
import { fallbackFaces } from "./fallback-faces.ts";
import { fallbackFacesFile, themeNames } from "./theme-fonts.ts";

for (const theme of themeNames()) writeFileSync(fallbackFacesFile(theme), await fallbackFaces(theme));
