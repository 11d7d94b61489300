import { PRE_FLIGHT_PARAMETER, type PreFlightFinding } from "@farthing/core/clicks/pre-flight.ts";
import { openDialog } from "@farthing/ui/dialogs/open-dialog.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { type OpeningCheck, openingChecks } from "../../ui/forms/opening-check.ts";
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
        if (control && !control.classList.contains("is-busy")) openingChecks.set(control, startCheck(control));
      },
      { capture: true }, // before the button itself handles the press
    );
  },
};

/** Starts the check. What it returns waits for the finding, for 300 ms at most. */
function startCheck(control: Element): OpeningCheck {
  let found: PreFlight | null = null;
  let onFound = (): void => {};
  void checkPreFlight(control.getAttribute("data-checked-by") ?? "").then((result) => {
    found = result;
    onFound();
  });
  return (address, open, release) => {
    const settle = (preFlight: PreFlight) => {
      onFound = () => {};
      if (!control.classList.contains("is-busy")) return; // the person has left the page and come back
      const withIt = withFinding(address, preFlight.finding);
      if (!isBad(preFlight)) return open(withIt);
      release();
      explain(preFlight, () => open(withIt));
    };
    if (found) return settle(found);
    const timer = window.setTimeout(() => settle({ host: null, finding: "slow" }), MAX_WAIT_MS);
    onFound = () => {
      window.clearTimeout(timer);
      if (found) settle(found);
    };
  };
}

function isBad({ finding }: PreFlight): boolean {
  return finding === "blocked" || finding === "no_cookies";
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
