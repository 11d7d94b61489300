/** The modal's layer (W7). */
const LAYER = 1000;

/**
 * Returns what the developer has to change, if something on the page would lie above the modal and keep it from the payer. A `<dialog>` opened
 * with `showModal()` is above every z-index and makes the rest inert, the card provider's challenge (3-D Secure) too, which the provider adds to
 * the body: so the modal can't go above such a dialog or into it. Another element is above by its z-index. The window's centre shows it, where
 * the modal will be. Ask before the rest of the page is inert: an inert element isn't found.
 */
export function findObstacle(): string | undefined {
  const probe = document.createElement("div");
  // Whatever the page's rules for such an element are.
  probe.style.cssText = `all:initial!important;position:fixed!important;inset:0!important;z-index:${LAYER}!important;display:block!important`;
  document.body.append(probe);
  const { left, top, width, height } = probe.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  probe.remove();
  if (!found || found === probe) return undefined;
  return `farthing-widget: ${nameLayer(found)} covers the card form. Open a dialog with show(), not showModal(), and keep z-index below ${LAYER}`;
}

/** Names the element around `inner` that is above the modal. One in a closed shadow root has no name. */
function nameLayer(inner: Element): string {
  for (let at: Element | null = inner; at; at = at.parentElement)
    if (at.matches(":modal") || Number(getComputedStyle(at).zIndex) >= LAYER)
      return `<${at.localName}${at.id && ` id="${at.id}"`}>`;
  return "a dialog";
}
