/** The card provider's own frames, or their wrappers: a challenge (3DS) must stay usable above the modal. */
const PROVIDER_FRAME = "iframe[name^=__privateStripe]";

/**
 * Makes the rest of the page inert, before the modal is added. Only what is there now: frames that the card provider adds later are left
 * alone. Gives the function that puts everything back. (The stylesheet keeps the page from scrolling.)
 */
export function isolateModal(): () => void {
  const rest = document.querySelectorAll<HTMLElement>(
    `body > :not([inert], ${PROVIDER_FRAME}, :has(> ${PROVIDER_FRAME}))`,
  );
  const setInert = (inert: boolean) => rest.forEach((element) => (element.inert = inert));
  setInert(true);
  return () => setInert(false);
}
