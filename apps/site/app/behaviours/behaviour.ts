/**
 * Script for HTML that the server has written, without React (docs/decisions/031-islands.md). Everything that `start`
 * needs is in the markup, and everything works without it.
 */
export interface Behaviour {
  /** The elements that it is for. Without one, `start` is called once, with the root element, and listens there. */
  selector?: string;
  /** Returns a promise if the page counts as started only when it has settled (`html[data-script]`). */
  start(element: HTMLElement): void | Promise<void>;
}
