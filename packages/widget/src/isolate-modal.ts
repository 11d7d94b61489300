/** Frames of the card provider. A challenge (3DS) must stay usable above the modal. */
const PROVIDER_FRAME = "iframe[name^=__privateStripe]";

/** Returns the visible children of the page's body that the card provider has added, such as a challenge and its backdrop. */
export function providerFrames(): Element[] {
  return [
    ...document.querySelectorAll(`body > :is(${PROVIDER_FRAME}, :not(.farthing-modal):has(${PROVIDER_FRAME}))`),
  ].filter((element) => element.getClientRects().length);
}

/**
 * Makes the rest of the page inert, before the modal is added. Frames that the card provider adds later stay usable. Returns a function that
 * restores the page. (The stylesheet prevents scrolling.)
 *
 * `inert` does not reach into a frame of another site: its script can still take the focus, and the payer's keys with it. The browser fires no
 * event for it, so the focus is looked at ten times a second and goes back to `dialog`.
 */
export function isolateModal(dialog: HTMLElement): () => void {
  const rest = document.querySelectorAll<HTMLElement>(
    `body > :not([inert], ${PROVIDER_FRAME}, :has(> ${PROVIDER_FRAME}))`,
  );
  const setInert = (inert: boolean) => rest.forEach((element) => (element.inert = inert));
  setInert(true);
  const guard = setInterval(() => {
    if (document.activeElement?.closest("[inert]")) dialog.focus();
  }, 100);
  return () => {
    clearInterval(guard);
    setInert(false);
  };
}
