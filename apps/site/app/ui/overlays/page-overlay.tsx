import { closeOverlay } from "../layout/page-state.ts";

/** Dims the page while the menu or the search lies over it; a press on it closes them. The keyboard has Escape for that. */
export function PageOverlay() {
  return <div className="site-overlay" aria-hidden="true" onClick={closeOverlay} />;
}
