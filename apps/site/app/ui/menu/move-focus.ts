/**
 * Moves the focus among the visible elements that match `selector` in `within`: back and forth by the two arrow keys,
 * wrapping around, and to the ends by Home and End. Returns whether the key was one of these.
 */
export function moveFocus(
  within: Element | null,
  selector: string,
  key: string,
  [back, forth]: readonly [string, string],
): boolean {
  const stops = [...(within?.querySelectorAll<HTMLElement>(selector) ?? [])].filter((stop) => stop.checkVisibility());
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const to = { [back]: at - 1, [forth]: at + 1, Home: 0, End: -1 }[key];
  if (to === undefined || stops.length === 0) return false;
  stops.at(to % stops.length)?.focus();
  return true;
}
