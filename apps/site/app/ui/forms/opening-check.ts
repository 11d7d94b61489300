/** What a check says about opening a tab. */
export interface OpeningVerdict {
  /** Whether the tab opens. */
  isClear: boolean;
  /** Returns the address to open, with what the check found. */
  addressOf(address: string): string;
  /** Tells the person what is wrong. Calls `goOn`, as part of their click, if they want the tab all the same. */
  explain(goOn: () => void): void;
}

/** A check that began when the person pressed a loading button. */
export interface OpeningCheck {
  /** Calls `act` once, at once where the verdict is known, and within 300 ms in any case. */
  settle(act: (verdict: OpeningVerdict) => void): void;
}

const checks = new WeakMap<Element, OpeningCheck>();

/** Sets the check that a loading button waits for before it opens its tab. A later press replaces it. */
export function setOpeningCheck(control: Element, check: OpeningCheck): void {
  checks.set(control, check);
}

/** Returns the check that the latest press of a control began. */
export function openingCheckOf(control: Element): OpeningCheck | undefined {
  return checks.get(control);
}
