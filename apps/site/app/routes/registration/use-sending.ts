import { useEffect, useState } from "react";

/** An answer that has not come by then will not: the page is given back. */
const giveBackAfterMs = 15_000;

/** Whether the form is on its way, for the overlay; not for longer than it can take, nor on coming back to the page. */
export function useSending(): { isSending: boolean; send: () => void } {
  const [isSending, setSending] = useState(false);
  useEffect(() => {
    const stop = () => setSending(false);
    const timer = isSending ? window.setTimeout(stop, giveBackAfterMs) : undefined;
    window.addEventListener("pageshow", stop);
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener("pageshow", stop);
    };
  }, [isSending]);
  return { isSending, send: () => setSending(true) };
}
