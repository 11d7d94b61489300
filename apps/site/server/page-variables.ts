import type { PageVariables } from "@farthing/telemetry/telemetry-events.ts";
import type { TelemetryServices } from "./site-handler.ts";
import type { Visit } from "./visit.ts";

/** What a page's own loader adds, as `pageVariables`. */
export type OwnPageVariables = Pick<PageVariables, "OFFER_ID" | "RETAILER_NAME" | "CATEGORY_ID">;

/**
 * Returns the page variables that every page of a visit has (T2). The id of the session is not among them, because a page that is kept for
 * everybody holds nothing of one visit. The server sends it as a cookie when somebody agrees to be counted (docs/telemetry-client.md).
 */
export function pageVariablesOf(
  { url, tagManagerUrl, userIdOf }: TelemetryServices,
  { brand, member, anyMember, origin }: Pick<Visit, "brand" | "member" | "anyMember" | "origin">,
): PageVariables {
  const isEnabled = brand.features.telemetry;
  const user = anyMember?.telemetryUser ?? (member && userIdOf({ brandId: brand.id, memberId: member.id }));
  const { tagManager } = brand.tracking;
  return {
    TELEMETRY_API_URL: `${url ?? origin}/api/Telemetry`,
    TELEMETRY_ENABLED: isEnabled,
    TELEMETRY_USER_ID: isEnabled ? user : null,
    TELEMETRY_AFFINITY_ID: brand.affinityId,
    TAG_MANAGER_SCRIPT: tagManager && `${tagManagerUrl}?id=${encodeURIComponent(tagManager)}`,
  };
}
