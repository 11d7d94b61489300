import { choosePageEvent } from "./choose-page-event.ts";
import { pushClicked, pushLoaded } from "./data-layer.ts";
import { loadTagManager } from "./load-tag-manager.ts";
import { sendEvent } from "./send-event.ts";
import type { GlobalData, PageVariables, TelemetryEvent } from "./telemetry-events.ts";

export interface TelemetryOptions {
  variables: PageVariables;
  sessionId: string;
  /** Returns whether the person agrees to events now. Asked before each one, because another tab may have taken the consent back. */
  sendsEvents(): boolean;
  /** Returns whether the person agrees to pushes for the tag manager now. Asked before each one. */
  pushesData(): boolean;
}

/**
 * Starts what the person has agreed to on this page: events for the collector, where the feature flag allows them (T1), and the data layer with its tag
 * manager (T4). Sends and pushes what belongs to the opened page, then what is clicked, each only if it is agreed to at that moment. It listens beside the page's own script, before it and without waiting for
 * anything, so that no click is delayed.
 * @returns what stops it and empties the data layer
 */
export function startTelemetry({ variables, sessionId, sendsEvents, pushesData }: TelemetryOptions): () => void {
  const isSending = () => variables.TELEMETRY_ENABLED && sendsEvents();
  const global: GlobalData = {
    userId: variables.TELEMETRY_USER_ID,
    sessionId,
    affinityId: variables.TELEMETRY_AFFINITY_ID,
  };
  const send = (event: TelemetryEvent) => sendEvent(variables.TELEMETRY_API_URL, global, event);

  if (isSending()) {
    const { controller = "", action = "" } = document.body.dataset;
    const timestampPageLoad = new Date(performance.timeOrigin).toISOString();
    const event = choosePageEvent({ controller, action, url: new URL(location.href), variables, timestampPageLoad });
    if (event) send(event);
  }
  if (pushesData()) {
    pushLoaded(document);
    if (variables.TAG_MANAGER_SCRIPT) loadTagManager(variables.TAG_MANAGER_SCRIPT);
  }

  const onClick = ({ target }: Event) => {
    if (!(target instanceof Element)) return;
    const { OFFER_ID: OfferId } = variables;
    if (OfferId && target.closest("[data-redeems]") && isSending())
      send({ eventType: "OfferRedeemed", additionalFields: { OfferId } });
    if (pushesData()) pushClicked(target);
  };
  // While capturing: nothing on the page can keep a click from it.
  document.addEventListener("click", onClick, { capture: true, passive: true });
  return () => {
    document.removeEventListener("click", onClick, { capture: true });
    delete window.dataLayer;
  };
}
