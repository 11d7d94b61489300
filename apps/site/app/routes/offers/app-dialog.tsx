import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { createPortal } from "react-dom";
import type { OfferData } from "./offer-data.ts";
import { QR_LABEL, StoreLinks } from "./store-links.tsx";

export interface AppDialogProps {
  app: NonNullable<OfferData["app"]>;
  onClose: () => void;
}

/**
 * Leads from a computer to the app on a phone (O5). It is outside the page's panel, whose colours need the
 * panel's background.
 */
export function AppDialog({ app, onClose }: AppDialogProps) {
  return createPortal(
    <ModalDialog title="Open it on your phone" isOpen onClose={onClose}>
      <div className="app-modal">
        <QrDrawing qr={app.qr} label={QR_LABEL} />
        <p>Point your phone’s camera at the code. It takes you to our app in the right store.</p>
        <StoreLinks app={app} />
      </div>
    </ModalDialog>,
    document.body,
  );
}
