/** What gets the focus as a dialog opens. Without one of these, the dialog itself. */
const FIRST_FOCUS = "[data-first-focus], input:not([type=hidden]), select, textarea";

/**
 * Opens a `<dialog>` of modal-dialog.tsx over the page (U1). The browser keeps the focus inside. The first field gets the focus, otherwise the dialog
 * itself, so that its title is announced and nothing is pressed by mistake. It shows its start, however tall it is. `onClose` is called on Escape, the close button or a click on the background.
 * @returns what closes the dialog and restores the focus
 */
export function openDialog(
  dialog: HTMLDialogElement,
  { onClose, closesOnBackground = true }: { onClose: () => void; closesOnBackground?: boolean },
): () => void {
  const opener = document.activeElement;
  const opened = new AbortController();
  const listen: <Name extends keyof HTMLElementEventMap>(
    name: Name,
    act: (event: HTMLElementEventMap[Name]) => void,
  ) => void = (name, act) => dialog.addEventListener(name, act, { signal: opened.signal });
  let pressBegan: EventTarget | null = null;

  listen("cancel", (event) => {
    // A file field inside fires this event too.
    if (event.target !== dialog) return;
    event.preventDefault();
    onClose();
  });
  listen("pointerdown", ({ target }) => (pressBegan = target));
  listen("click", ({ target }) => {
    // A click on the background starts and ends outside. Dragging a selection out of a field does not close the dialog.
    const isOutside = target === dialog && pressBegan === dialog;
    const isClose = target instanceof Element && target.closest(".modal-dialog-close") !== null;
    if (isClose || (isOutside && closesOnBackground)) onClose();
  });

  dialog.dataset["modalWrap"] = "active";
  dialog.showModal();
  // showModal has scrolled a dialog that is taller than the window to its first control, past the title.
  dialog.scrollTop = 0;
  (dialog.querySelector<HTMLElement>(FIRST_FOCUS) ?? dialog).focus({ preventScroll: true });
  return () => {
    opened.abort();
    dialog.dataset["modalWrap"] = "inactive";
    dialog.close();
    // The browser does this too, but not if the dialog is removed from the page as it closes.
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  };
}
