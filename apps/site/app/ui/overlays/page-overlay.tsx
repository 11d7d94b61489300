import { closeOverlay } from "../layout/page-state.ts";

/** Dims the page behind the open menu or search. A press on it closes them, as Escape does. */
export function PageOverlay() {
  return <div className="site-overlay" aria-hidden="true" onClick={closeOverlay} />;
}
