import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";
import { openDialog } from "./open-dialog.ts";

/**
 * A modal dialog (U1): open-dialog.ts says what it does with the focus and when it closes. The parent controls whether it is open; styles read
 * `data-modal-wrap`. In a page that React does not take over, `isOpen` is false and a script opens it with `openDialog`.
 */
export function ModalDialog({
  id,
  title,
  isOpen,
  onClose,
  children,
  closesOnBackground = true,
}: {
  id: string;
  title: string;
  isOpen: boolean;
  /** Called on Escape, the close button or a click on the background. The parent then sets `isOpen` to false, unless it has a reason not to. */
  onClose?: () => void;
  children: ReactNode;
  closesOnBackground?: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(() => onClose?.());

  useLayoutEffect(() => {
    if (!isOpen || !dialog.current) return;
    return openDialog(dialog.current, { onClose: () => close(), closesOnBackground });
  }, [isOpen, closesOnBackground]);

  return (
    <dialog
      ref={dialog}
      id={id}
      className="modal-dialog"
      data-modal-wrap={isOpen ? "active" : "inactive"}
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
    >
      <div className="modal-dialog-box">
        <h2 id={`${id}-title`} className="display">
          {title}
        </h2>
        {children}
        <button type="button" className="modal-dialog-close">
          <span className="visually-hidden">Close</span>
          <svg width="16" height="16" viewBox="0 0 14 14" aria-hidden="true">
            <path d="m2 2 10 10M12 2 2 12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </button>
      </div>
    </dialog>
  );
}
