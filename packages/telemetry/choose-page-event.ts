import type { PageEvent, PageVariables } from "./telemetry-events.ts";

export interface OpenedPage {
  /** The body's data-controller and data-action. */
  controller: string;
  action: string;
  url: URL;
  variables: Pick<PageVariables, "OFFER_ID" | "RETAILER_NAME" | "CATEGORY_ID">;
  /** When the load began, as ISO 8601 in UTC. */
  timestampPageLoad: string;
}

/**
 * Returns the event of a page that is opened, by its controller, action and address (T1); null where it has none. The address alone does not do: it can
 * name an offer or a retailer that does not exist, and the server knows their ids and names.
 */
export function choosePageEvent(page: OpenedPage): PageEvent | null {
  const { controller, action, url, variables, timestampPageLoad } = page;
  const { OFFER_ID, RETAILER_NAME, CATEGORY_ID } = variables;
  switch (`${controller}#${action}`) {
    case "offers#show":
      return OFFER_ID && url.searchParams.has("offer")
        ? { eventType: "OfferPage", additionalFields: { OfferId: OFFER_ID, timestampPageLoad } }
        : null;
    case "search#index":
      return { eventType: "SearchPage", additionalFields: { SearchTerm: url.searchParams.get("q") ?? "" } };
    case "retailers#show":
      return RETAILER_NAME
        ? { eventType: "RetailerPage", additionalFields: { retailerName: RETAILER_NAME, timestampPageLoad } }
        : null;
    case "categories#show":
      return CATEGORY_ID
        ? { eventType: "CategoryPage", additionalFields: { categoryId: CATEGORY_ID, timestampPageLoad } }
        : null;
    default:
      return null;
  }
}
