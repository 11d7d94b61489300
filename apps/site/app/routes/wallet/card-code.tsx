import { BarDrawing } from "@farthing/ui/bar-code/bar-drawing.tsx";
import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import type { ReactNode } from "react";
import type { ShownCard } from "./shown-card.ts";

/** A card with its code, for the till, for typing and for printing (G6). */
export function CardCode({ card, children }: { card: ShownCard; children?: ReactNode }) {
  const { publicId, name, value, expires, code, pin, url, bar, qr } = card;
  return (
    <section className="gift-card-code" tabIndex={-1} aria-labelledby={`card-${publicId}`} data-is-new="">
      <h2 id={`card-${publicId}`} className="display section-title">
        {name}, {value}
      </h2>
      {bar && <BarDrawing bar={bar} label="Barcode for the till" />}
      {qr && <QrDrawing qr={qr} label="QR code for the till" />}
      <dl className="gift-card-secrets">
        <div>
          <dt>Code</dt>
          <dd>
            <code id={`code-${publicId}`} translate="no">
              {code}
            </code>
          </dd>
        </div>
        {pin !== null && (
          <div>
            <dt>PIN</dt>
            <dd>
              <code translate="no">{pin}</code>
            </dd>
          </div>
        )}
        {expires !== null && (
          <div>
            <dt>Valid until</dt>
            <dd>{expires}</dd>
          </div>
        )}
      </dl>
      <div className="gift-card-tools no-print">
        <CopyButton target={`code-${publicId}`} />
        {url !== null && (
          <a className="button is-quiet" href={url} target="_blank" rel="noopener noreferrer">
            Open at the issuer
          </a>
        )}
        {children}
      </div>
    </section>
  );
}
