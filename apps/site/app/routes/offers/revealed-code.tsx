import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import type { ReactNode } from "react";
import { REDEEMS } from "./redeems.ts";

interface RevealedCodeProps {
  code: string;
  /** Whether this page is the answer to "Reveal code". The focus moves to the code then. */
  isNew: boolean;
  /** The day it was revealed, in words: "yesterday", "on 18 November". */
  revealed: string;
  children: ReactNode;
}

/** Where the page shows the code, for addresses that lead to it. */
export const YOUR_CODE = "your-code";

/** The code, to select or to copy. */
export function RevealedCode({ code, isNew, revealed, children }: RevealedCodeProps) {
  return (
    <div
      id={YOUR_CODE}
      className="revealed"
      tabIndex={-1}
      role="group"
      aria-label="Your code"
      data-is-new={isNew ? "" : undefined}
    >
      <p className="revealed-code">
        <span className="label">Your code</span>
        <code id="offer-code" translate="no">
          {code}
        </code>
        {!isNew && <small>You revealed it {revealed}</small>}
      </p>
      <CopyButton target="offer-code" marks={REDEEMS} />
      {children}
    </div>
  );
}
