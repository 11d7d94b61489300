/** The card provider's own frames, or their wrappers: a challenge (3DS) must stay usable above the modal. */
const PROVIDER_FRAME = "iframe[name^=__privateStripe]";

/**
 * Makes the rest of the page inert and stops it scrolling, before the modal is added. Only what is there now: frames that the card
 * provider adds later are left alone. Gives the function that puts everything back.
 */
export function isolateModal(): () => void {
  const rest = document.querySelectorAll<HTMLElement>(`body > :not([inert], ${PROVIDER_FRAME}, :has(> ${PROVIDER_FRAME}))`);
  for (const element of rest) element.inert = true;
  const page = document.documentElement;
  const { overflow, scrollbarGutter } = page.style;
  if (innerWidth > page.clientWidth) page.style.scrollbarGutter = "stable"; // the page must not jump sideways
  page.style.overflow = "hidden";
  return () => {
    for (const element of rest) element.inert = false;
    Object.assign(page.style, { overflow, scrollbarGutter });
  };
}
