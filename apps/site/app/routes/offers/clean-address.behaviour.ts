import type { Behaviour } from "../../behaviours/behaviour.ts";

/**
 * Removes the token of a reveal from the address (Y5): spent or not, it must not end up in a history, bookmark or
 * screenshot.
 */
export const cleanAddress: Behaviour = {
  selector: "[data-clean-address]",
  start: ({ dataset }) => history.replaceState(history.state, "", dataset["cleanAddress"]),
};
