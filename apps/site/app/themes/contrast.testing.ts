/** Colours of the themes as numbers, for the contrast test: hex only, which is all the themes use for roles that carry text. */
export type Scheme = "light" | "dark";

/** The custom properties of a theme's `:root`, with `light-dark()` and `var()` resolved for one scheme. */
export function readTokens(css: string, scheme: Scheme): (name: string) => string | null {
  const declared = new Map<string, string>();
  for (const [, name, value] of css.matchAll(/(--[\w-]+):\s*([^;]+);/g))
    if (name && value && !declared.has(name)) declared.set(name, value.trim());
  return function read(name: string): string | null {
    const value = declared.get(name);
    if (value === undefined) return null;
    const pair = /^light-dark\((#[0-9a-f]{3,6}),\s*(#[0-9a-f]{3,6})\)$/i.exec(value);
    if (pair) return (scheme === "light" ? pair[1] : pair[2]) ?? null;
    const reference = /^var\((--[\w-]+)\)$/.exec(value);
    return reference?.[1] ? read(reference[1]) : /^#[0-9a-f]{3,6}$/i.test(value) ? value : null;
  };
}

/** Contrast of two hex colours after WCAG 2.2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
