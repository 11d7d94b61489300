import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import type { OfferData } from "./offer-data.ts";
import { QR_LABEL, StoreLinks } from "./store-links.tsx";

export const APP_DIALOG_ID = "app-dialog";

/**
 * Leads from a computer to the app on a phone (O5). It is outside the page's panel, whose colours need the
 * panel's background. app-dialog.behaviour.ts opens it.
 */
export function AppDialog({ app }: { app: NonNullable<OfferData["app"]> }) {
  return (
    <ModalDialog id={APP_DIALOG_ID} title="Open it on your phone" isOpen={false}>
      <div className="app-modal">
        <QrDrawing qr={app.qr} label={QR_LABEL} />
        <p>Point your phone’s camera at the code. It takes you to our app in the right store.</p>
        <StoreLinks app={app} />
      </div>
    </ModalDialog>
  );
}
