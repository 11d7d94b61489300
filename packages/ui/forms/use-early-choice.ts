import { useEffect, useEffectEvent } from "react";

/**
 * Calls `onChoice` with a select's value where the person chose it before the script loaded, or the browser restored it
 * on Back. Without it, the page's own state would undo the choice.
 */
export function useEarlyChoice(id: string, known: string, onChoice: (value: string) => void): void {
  const tell = useEffectEvent(() => {
    const select = document.getElementById(id);
    if (select instanceof HTMLSelectElement && select.value !== known) onChoice(select.value);
  });
  useEffect(() => tell(), []);
}
