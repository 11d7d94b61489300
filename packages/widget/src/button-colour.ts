/** While loading: white text on it is 7.0:1. */
const GREY = "#595959";
/** When the message names no colour, or none that can be used. */
const INK = "#191c22";

/**
 * Colours the button: the message's colour, or grey while loading (W7). The value never becomes a style as it is: the browser resolves
 * it to sRGB numbers first, ignoring what is no colour, and references to the page's own variables are refused. The text is black or
 * white, whichever contrasts more: at least 4.58:1 on any colour.
 */
export function colourButton(button: HTMLElement, colour: string | undefined, loading: boolean): void {
  const { style } = button;
  const resolve = (value: string) => (style.color = `color-mix(in srgb,${value},${value})`);
  resolve(loading ? GREY : INK);
  if (!loading && colour && !colour.includes("--")) resolve(colour);
  const [red, green, blue, alpha = 1] = getComputedStyle(button).color.match(/-?[\d.]+(e-?\d+)?/g)!.map(Number);
  const channels = [red!, green!, blue!].map((channel) => Math.min(1, Math.max(0, channel)) * alpha + 1 - alpha); // over white
  const [r, g, b] = channels.map((channel) => ((channel + 0.055) / 1.055) ** 2.4); // linear light
  style.backgroundColor = `rgb(${channels.map((channel) => Math.round(channel * 255)).join()})`;
  style.color = 0.2126 * r! + 0.7152 * g! + 0.0722 * b! > 0.179 ? "#000" : "#fff";
}
