/** The events that a page sends to the collector (T1): one body per request, `{ ...GlobalData, ...TelemetryEvent }` as JSON. */

/** What every event carries. */
export interface GlobalData {
  /** The member's pseudonym; null for visitors. */
  userId: string | null;
  sessionId: string;
  /** The brand's name in telemetry. */
  affinityId: string;
}

/** An event that a page sends once, when it is opened. `timestampPageLoad` is when its load began, as ISO 8601 in UTC. */
export type PageEvent =
  | { eventType: "OfferPage"; additionalFields: { OfferId: string; timestampPageLoad: string } }
  | { eventType: "SearchPage"; additionalFields: { SearchTerm: string } }
  | { eventType: "RetailerPage"; additionalFields: { retailerName: string; timestampPageLoad: string } }
  | { eventType: "CategoryPage"; additionalFields: { categoryId: string; timestampPageLoad: string } };

/** An event of a click on a button that uses the offer. */
export interface RedeemedEvent {
  eventType: "OfferRedeemed";
  additionalFields: { OfferId: string };
}

export type TelemetryEvent = PageEvent | RedeemedEvent;

/** What the server writes into a page for the client (T2). */
export interface PageVariables {
  /** Address that events are posted to. */
  TELEMETRY_API_URL: string;
  TELEMETRY_ENABLED: boolean;
  TELEMETRY_USER_ID: string | null;
  TELEMETRY_AFFINITY_ID: string;
  /** Address of the tag manager's script; null where the brand has no container. */
  TAG_MANAGER_SCRIPT: string | null;
  OFFER_ID?: string;
  RETAILER_NAME?: string;
  CATEGORY_ID?: string;
}
