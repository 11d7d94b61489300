/** Computes the themes' colours from their stylesheets as a browser does, for the contrast test. */
export type Scheme = "light" | "dark";

/** Red, green, blue and alpha, from 0 to 1. */
export interface Colour {
  rgb: [number, number, number];
  alpha: number;
}

/**
 * Returns the custom properties that the stylesheets declare. The first declaration wins: a theme stands before
 * the defaults.
 */
export function declaredTokens(css: string): Map<string, string> {
  const declared = new Map<string, string>();
  for (const [, name, value] of css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/(--[\w-]+):\s*([^;]+);/g))
    if (name && value && !declared.has(name)) declared.set(name, value.trim().replace(/\s+/g, " "));
  return declared;
}

/** Returns whether a value is or contains a colour, itself or through another token. */
export function holdsColour(value: string, tokens: Map<string, string>): boolean {
  if (/#[0-9a-f]{3}|\b(?:rgba?|hsla?|oklch|oklab|color-mix|light-dark)\(|\bcurrentcolor\b/i.test(value)) return true;
  return [...value.matchAll(/var\((--[\w-]+)/g)].some(([, name]) => {
    const held = name && tokens.get(name);
    return held ? holdsColour(held, tokens) : false;
  });
}

/**
 * Returns a colour in one scheme, or null where it cannot be read. Reads the notation of the pairs and the themes: hex,
 * `--token`, `var(--token)`, `light-dark(a, b)`, `mix(a 82% b)` for `color-mix(in oklab, a 82%, b)`, and
 * `over(a 14% b)` for a at 14 % laid on b.
 */
export function readColour(text: string, scheme: Scheme, tokens: Map<string, string>): Colour | null {
  const read = (part: string) => readColour(part.trim(), scheme, tokens);
  if (/^#[0-9a-f]{3}(?:[0-9a-f]{3})?$/i.test(text)) return { rgb: fromHex(text), alpha: 1 };
  if (text === "transparent") return { rgb: [0, 0, 0], alpha: 0 };
  const token = /^(?:var\()?(--[\w-]+)\)?$/.exec(text)?.[1];
  if (token) {
    const value = tokens.get(token);
    return value === undefined ? null : read(value);
  }
  const pair = /^light-dark\((.+?),\s*(.+)\)$/.exec(text);
  if (pair?.[1] && pair[2]) return read(scheme === "light" ? pair[1] : pair[2]);
  const two = /^(mix|over)\((\S+) (\d+)% (\S+)\)$/.exec(text);
  if (two?.[2] && two[4]) {
    const [one, other, share] = [read(two[2]), read(two[4]), Number(two[3]) / 100];
    if (!one || !other) return null;
    return two[1] === "mix" ? mixed(one, other, share) : { rgb: laid(one.rgb, other.rgb, share), alpha: 1 };
  }
  return null;
}

/** Returns the contrast of two colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function fromHex(hex: string): [number, number, number] {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as [number, number, number];
}

function laid(top: Colour["rgb"], below: Colour["rgb"], share: number): Colour["rgb"] {
  return top.map((part, at) => part * share + (below[at] ?? 0) * (1 - share)) as Colour["rgb"];
}

const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const gamma = (part: number) =>
  Math.min(1, Math.max(0, part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055));

function luminance({ rgb }: Colour): number {
  const [red, green, blue] = rgb.map(linear) as Colour["rgb"];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours in oklab, as browsers do. */
function mixed(one: Colour, other: Colour, share: number): Colour {
  const [a, b] = [toOklab(one.rgb), toOklab(other.rgb)];
  return { rgb: fromOklab(laid(a, b, share)), alpha: 1 };
}

function toOklab(rgb: Colour["rgb"]): Colour["rgb"] {
  const [r, g, b] = rgb.map(linear) as Colour["rgb"];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Colour["rgb"]): Colour["rgb"] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}
