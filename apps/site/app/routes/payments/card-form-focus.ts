/**
 * How long the page around the frame may take to open the card form (packages/widget/src/deadline.ts: fifteen seconds), and a
 * little more.
 */
const OPENS_WITHIN_MS = 17_000;

/**
 * Calls `onClosed` once: when the card form that this page asked for has closed, or when none has opened. No message says
 * so (W3): the card form takes the focus from the frame, and gives it back when it closes. It does neither where it did not
 * open. Call it before the form is asked for.
 */
export function whenCardFormCloses(onClosed: () => void, signal: AbortSignal): void {
  let isAway = !document.hasFocus();
  let isClosed = false;
  const close = (wasOpen: boolean) => {
    if (isClosed || signal.aborted || isAway !== wasOpen) return;
    isClosed = true;
    onClosed();
  };
  setTimeout(close, OPENS_WITHIN_MS, false);
  window.addEventListener("blur", () => (isAway = true), { signal });
  window.addEventListener("focus", () => close(true), { signal });
}
