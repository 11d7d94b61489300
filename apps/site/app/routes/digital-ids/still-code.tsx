import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { CodePanel } from "./code-panel.tsx";

/**
 * A code that the server has computed, for pages without script. It is valid until `until`, and for at most half a
 * minute longer.
 */
export interface ServerCode {
  code: string;
  qr: { size: number; path: string };
  checkHost: string;
  /** "14:32:30" */
  until: string;
}

export function StillCode({ code: { code, qr, checkHost, until } }: { code: ServerCode }) {
  return (
    <div className="still-code">
      <CodePanel code={code} checkHost={checkHost}>
        <QrDrawing qr={qr} label="QR code for the till" />
      </CodePanel>
      <p>
        Good until <b className="figures">{until}</b>. <a href="/digital-id?show=code#code">Get a new code</a>
      </p>
    </div>
  );
}
