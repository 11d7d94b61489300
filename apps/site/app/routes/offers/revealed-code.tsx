import { CopyButton } from "@farthing/ui/copy-button.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";

/**
 * The code, to select or to copy. The address that brought it is cleaned at once (product.md Y5): it holds a token, spent or not, that
 * belongs in no history, bookmark or screenshot.
 */
export function RevealedCode({ code, cleanPath, children }: { code: string; cleanPath: string; children: ReactNode }) {
  const [isCopied, setCopied] = useState(false);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    window.history.replaceState(window.history.state, "", cleanPath);
    // The page is a new one: whoever can't see that the code is there is brought to it.
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [cleanPath]);

  return (
    <div className="revealed" ref={panel} tabIndex={-1} role="group" aria-label="Your code">
      <p className="revealed-code" data-copied={isCopied ? "" : undefined}>
        <span className="label">Your code</span>
        <code id="offer-code" translate="no">
          {code}
        </code>
      </p>
      <CopyButton text={code} fallbackTarget="offer-code" onCopied={() => setCopied(true)} />
      {children}
    </div>
  );
}
