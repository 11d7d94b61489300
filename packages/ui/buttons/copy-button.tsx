import { useEffect, useState } from "react";

/**
 * Copies `text` (O3). After a successful copy it reads "Copied" and calls `onCopied`. If the clipboard is not available, it selects the text of
 * `fallbackTarget` and says so, so that the person can copy it with a key.
 */
export function CopyButton({
  text,
  fallbackTarget,
  onCopied,
}: {
  text: string;
  fallbackTarget: string;
  onCopied?: () => void;
}) {
  const [outcome, setOutcome] = useState<"idle" | "copied" | "selected">("idle");
  const [isReady, setReady] = useState(false);
  // Without script the button has no function; it is enabled once the script runs.
  useEffect(() => setReady(true), []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
      onCopied?.();
    } catch {
      setOutcome(selectText(fallbackTarget) ? "selected" : "idle");
    }
  }

  return (
    <>
      <button type="button" className="button copy-button needs-script" disabled={!isReady} onClick={() => void copy()}>
        {outcome === "copied" ? "Copied" : "Copy code"}
      </button>
      <span role="status" className={outcome === "selected" ? "copy-status" : "visually-hidden"}>
        {outcome === "copied" && "The code is copied."}
        {outcome === "selected" && "Your browser does not let us copy. The code is selected: copy it from there."}
      </span>
    </>
  );
}

function selectText(id: string): boolean {
  const target = document.getElementById(id);
  const selection = window.getSelection();
  if (!target || !selection) return false;
  selection.selectAllChildren(target);
  return true;
}
