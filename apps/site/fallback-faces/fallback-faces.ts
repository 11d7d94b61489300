import { measuredFont, type MeasuredFont } from "./measured-font.ts";
import { sampleHeadings, sampleText } from "./sample-text.ts";
import { systemFamilies, type SystemFamily, type SystemFont } from "./system-families.ts";
import { themeFonts, type ThemeFont } from "./theme-fonts.ts";

/** Text of this weight and above has the bold face. */
const BOLD_FROM = 550;

const HEAD = `/* Written by npm run themes:fallbacks. Shown until the theme's fonts load: fonts of the device, scaled to their measures. */`;

/**
 * Returns the stylesheet of a theme's fallback faces: the fonts of every common device, each scaled to the widths and heights of the
 * theme's own font, so that nothing moves when that loads.
 */
export async function fallbackFaces(theme: string): Promise<string> {
  const { display, text } = themeFonts(theme);
  const faces = [...(await facesOf("Display", display, sampleHeadings)), ...(await facesOf("Text", text, sampleText))];
  const tokens = [
    ":root {",
    familyList("--display-fallbacks", "Display", display),
    familyList("--text-fallbacks", "Text", text),
    "}",
  ];
  return `${HEAD}\n${faces.join("\n\n")}\n\n${tokens.join("\n")}\n`;
}

/** A sans-serif font stands in for a serif one too: some phones have no serif font. */
function familiesFor({ isSerif }: ThemeFont): SystemFamily[] {
  return systemFamilies.filter((family) => isSerif || !family.isSerif);
}

function familyList(token: string, role: string, font: ThemeFont): string {
  return `  ${token}: ${familiesFor(font)
    .map(({ name }) => `"${role} on ${name}"`)
    .join(", ")};`;
}

async function facesOf(role: string, font: ThemeFont, sample: string): Promise<string[]> {
  const text = font.isUppercase ? sample.toUpperCase() : sample;
  const bold = await measuredFont(font.bold.file, font.bold.weight);
  const regular = font.regular && (await measuredFont(font.regular.file, font.regular.weight));
  const faces: string[] = [];
  for (const system of familiesFor(font)) {
    const family = `${role} on ${system.name}`;
    if (regular) faces.push(await fontFace(family, `1 ${BOLD_FROM - 1}`, system.regular, regular, text));
    faces.push(await fontFace(family, regular ? `${BOLD_FROM} 1000` : "1 1000", system.bold, bold, text));
  }
  return faces;
}

async function fontFace(
  family: string,
  weights: string,
  { localNames, file }: SystemFont,
  own: MeasuredFont,
  sample: string,
): Promise<string> {
  const size = own.widthOf(sample) / (await measuredFont(file, 400)).widthOf(sample);
  return `@font-face {
  font-family: "${family}";
  src: ${localNames.map((name) => `local("${name}")`).join(", ")};
  font-weight: ${weights};
  size-adjust: ${percent(size)};
  ascent-override: ${percent(own.ascent / size)};
  descent-override: ${percent(own.descent / size)};
  line-gap-override: ${percent(own.lineGap / size)};
}`;
}

const percent = (ratio: number) => `${Math.round(ratio * 1000) / 10}%`;
