import { adoptStyle } from "./adopt-style.ts";
import { colourButton } from "./button-colour.ts";
import { isolateModal } from "./isolate-modal.ts";

/**
 * loading -> ready -> processing -> ready (refused) or closed (paid); loading -> failed, which can only be closed.
 * Closing by the payer is possible in every state but processing (seed section 4).
 */
export type ModalState = "loading" | "ready" | "processing" | "failed" | "closed";

export type PaymentModal = {
  /** Where the card provider's form goes. */
  readonly fields: HTMLElement;
  readonly state: ModalState;
  /** Changes state; `notice` is shown and announced, and is empty unless given. */
  show(state: ModalState, notice?: string): void;
  /** Closes if the payer may close now. */
  dismiss(): void;
  /** Closes whatever the state. Safe to call twice. */
  close(): void;
};

/** Opens the dialog "Payment": a dimmed page, room for the card form, one button (W7). Never a <dialog>: its top layer would cover 3DS. */
export function openPaymentModal(options: {
  label: string;
  colour: string | undefined;
  /** Takes the focus back on closing: the frame that asked for the payment. */
  opener: HTMLElement;
  onPay: () => void;
  onClose: () => void;
}): PaymentModal {
  const overlay = create("div", { className: "farthing-modal" });
  const dialog = create("div", { role: "dialog", tabIndex: -1 });
  const title = create("h2", { id: "farthing-title", textContent: "Payment" });
  const form = create("form");
  const fields = create("div");
  const notice = create("div", { role: "alert" });
  const status = create("div", { role: "status" });
  const button = create("button");
  const spinner = create("i");
  // Two extra stops keep Tab inside without ever pulling focus out of a frame that belongs to the card provider.
  const first = create("div", { tabIndex: 0 });
  const last = create("div", { tabIndex: 0 });
  let state: ModalState = "loading";
  let pressedOnBackdrop = false;

  function show(next: ModalState, text = ""): void {
    if (state === "closed") return;
    const refused = state === "processing" && next === "ready";
    state = next;
    // A disabled button drops the focus on the floor: the dialog holds it meanwhile, and gives it back.
    if (document.activeElement === button) dialog.focus();
    button.disabled = next !== "ready";
    if (refused && document.activeElement === dialog) button.focus();
    const busy = next === "loading" ? "Loading" : next === "processing" ? "Processing payment" : "";
    if (busy) (next === "loading" ? fields : button).prepend(spinner);
    else spinner.remove();
    status.textContent = busy;
    dialog.ariaBusy = String(!!busy);
    // While paying, the provider may open a challenge outside this dialog: it must not be hidden from assistive technology.
    dialog.ariaModal = String(next !== "processing");
    notice.textContent = text;
    colourButton(button, options.colour, next !== "ready");
  }

  function close(): void {
    if (state === "closed") return;
    state = "closed";
    document.removeEventListener("keydown", onKey, true);
    overlay.remove();
    restorePage();
    options.opener.focus({ preventScroll: true });
    options.onClose();
  }

  function dismiss(): void {
    if (state !== "processing") close();
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    dismiss();
  }

  overlay.addEventListener("pointerdown", (event) => (pressedOnBackdrop = event.target === overlay));
  overlay.addEventListener("click", (event) => {
    if (event.target === overlay && pressedOnBackdrop) dismiss();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state === "ready") options.onPay();
  });
  first.addEventListener("focus", () => (button.disabled ? dialog : button).focus());
  last.addEventListener("focus", () => dialog.focus());
  document.addEventListener("keydown", onKey, true);

  dialog.setAttribute("aria-labelledby", title.id);
  button.append(options.label);
  form.append(status, fields, notice, button);
  dialog.append(title, form);
  overlay.append(first, dialog, last);
  adoptStyle();
  const restorePage = isolateModal();
  document.body.append(overlay);
  show("loading");
  dialog.focus();

  return {
    fields,
    get state() {
      return state;
    },
    show,
    dismiss,
    close,
  };
}

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, properties?: Partial<HTMLElement>): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
