import { readFile } from "node:fs/promises";
import { Blob as FontData, Buffer as TextRun, Face, Font, shape, Variation } from "harfbuzzjs";
import decompress from "woff2-encoder/decompress";

/** The measures of a font, in ems. */
export interface MeasuredFont {
  ascent: number;
  descent: number;
  lineGap: number;
  /** Returns the width of a text in one line, with kerning. */
  widthOf(text: string): number;
}

/**
 * Measures a font file as browsers do.
 * @param weight the position on the weight axis, if the file has one
 */
export async function measuredFont(file: string, weight: number): Promise<MeasuredFont> {
  const bytes = await readFile(file);
  const face = new Face(new FontData(file.endsWith(".woff2") ? await decompress(bytes) : bytes));
  const font = new Font(face);
  font.setVariations([new Variation("wght", weight)]);
  const { ascender, descender, lineGap } = font.hExtents();
  return {
    ascent: ascender / face.upem,
    descent: -descender / face.upem,
    lineGap: lineGap / face.upem,
    widthOf: (text) => widthOf(font, text) / face.upem,
  };
}

function widthOf(font: Font, text: string): number {
  const run = new TextRun();
  run.addText(text);
  run.guessSegmentProperties();
  shape(font, run);
  return run.getGlyphPositions().reduce((sum, { xAdvance }) => sum + xAdvance, 0);
}
