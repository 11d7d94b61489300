import { CopyButton } from "@farthing/ui/buttons/copy-button.tsx";
import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { QrDrawing } from "@farthing/ui/qr-code/qr-drawing.tsx";
import type { PageLink } from "./page-link.ts";
import { PRE_FLIGHT_DIALOG_ID } from "./pre-flight-dialog-id.ts";

const LINK_ID = "pre-flight-link";

/**
 * Says what the pre-flight check found, before the member leaves, and what can be done: clear the way, open the page in
 * another browser or on another device, or go on all the same. A phone (coarse pointer) has its own way to share in place
 * of the QR code, which it can't point its camera at, and of the address in full. pre-flight.behaviour.ts fills and opens it.
 */
export function PreFlightDialog({ retailer, page }: { retailer: string; page: PageLink }) {
  return (
    <ModalDialog id={PRE_FLIGHT_DIALOG_ID} title="Your cashback may not arrive" isOpen={false}>
      <div className="prose">
        <div data-finding="blocked">
          <p>
            Your browser blocks <b data-host="" translate="no" />. That is how {retailer} tells us of your purchase: if
            it stays blocked, we learn nothing of it and can’t pay you.
          </p>
          <p>
            <b>What to do:</b> turn off your ad blocker or tracking protection for this site and for that address, or
            leave the network that filters it. Then press the button again.
          </p>
        </div>
        <div data-finding="no_cookies">
          <p>
            Your browser accepts no cookies. {retailer} recognises your purchase by one: without it we learn nothing of
            it and can’t pay you.
          </p>
          <p>
            <b>What to do:</b> allow cookies in your browser’s settings. Then press the button again.
          </p>
        </div>
        <p>
          <b>Or</b> open this page in another browser or <span className="pre-flight-at-computer">on your phone</span>
          <span className="pre-flight-at-phone">on another device</span>, log in there, and press the button there.
        </p>
      </div>
      <div className="pre-flight-elsewhere">
        <code id={LINK_ID} className="pre-flight-at-computer" translate="no">
          {page.address}
        </code>
        <CopyButton target={LINK_ID} what="link" />
        <button
          type="button"
          className="button is-quiet pre-flight-at-phone"
          data-shares={page.address}
          data-title={retailer}
          hidden
        >
          Share link
        </button>
        <details className="pre-flight-at-computer">
          <summary className="button is-quiet">Send to phone</summary>
          <QrDrawing qr={page.qr} label={`QR code that opens this page of ${retailer} on your phone`} />
          <p>Point your phone’s camera at the code.</p>
        </details>
        <button type="button" className="button is-quiet" data-go-on="" data-redeems="">
          Go on without cashback
        </button>
      </div>
    </ModalDialog>
  );
}
