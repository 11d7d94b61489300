import { useEffect, useEffectEvent } from "react";

/**
 * Reports a choice that a person made in a select before the script loaded, or that the browser restored on return. Otherwise the page's own state
 * would revert it.
 */
export function useEarlyChoice(id: string, known: string, onChoice: (value: string) => void): void {
  const tell = useEffectEvent(() => {
    const select = document.getElementById(id);
    if (select instanceof HTMLSelectElement && select.value !== known) onChoice(select.value);
  });
  useEffect(() => tell(), []);
}
