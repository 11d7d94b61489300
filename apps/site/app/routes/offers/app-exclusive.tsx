import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { APP_DIALOG_ID } from "./app-dialog.tsx";
import type { OfferData } from "./offer-data.ts";
import { QR_LABEL, StoreLinks } from "./store-links.tsx";

/**
 * An offer that only the app has (O5). The button leads to an address that knows a phone's store; on a computer it
 * opens a dialog with a QR code of that address. Without script the address leads back here, to the code and both links
 * (`:target`). Nobody goes to the retailer, so it never counts as redeemed.
 */
export function AppExclusive({ data: { offer, app } }: { data: OfferData & { app: NonNullable<OfferData["app"]> } }) {
  return (
    <>
      <a
        className="button is-large is-wide"
        href={`/go/app/${offer.publicId}`}
        aria-describedby="deal-hint"
        data-opens-dialog={APP_DIALOG_ID}
        data-tracking="extra_offer_button_click"
      >
        Use it in the app
      </a>
      <p id="deal-hint" className="deal-hint">
        For your phone. Log in there with the same e-mail
      </p>
      <div id="app-links" className="app-links">
        <QrDrawing qr={app.qr} label={QR_LABEL} />
        <StoreLinks app={app} />
      </div>
    </>
  );
}
