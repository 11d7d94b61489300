import { PRE_FLIGHT_PARAMETER, type PreFlightFinding } from "@farthing/core/clicks/pre-flight.ts";
import { openDialog } from "@farthing/ui/dialogs/open-dialog.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { type OpeningVerdict, setOpeningCheck } from "../../ui/forms/opening-check.ts";
import { checkPreFlight, type PreFlight } from "./pre-flight-check.ts";
import { PRE_FLIGHT_DIALOG_ID } from "./pre-flight-dialog-id.ts";

/** How much longer than the loading button's half second a click waits for an answer. */
const MAX_WAIT_MS = 300;

/**
 * Checks, once a deal button is pressed, whether the browser reaches the network that records the purchase (C1). The
 * check runs during the half second in which the button shows its spinner (O6), so it delays nothing. The finding goes
 * with the click.
 */
export const preFlight: Behaviour = {
  start(root) {
    root.addEventListener(
      "click",
      ({ target }) => {
        const control = target instanceof Element ? target.closest<HTMLElement>("[data-checked-by]") : null;
        if (control && !control.classList.contains("is-busy"))
          setOpeningCheck(control, startCheck(control.dataset["checkedBy"] ?? ""));
      },
      { capture: true }, // before the button itself handles the press
    );
  },
};

function startCheck(checkedBy: string) {
  let result: PreFlight | null = null;
  let onResult = (): void => {};
  void checkPreFlight(checkedBy).then((found) => {
    result = found;
    onResult();
  });
  return {
    settle(act: (verdict: OpeningVerdict) => void): void {
      if (result) return act(verdictOf(result));
      const timer = window.setTimeout(() => {
        onResult = () => {};
        act(verdictOf({ host: null, finding: "slow" }));
      }, MAX_WAIT_MS);
      onResult = () => {
        window.clearTimeout(timer);
        if (result) act(verdictOf(result));
      };
    },
  };
}

function verdictOf({ host, finding }: PreFlight): OpeningVerdict {
  return {
    isClear: finding === null || finding === "healthy" || finding === "slow",
    addressOf: (address) => withFinding(address, finding),
    explain: (goOn) => explain({ host, finding }, goOn),
  };
}

function withFinding(address: string, finding: PreFlightFinding | null): string {
  if (finding === null) return address;
  return `${address}${address.includes("?") ? "&" : "?"}${PRE_FLIGHT_PARAMETER}=${finding}`;
}

/** Opens the dialog that says what would fail and what to do. */
function explain({ host, finding }: PreFlight, goOn: () => void): void {
  const dialog = document.getElementById(PRE_FLIGHT_DIALOG_ID);
  if (!(dialog instanceof HTMLDialogElement)) return goOn();
  for (const part of dialog.querySelectorAll<HTMLElement>("[data-finding]"))
    part.hidden = part.dataset["finding"] !== finding;
  for (const name of dialog.querySelectorAll("[data-host]")) name.textContent = host;
  const close = openDialog(dialog, { onClose: () => close() });
  const button = dialog.querySelector<HTMLButtonElement>("[data-go-on]");
  if (button)
    button.onclick = () => {
      close();
      goOn();
    };
}
