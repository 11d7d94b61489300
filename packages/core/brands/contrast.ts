/** The contrast of colours by WCAG 2.2, and the nearest colour that has enough of it (B2). Pure: the browser uses it while a person types. */

/** Red, green and blue, from 0 to 1. */
type Rgb = [number, number, number];

/** The minimum for text of any size, and for marks and edges that carry meaning. */
export const TEXT_CONTRAST = 4.5;
export const MARK_CONTRAST = 3;

/** @param hex `#rrggbb` */
function rgbOf(hex: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;
}

function hexOf(rgb: Rgb): string {
  return `#${rgb
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const gamma = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map(linear) as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Returns `top` at `share` (0 to 1) laid on `below`. */
export function laidOn(top: string, share: number, below: string): string {
  const [a, b] = [rgbOf(top), rgbOf(below)];
  return hexOf(a.map((part, at) => part * share + (b[at] ?? 0) * (1 - share)) as Rgb);
}

/** Returns whichever of black and white is farther from a colour. */
export function farthest(hex: string): "#000000" | "#ffffff" {
  return contrastOf(hex, "#000000") > contrastOf(hex, "#ffffff") ? "#000000" : "#ffffff";
}

const STEPS = 200;

/**
 * Returns the colour nearest to `hex` for which `passes` holds, of the same hue: the one whose lightness (OKLCH) differs
 * least. Null where none does.
 */
export function nearestThat(hex: string, passes: (candidate: string) => boolean): string | null {
  if (passes(hex)) return hex;
  const { lightness, chroma, hue } = oklchOf(hex);
  for (let step = 1; step <= STEPS; step += 1)
    for (const sign of [-1, 1]) {
      const moved = lightness + (sign * step) / STEPS;
      if (moved < 0 || moved > 1) continue;
      const candidate = hexInGamut(moved, chroma, hue);
      if (passes(candidate)) return candidate;
    }
  return null;
}

function oklchOf(hex: string) {
  const [r, g, b] = rgbOf(hex).map(linear) as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(x, y),
    hue: Math.atan2(y, x),
  };
}

/** Returns a colour that screens can show: with less chroma where this one is too vivid for its lightness. */
function hexInGamut(lightness: number, chroma: number, hue: number): string {
  for (let share = 20; share > 0; share -= 1) {
    const rgb = rgbOfOklch(lightness, (chroma * share) / 20, hue);
    if (rgb.every((part) => part >= -0.001 && part <= 1.001)) return hexOf(clamped(rgb));
  }
  return hexOf(clamped(rgbOfOklch(lightness, 0, hue)));
}

const clamped = (rgb: Rgb) => rgb.map((part) => Math.min(1, Math.max(0, part))) as Rgb;

function rgbOfOklch(lightness: number, chroma: number, hue: number): Rgb {
  const [x, y] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
