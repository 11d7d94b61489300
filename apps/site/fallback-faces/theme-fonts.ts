import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(import.meta.url);
const themes = new URL("../app/themes/", import.meta.url);
const defaults = readFileSync(new URL("../styles/tokens.css", themes), "utf8");

/** Returns the names of all themes: a stylesheet each. */
export function themeNames(): string[] {
  return readdirSync(themes)
    .filter((file) => file.endsWith(".css"))
    .map((file) => basename(file, ".css"));
}

/** Returns the file of a theme's fallback faces. */
export function fallbackFacesFile(theme: string): URL {
  return new URL(`${theme}/fallback-faces.css`, themes);
}

/** One of the two fonts of a theme, with the font file of each weight that pages use. */
export interface ThemeFont {
  isSerif: boolean;
  isUppercase: boolean;
  regular: WeightedFile | null;
  bold: WeightedFile;
}

interface WeightedFile {
  file: string;
  weight: number;
}

/** The fonts of a theme's `--font-display` and `--font-text`. */
export interface ThemeFonts {
  display: ThemeFont;
  text: ThemeFont;
}

/** Reads a theme's fonts from its stylesheets. @throws Error for a font that has no `@font-face` */
export function themeFonts(theme: string): ThemeFonts {
  const css = [`${theme}.css`, `${theme}/faces.css`]
    .map((file) => readFileSync(new URL(file, themes), "utf8"))
    .join("");
  const token = (name: string) => {
    const value = new RegExp(`${name}:\\s*([^;]+);`).exec(css + defaults)?.[1];
    if (!value) throw new Error(`The theme ${theme} has no ${name}. Set it in apps/site/app/themes/${theme}.css.`);
    return value;
  };
  const fileAt = (family: string, weight: number): WeightedFile => {
    const face = fontFaces(css).find((one) => one.family === family && one.from <= weight && weight <= one.to);
    if (!face) throw new Error(`The theme ${theme} has no @font-face of "${family}" for the weight ${weight}.`);
    return { file: require.resolve(face.file), weight };
  };
  const [display, text] = [token("--font-display"), token("--font-text")];
  return {
    display: {
      isSerif: isSerif(display),
      isUppercase: token("--display-case") === "uppercase",
      regular: null,
      bold: fileAt(firstFamily(display), Number(token("--display-weight"))),
    },
    text: {
      isSerif: isSerif(text),
      isUppercase: false,
      regular: fileAt(firstFamily(text), Number(token("--text-weight"))),
      bold: fileAt(firstFamily(text), Number(token("--label-weight"))),
    },
  };
}

const firstFamily = (list: string) => /^"([^"]+)"/.exec(list)?.[1] ?? list;
const isSerif = (list: string) => /(?<!sans-)\bserif$/.test(list);

interface FontFace {
  family: string;
  file: string;
  from: number;
  to: number;
}

function fontFaces(css: string): FontFace[] {
  return [...css.matchAll(/@font-face\s*\{([^}]*)\}/g)].flatMap(([, block = ""]) => {
    const family = /font-family:\s*"([^"]+)"/.exec(block)?.[1];
    const file = /url\("([^"]+)"\)/.exec(block)?.[1];
    const [from = "400", to = from] = /font-weight:\s*([\d ]+);/.exec(block)?.[1]?.split(" ") ?? [];
    return family && file ? [{ family, file, from: Number(from), to: Number(to) }] : [];
  });
}
