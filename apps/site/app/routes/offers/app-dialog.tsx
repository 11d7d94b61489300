import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { createPortal } from "react-dom";
import type { OfferData } from "./offer-data.ts";
import { qrLabel, StoreLinks } from "./store-links.tsx";

export interface AppDialogProps {
  app: NonNullable<OfferData["app"]>;
  onClose: () => void;
}

/** The way from a computer to the app on a phone (product.md O5). Outside the page's panel, whose colours are made for its own ground. */
export function AppDialog({ app, onClose }: AppDialogProps) {
  return createPortal(
    <ModalDialog title="Open it on your phone" isOpen onClose={onClose}>
      <div className="app-modal">
        <QrDrawing qr={app.qr} label={qrLabel} />
        <p>Point your phone’s camera at the code. It takes you to our app in the right store.</p>
        <StoreLinks app={app} />
      </div>
    </ModalDialog>,
    document.body,
  );
}
