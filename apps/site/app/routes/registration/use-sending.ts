import { useEffect, useState } from "react";

/** After this time no answer is expected, and the page can be used again. */
const SENDING_TIMEOUT_MS = 15_000;

/**
 * Returns whether the form is being sent, for the overlay. It ends after a time limit, and when the person comes back
 * to the page.
 */
export function useSending(): { isSending: boolean; send: () => void } {
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    const stop = () => setSending(false);
    const timer = isSending ? window.setTimeout(stop, SENDING_TIMEOUT_MS) : undefined;
    window.addEventListener("pageshow", stop);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener("pageshow", stop);
    };
  }, [isSending]);
  return { isSending, send: () => setSending(true) };
}
