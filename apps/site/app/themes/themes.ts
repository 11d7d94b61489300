import archivo from "@fontsource-variable/archivo/files/archivo-latin-wght-normal.woff2?url";
import fraunces from "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2?url";
import gabarito from "@fontsource/gabarito/files/gabarito-latin-800-normal.woff2?url";
import newsreader from "@fontsource/newsreader/files/newsreader-latin-600-normal.woff2?url";
import nunitoSans from "@fontsource-variable/nunito-sans/files/nunito-sans-latin-wght-normal.woff2?url";
import onest from "@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url";
import publicSans from "@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2?url";
import redHatDisplay from "@fontsource-variable/red-hat-display/files/red-hat-display-latin-wght-normal.woff2?url";
import bricolage from "@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2?url";
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import schibsted from "@fontsource-variable/schibsted-grotesk/files/schibsted-grotesk-latin-wght-normal.woff2?url";
import workSans from "@fontsource/work-sans/files/work-sans-latin-400-normal.woff2?url";
import beaconry from "./beaconry.css?url";
import beaconryFaces from "./beaconry/faces.css?url";
import chalkside from "./chalkside.css?url";
import chalksideFaces from "./chalkside/faces.css?url";
import freshledge from "./freshledge.css?url";
import freshledgeFaces from "./freshledge/faces.css?url";
import kindhold from "./kindhold.css?url";
import kindholdFaces from "./kindhold/faces.css?url";
import mustermark from "./mustermark.css?url";
import mustermarkFaces from "./mustermark/faces.css?url";
import tillside from "./tillside.css?url";
import tillsideFaces from "./tillside/faces.css?url";
import tinrattle from "./tinrattle.css?url";
import tinrattleFaces from "./tinrattle/faces.css?url";
import wardlight from "./wardlight.css?url";
import wardlightFaces from "./wardlight/faces.css?url";
import neutral from "@farthing/ui/neutral-theme.css?url";

export interface Theme {
  stylesheet: string;
  /** The stylesheet with the faces alone, for narrow windows; null for a theme in system faces. */
  faces: string | null;
  /** The fonts of the first screen, at most two. */
  preloadedFonts: string[];
  /** The colours of the browser's own bar in both schemes: the header's. */
  barColours: { light: string; dark: string };
}

/** The one list of themes. A brand's row names its theme; several brands may have the same one. */
const themes: Readonly<Record<string, Theme>> = {
  beaconry: {
    stylesheet: beaconry,
    faces: beaconryFaces,
    preloadedFonts: [archivo],
    barColours: { light: "#0d1b3d", dark: "#0d1b3d" },
  },
  chalkside: {
    stylesheet: chalkside,
    faces: chalksideFaces,
    preloadedFonts: [newsreader, publicSans],
    barColours: { light: "#1f4d3f", dark: "#173a2f" },
  },
  freshledge: {
    stylesheet: freshledge,
    faces: freshledgeFaces,
    preloadedFonts: [gabarito, onest],
    barColours: { light: "#f7f7f2", dark: "#12130f" },
  },
  kindhold: {
    stylesheet: kindhold,
    faces: kindholdFaces,
    preloadedFonts: [fraunces, nunitoSans],
    barColours: { light: "#fbf4ec", dark: "#2a1c25" },
  },
  mustermark: {
    stylesheet: mustermark,
    faces: mustermarkFaces,
    preloadedFonts: [redHatDisplay],
    barColours: { light: "#f1efe9", dark: "#14191d" },
  },
  tillside: {
    stylesheet: tillside,
    faces: tillsideFaces,
    preloadedFonts: [schibsted],
    barColours: { light: "#1f3fd1", dark: "#18298a" },
  },
  tinrattle: {
    stylesheet: tinrattle,
    faces: tinrattleFaces,
    preloadedFonts: [bricolage, workSans],
    barColours: { light: "#fff8f3", dark: "#17151f" },
  },
  wardlight: {
    stylesheet: wardlight,
    faces: wardlightFaces,
    preloadedFonts: [figtree],
    barColours: { light: "#ffffff", dark: "#0a1a1f" },
  },
};

/** The look of the portal on other people's pages: no brand's. */
export const neutralTheme: Theme = {
  stylesheet: neutral,
  faces: null,
  preloadedFonts: [],
  barColours: { light: "#ffffff", dark: "#1c1f22" },
};

/**
 * Returns the theme of that name, or falls back to the first theme: a mistyped name in a brand's row must not break
 * its pages.
 */
export function themeNamed(name: string): Theme {
  const theme = themes[name] ?? Object.values(themes)[0];
  if (!theme) throw new Error("No theme is known.");
  return theme;
}
