import { adoptStyle } from "./adopt-style.ts";
import { colourButton } from "./button-colour.ts";
import { isolateModal } from "./isolate-modal.ts";
import type { Words } from "./words.ts";

/**
 * loading -> ready -> processing -> ready (declined) or closed (paid); loading -> retry -> loading; loading -> failed, whose button closes
 * the modal. The payer can close the modal in every state except processing (W7).
 */
export type ModalState = "loading" | "ready" | "processing" | "retry" | "failed" | "closed";

export type PaymentModal = {
  /** The element that holds the card provider's form. */
  readonly fields: HTMLElement;
  readonly state: ModalState;
  /** Changes the state. `notice` is shown and announced; default: empty. */
  show(state: ModalState, notice?: string): void;
  /** Closes the modal if the payer may close it in this state. */
  dismiss(): void;
  /** Closes the modal in any state. Can be called twice. */
  close(): void;
};

/** Opens the "Payment" dialog: a dimmed page, space for the card form, one button (W7). Not a <dialog>: its top layer would cover 3DS. */
export function openPaymentModal(options: {
  words: Words;
  /** The button's, with the amount. */
  label: string;
  colour: string | undefined;
  /** The frame that requested the payment. It gets the focus when the modal closes. */
  opener: HTMLElement;
  onPay: () => void;
  onRetry: () => void;
  onClose: () => void;
}): PaymentModal {
  const { words } = options;
  let state: ModalState = "loading";
  let pressedOnBackdrop = false;
  const overlay: HTMLElement = create("div", {
    // A page that shows a scrollbar keeps its space, so that nothing shifts.
    className: `farthing-modal${innerWidth > document.documentElement.clientWidth ? " farthing-scrolls" : ""}`,
    lang: words.lang, // whatever the page's is
    // Blocks, not expressions: a handler that returns false cancels the event.
    onpointerdown({ target }) {
      pressedOnBackdrop = target === overlay;
    },
    onclick({ target }) {
      if (target === overlay && pressedOnBackdrop) dismiss();
    },
  });
  const dialog = create("div", { role: "dialog", ariaLabel: words.title, tabIndex: -1 });
  const form = create("form", {
    onsubmit(event) {
      event.preventDefault();
      if (state === "ready") options.onPay();
      else if (state === "retry") options.onRetry();
      else dismiss();
    },
  });
  const fields = create("div");
  const notice = create("div", { role: "alert" });
  const status = create("div", { role: "status" });
  const button = create("button");
  const label = document.createTextNode("");
  const spinner = create("i");

  function show(next: ModalState, text = ""): void {
    if (state === "closed") return;
    const refused = state === "processing" && next === "ready";
    state = next;
    // A disabled button loses the focus: the dialog takes it, and returns it to the button afterwards.
    if (document.activeElement === button) dialog.focus();
    const processing = next === "processing";
    const usable = !processing && next !== "loading";
    button.disabled = !usable;
    label.data = next === "retry" ? words.retry : next === "failed" ? words.close : options.label;
    // A challenge that has ended takes the focus with it. Only the card fields keep it.
    if (refused && !fields.contains(document.activeElement)) button.focus();
    if (processing) button.prepend(spinner);
    else if (next === "loading") fields.before(spinner);
    else spinner.remove();
    status.textContent = processing ? words.processing : "";
    dialog.ariaBusy = String(spinner.isConnected);
    // During a payment the provider can open a challenge outside this dialog. It must not be hidden from assistive technology.
    dialog.ariaModal = String(!processing);
    notice.textContent = text;
    colourButton(button, options.colour, !usable);
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
    if (event.key !== "Escape") return;
    event.stopPropagation();
    dismiss();
  }

  document.addEventListener("keydown", onKey, true);
  button.append(label);
  form.append(status, fields, notice, button);
  dialog.append(create("h2", { textContent: words.title }), form);
  // Two extra focus stops keep Tab inside the dialog, without taking the focus from a frame of the card provider.
  overlay.append(
    create("div", { tabIndex: 0, onfocus: () => (button.disabled ? dialog : button).focus() }),
    dialog,
    create("div", { tabIndex: 0, onfocus: () => dialog.focus() }),
  );
  adoptStyle();
  const restorePage = isolateModal(dialog);
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

function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties?: Partial<HTMLElement>,
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), properties);
}
