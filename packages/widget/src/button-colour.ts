/** While loading: white text on it is 7.0:1. */
const GREY = "#595959";
/** When the message names no colour, or none that can be used. */
const INK = "#191c22";

/**
 * Colours the button: the message's colour, or grey while loading (W7). The value never becomes a style as it is: the browser resolves
 * it to sRGB numbers first, ignoring what is no colour, and references to the page's own variables are refused. It is always opaque. The
 * text is black or white, whichever contrasts more: at least 4.58:1 on any colour.
 */
export function colourButton(button: HTMLElement, colour: string | undefined, loading: boolean): void {
  const { style } = button;
  const resolve = (value: string) => (style.color = `color-mix(in srgb,${value},${value})`);
  resolve(loading ? GREY : INK);
  if (!loading && colour && !colour.includes("--")) resolve(colour);
  // "color(srgb 0.04 0.33 0.39)"; outside sRGB's gamut a channel may be below 0 or above 1.
  const channels = getComputedStyle(button)
    .color.match(/[-\d.e]+/g)!
    .map(Number)
    .slice(0, 3);
  const [red, green, blue] = channels.map((channel) => ((Math.max(0, channel) + 0.055) / 1.055) ** 2.4); // linear light
  style.backgroundColor = `rgb(${channels.map((channel) => channel * 255).join()})`;
  style.color = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? "#000" : "#fff";
}
