import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";

/**
 * A modal dialog (U1). The browser keeps the focus inside, closes it on Escape and restores the focus. The first field gets the focus, otherwise the
 * dialog itself, so that its title is announced and nothing is pressed by mistake. The parent controls whether it is open; styles read
 * `data-modal-wrap`.
 */
export function ModalDialog({
  title,
  isOpen,
  onClose,
  children,
  closesOnBackground = true,
}: {
  title: string;
  isOpen: boolean;
  /** Called on Escape, the close button or a click on the background. The parent then sets `isOpen` to false, unless it has a reason not to. */
  onClose: () => void;
  children: ReactNode;
  closesOnBackground?: boolean;
}) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const pressBegan = useRef<EventTarget | null>(null);

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    const opener = document.activeElement;
    element.showModal();
    (
      element.querySelector<HTMLElement>("[data-first-focus], input:not([type=hidden]), select, textarea") ?? element
    ).focus();
    return () => {
      element.close();
      // The browser does this too, but not if the dialog is removed from the page as it closes.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [isOpen]);

  /** Closes on a click that starts and ends outside. Dragging a selection out of a field does not close the dialog. */
  function onClick(event: MouseEvent<HTMLDialogElement>) {
    if (closesOnBackground && event.target === dialog.current && pressBegan.current === dialog.current) onClose();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard equivalent of the background
    <dialog
      ref={dialog}
      className="modal-dialog"
      data-modal-wrap={isOpen ? "active" : "inactive"}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        // A file field inside fires this event too.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => (pressBegan.current = event.target)}
      onClick={onClick}
    >
      <div className="modal-dialog-box">
        <h2 id={titleId} className="display">
          {title}
        </h2>
        {children}
        <button type="button" className="modal-dialog-close" onClick={onClose}>
          <span className="visually-hidden">Close</span>
          <svg width="16" height="16" viewBox="0 0 14 14" aria-hidden="true">
            <path d="m2 2 10 10M12 2 2 12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      </div>
    </dialog>
  );
}
