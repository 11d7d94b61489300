import { useEffect, useEffectEvent } from "react";

/**
 * Tells what a person chose in a select before the script was there, or what the browser put in again on coming back: without it the page's
 * own state would undo the choice.
 */
export function useEarlyChoice(id: string, known: string, onChoice: (value: string) => void): void {
  const tell = useEffectEvent(() => {
    const select = document.getElementById(id);
    if (select instanceof HTMLSelectElement && select.value !== known) onChoice(select.value);
  });
  useEffect(() => tell(), []);
}
