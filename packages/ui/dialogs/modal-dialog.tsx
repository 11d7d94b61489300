import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";

/**
 * A dialog over the page, which is out of reach meanwhile: the browser keeps the focus inside, closes on Escape and gives the focus back to what
 * had it. It begins in the first field, or else on the dialog itself, so that its title is read out and nothing can be pressed by mistake.
 * Whether it is open is the parent's to say; `data-modal-wrap` tells styles (seed section 4).
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
  /** Escape, the close button or a press on the background: the parent sets `isOpen` to false, or has a reason not to. */
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
      // The browser does this itself, but not where the dialog leaves the page as it closes.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [isOpen]);

  /** Only a press that begins and ends outside: dragging a selection out of a field closes nothing. */
  function onClick(event: MouseEvent<HTMLDialogElement>) {
    if (closesOnBackground && event.target === dialog.current && pressBegan.current === dialog.current) onClose();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the key for the background is Escape
    <dialog
      ref={dialog}
      className="modal-dialog"
      data-modal-wrap={isOpen ? "active" : "inactive"}
      aria-labelledby={titleId}
      tabIndex={-1}
      onCancel={(event) => {
        // A file field inside cancels too.
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
