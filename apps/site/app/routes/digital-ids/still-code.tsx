import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { CodePanel } from "./code-panel.tsx";

/** A code as the server worked it out, for pages without script: good until `until`, and then for another half minute at most. */
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
