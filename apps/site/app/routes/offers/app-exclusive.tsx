import { phoneOf } from "@farthing/core/brands/store-links.ts";
import { ModalDialog } from "@farthing/ui/modal-dialog.tsx";
import { QrDrawing } from "@farthing/ui/qr-drawing.tsx";
import { type MouseEvent, useState } from "react";
import { createPortal } from "react-dom";
import type { OfferData } from "./offer-page.tsx";

const qrLabel = "QR code that opens our app on your phone";

/**
 * An offer for the app (product.md O5). The button goes to an address that knows a phone's store; on a computer it opens a dialog with a QR code of
 * that address. Without script the same address leads back here, to the code and both links (`:target`). Nobody goes to the retailer, so it never counts as
 * redeemed.
 */
export function AppExclusive({ data: { offer, app } }: { data: OfferData & { app: NonNullable<OfferData["app"]> } }) {
  const [isOpen, setOpen] = useState(false);

  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (phoneOf(navigator.userAgent) || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    setOpen(true);
  }

  return (
    <>
      <a
        className="button is-large is-wide"
        href={`/go/app/${offer.publicId}`}
        aria-describedby="deal-hint"
        onClick={click}
      >
        Use it in the app
      </a>
      <p id="deal-hint" className="deal-hint">
        For your phone. Log in there with the same e-mail
      </p>
      <div id="app-links" className="app-links">
        <QrDrawing qr={app.qr} label={qrLabel} />
        <StoreLinks app={app} />
      </div>
      {isOpen &&
        // Outside the panel, whose colours are made for its own ground.
        createPortal(
          <ModalDialog title="Open it on your phone" isOpen onClose={() => setOpen(false)}>
            <div className="app-modal">
              <QrDrawing qr={app.qr} label={qrLabel} />
              <p>Point your phone’s camera at the code. It takes you to our app in the right store.</p>
              <StoreLinks app={app} />
            </div>
          </ModalDialog>,
          document.body,
        )}
    </>
  );
}

function StoreLinks({ app: { storeLinks } }: { app: NonNullable<OfferData["app"]> }) {
  return (
    <ul className="store-links" role="list">
      {storeLinks.ios && (
        <li>
          <a href={storeLinks.ios}>App Store, for iPhone</a>
        </li>
      )}
      {storeLinks.android && (
        <li>
          <a href={storeLinks.android}>Google Play, for Android</a>
        </li>
      )}
    </ul>
  );
}
