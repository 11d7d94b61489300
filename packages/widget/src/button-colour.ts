/** The colour while loading. White text on it has a contrast of 7.0:1. */
const GREY = "#595959";
/** The colour when the message has none, or one that can't be used. */
const INK = "#191c22";

/**
 * Sets the button's colour: the message's, or grey while loading (W7). The message's value is never used as a style directly: the browser
 * first resolves it to sRGB numbers, which ignores invalid colours; references to the page's own variables are refused. The colour is always
 * opaque. The text is black or white, whichever has more contrast: at least 4.58:1 on any colour.
 */
export function colourButton(button: HTMLElement, colour: string | undefined, loading: boolean): void {
  const { style } = button;
  const resolve = (value: string) => (style.color = `color-mix(in srgb,${value},${value})`);
  resolve(loading ? GREY : INK);
  if (!loading && colour && !colour.includes("--")) resolve(colour);
  // Such as "color(srgb 0.04 0.33 0.39)". Outside the sRGB gamut a channel can be below 0 or above 1.
  const channels = getComputedStyle(button)
    .color.match(/[-\d.e]+/g)!
    .map(Number)
    .slice(0, 3);
  const [red, green, blue] = channels.map((channel) => ((Math.max(0, channel) + 0.055) / 1.055) ** 2.4); // linear light
  style.backgroundColor = `rgb(${channels.map((channel) => channel * 255).join()})`;
  style.color = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.179 ? "#000" : "#fff";
}
