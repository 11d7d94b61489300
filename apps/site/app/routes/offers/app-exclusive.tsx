import { phoneOf } from "@farthing/core/brands/store-links.ts";
import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import { type ComponentType, type MouseEvent, useState } from "react";
import { lazyChunks } from "../../lazy-chunks.ts";
import type { AppDialogProps } from "./app-dialog.tsx";
import type { OfferData } from "./offer-data.ts";
import { QR_LABEL, StoreLinks } from "./store-links.tsx";

/**
 * An offer that only the app has (O5). The button leads to an address that knows a phone's store; on a computer it
 * opens a dialog with a QR code of that address. Without script the address leads back here, to the code and both links
 * (`:target`). Nobody goes to the retailer, so it never counts as redeemed.
 */
export function AppExclusive({ data: { offer, app } }: { data: OfferData & { app: NonNullable<OfferData["app"]> } }) {
  const [Dialog, setDialog] = useState<ComponentType<AppDialogProps> | null>(null);

  function click(event: MouseEvent<HTMLAnchorElement>) {
    if (phoneOf(navigator.userAgent) || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    loadModule(lazyChunks.appDialog, () => import("./app-dialog.tsx")).then(
      ({ AppDialog }) => setDialog(() => AppDialog),
      () => window.location.assign(href), // works without the dialog's script
    );
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
        <QrDrawing qr={app.qr} label={QR_LABEL} />
        <StoreLinks app={app} />
      </div>
      {Dialog && <Dialog app={app} onClose={() => setDialog(null)} />}
    </>
  );
}
