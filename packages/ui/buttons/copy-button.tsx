import { useEffect, useState } from "react";

/**
 * Copies `text`. After a successful copy it reads "Copied" and calls `onCopied` (seed section 4). Where the clipboard is closed
 * to us it selects the text of `fallbackTarget`, so that the person's own copy command is one key away, and says so.
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
  // Without script there is nothing behind the button; it is shown once there is.
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
