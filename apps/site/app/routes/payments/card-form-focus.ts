/**
 * How long the page around the frame may take to open the card form (packages/widget/src/deadline.ts: fifteen seconds), and a
 * little more.
 */
const OPENS_WITHIN_MS = 17_000;

/**
 * Calls `onChange` with true each time that the card form that this page asked for seems closed, or when none has opened, and
 * with false when it seems open after all. No message says so (W3): the card form takes the focus from the frame, and gives it
 * back when it closes. Another application takes it too, before the form opens: so the next change has the last word. Another
 * tab hides the page and says nothing. Call it before the form is asked for.
 */
export function whenCardFormCloses(onChange: (isClosed: boolean) => void, signal: AbortSignal): void {
  let isAway = !document.hasFocus();
  let isClosed = false;
  const tell = (closed: boolean) => {
    if (!signal.aborted && isClosed !== closed) onChange((isClosed = closed));
  };
  setTimeout(() => tell(isClosed || document.hasFocus()), OPENS_WITHIN_MS);
  window.addEventListener(
    "blur",
    () => {
      if (document.visibilityState === "hidden") return;
      isAway = true;
      tell(false);
    },
    { signal },
  );
  window.addEventListener("focus", () => tell(isAway), { signal });
}
