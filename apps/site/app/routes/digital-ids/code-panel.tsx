import { groupedCode, STEP_SECONDS } from "@farthing/core/digital-ids/rules.ts";
import type { ReactNode } from "react";

/** The code to scan, and to type. It is dark on white in every colour scheme, because scanners need that. */
export function CodePanel({
  code,
  checkHost,
  secondsLeft,
  children,
}: {
  code: string;
  /** Host of the check page, for people who type the code. */
  checkHost: string;
  /** Left out where there is no countdown. */
  secondsLeft?: number;
  /** The QR code. */
  children: ReactNode;
}) {
  return (
    <div className="code-panel">
      {children}
      <p className="code-panel-code" translate="no">
        {groupedCode(code)}
      </p>
      {secondsLeft !== undefined && (
        <div className="code-panel-time">
          <progress max={STEP_SECONDS} value={secondsLeft} aria-label="Time until the next code" />
          <p role="timer">
            New code in <b className="figures">{secondsLeft}</b> s
          </p>
        </div>
      )}
      <p className="code-panel-help">
        To check it, scan the code or type it at{" "}
        <b translate="no">
          {checkHost}
          <wbr />
          /check
        </b>
      </p>
    </div>
  );
}
