/** Dims the page behind the open menu or search. A press on it closes them, as Escape does (page-overlay.behaviour.ts). */
export function PageOverlay() {
  return <div className="site-overlay" aria-hidden="true" />;
}
