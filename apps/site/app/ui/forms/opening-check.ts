/**
 * Decides whether a loading button opens its tab. Calls `open` with the address to open, or `release` to enable the button again; after that `open`
 * can still be called, as part of another click.
 */
export type OpeningCheck = (address: string, open: (address: string) => void, release: () => void) => void;

/** The check that the latest press of a button began; most buttons have none. */
export const openingChecks = new WeakMap<Element, OpeningCheck>();
