import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Blob as FontData, Buffer as TextRun, Face as FontFace, Font, shape, Variation } from "harfbuzzjs";
import decompress from "woff2-encoder/decompress";
import type { Face } from "./theme-identity.ts";

/** Text as a path of font size 1: baseline and left edge at 0, y downwards. */
export interface Outline {
  path: string;
  width: number;
}

/** Outlines text in one face. */
export interface Outliner {
  outline(text: string): Outline;
  /** The height of capitals at font size 1. */
  capHeight: number;
}

const require = createRequire(new URL("../../site/package.json", import.meta.url));
const open = new Map<string, Promise<Outliner>>();

/**
 * Opens a face of the site for outlines. Servers have no fonts, so text in images is drawn as paths: HarfBuzz shapes it
 * as browsers do (kerning, variable weights), from the font files of the site.
 */
export function outliner(face: Face): Promise<Outliner> {
  const key = JSON.stringify(face);
  const known = open.get(key);
  if (known) return known;
  const made = openFace(face);
  open.set(key, made);
  made.catch(() => open.delete(key));
  return made;
}

async function openFace(face: Face): Promise<Outliner> {
  const sfnt = await decompress(await readFile(require.resolve(face.file)));
  const fontFace = new FontFace(new FontData(sfnt));
  const font = new Font(fontFace);
  if (face.weight !== undefined) font.setVariations([new Variation("wght", face.weight)]);
  const em = fontFace.upem;
  const draw = (text: string) => outline(font, em, cased(text, face), face.tracking);
  const capHeight = (font.glyphExtents(font.nominalGlyph(0x48) ?? 0)?.yBearing ?? em * 0.7) / em;
  return { outline: draw, capHeight };
}

function cased(text: string, face: Face): string {
  return face.case === "upper" ? text.toUpperCase() : face.case === "lower" ? text.toLowerCase() : text;
}

function outline(font: Font, em: number, text: string, tracking: number): Outline {
  const run = new TextRun();
  run.addText(text);
  run.guessSegmentProperties();
  shape(font, run);
  const positions = run.getGlyphPositions();
  let pen = 0;
  let path = "";
  for (const [index, { codepoint: glyph }] of run.getGlyphInfos().entries()) {
    const at = positions[index];
    if (!at) break;
    // Glyph 0 is the box for missing glyphs. A gap looks less broken.
    if (glyph !== 0) path += placed(font.glyphToPath(glyph), pen + at.xOffset / em, -at.yOffset / em, em);
    pen += at.xAdvance / em + tracking;
  }
  return { path, width: Math.max(0, pen - tracking) };
}

/** Moves and scales the absolute commands M, L, Q, C and Z, the only ones of HarfBuzz, and turns y downwards. */
function placed(path: string, x: number, y: number, em: number): string {
  let isX = false;
  return path.replaceAll(/[A-Z]|-?\d+(?:\.\d+)?(?:e-?\d+)?/g, (part) => {
    if (/[A-Z]/.test(part)) return part;
    isX = !isX;
    const value = isX ? x + Number(part) / em : y - Number(part) / em;
    return String(Math.round(value * 10_000) / 10_000);
  });
}
