/** Hints about a photo before it is sent. They never block: the person knows better, and a person decides. */
export interface PictureHint {
  title: string;
  advice: string;
}

export interface Look {
  width: number;
  height: number;
  /** From sharpnessOf; null where it could not be computed. */
  sharpness: number | null;
}

/** Below this size, print on a page is not readable. */
const MIN_SHORT_SIDE = 600;
/** Sharp photos of print have several hundred; blurred ones have less than fifty. */
const MIN_SHARPNESS = 40;

export function pictureHints({ width, height, sharpness }: Look): PictureHint[] {
  const hints: PictureHint[] = [];
  if (Math.min(width, height) < MIN_SHORT_SIDE)
    hints.push({
      title: "This picture is small.",
      advice: `It has ${width} × ${height} pixels. If the print can’t be read when you zoom in, take it closer.`,
    });
  if (sharpness !== null && sharpness < MIN_SHARPNESS)
    hints.push({
      title: "This picture looks blurred.",
      advice: "If you can’t read the small print, hold the camera still and take it again.",
    });
  return hints;
}

/**
 * Returns how much neighbouring pixels differ: the variance of the Laplacian, a usual measure of focus. `grey` has one
 * byte per pixel. An even surface has 0, and nothing to read.
 */
export function sharpnessOf(grey: Uint8ClampedArray | Uint8Array, width: number, height: number): number {
  let sum = 0;
  let squares = 0;
  let count = 0;
  const at = (x: number, y: number) => grey[y * width + x] ?? 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const change = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      sum += change;
      squares += change * change;
      count += 1;
    }
  }
  if (count === 0) return 0;
  const mean = sum / count;
  return squares / count - mean * mean;
}
