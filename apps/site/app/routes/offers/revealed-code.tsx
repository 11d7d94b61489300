import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { type ReactNode, useEffect, useRef, useState } from "react";

interface RevealedCodeProps {
  code: string;
  /** Whether this page is the answer to "Reveal code". */
  isNew: boolean;
  /** The day it was revealed, in words: "yesterday", "on 18 November". */
  revealed: string;
  children: ReactNode;
}

/** The code, to select or to copy. */
export function RevealedCode({ code, isNew, revealed, children }: RevealedCodeProps) {
  const [isCopied, setCopied] = useState(false);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!isNew) return;
    // The page is a new one. Move the focus to the code, for people who cannot see that it is there.
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [isNew]);

  return (
    <div className="revealed" ref={panel} tabIndex={-1} role="group" aria-label="Your code">
      <p className="revealed-code" data-copied={isCopied ? "" : undefined}>
        <span className="label">Your code</span>
        <code id="offer-code" translate="no">
          {code}
        </code>
        {!isNew && <small>You revealed it {revealed}</small>}
      </p>
      <CopyButton text={code} fallbackTarget="offer-code" onCopied={() => setCopied(true)} />
      {children}
    </div>
  );
}
