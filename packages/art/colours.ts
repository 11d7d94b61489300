/** Returns WCAG's contrast ratio of two #rrggbb colours, from 1 to 21. */
export function contrast(one: string, two: string): number {
  const [light, dark] = [luminance(one), luminance(two)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = channels(colour).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channels(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Returns the first colour mixed with `part` of the second. */
export function mix(one: string, two: string, part: number): string {
  const other = channels(two);
  return `#${channels(one)
    .map((value, index) =>
      Math.round(value + (other[index]! - value) * part)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
