import { ModalDialog } from "@farthing/ui/dialogs/modal-dialog.tsx";
import { PRE_FLIGHT_DIALOG_ID } from "./pre-flight-dialog-id.ts";

/** Says what the pre-flight check found, before the member leaves. pre-flight.behaviour.ts fills and opens it. */
export function PreFlightDialog({ retailer }: { retailer: string }) {
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
      </div>
      <p>
        <button type="button" className="button is-quiet is-wide" data-go-on="" data-redeems="">
          Go on without cashback
        </button>
      </p>
    </ModalDialog>
  );
}
