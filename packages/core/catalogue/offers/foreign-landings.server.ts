import type { Trx } from "@farthing/db/client.ts";
import { isLandingAllowed, landingDomains } from "../landing.ts";
import type { OfferForm } from "./offer-schema.ts";

/**
 * Returns what is wrong with the addresses of an offer and its variants: a click follows only those on the domains of the retailer's programme, and
 * leads to its front page otherwise. The link of an offer without a programme leads where the operator says.
 */
export async function foreignLandings(
  trx: Trx,
  { programmeId, form }: { programmeId: string | null; form: Pick<OfferForm, "landingUrl" | "variants"> },
): Promise<{ landingUrl?: string; variants?: string }> {
  if (programmeId === null) return {};
  const { landing_url: landingUrl, valid_domains: validDomains } = await trx
    .selectFrom("programmes")
    .select(["landing_url", "valid_domains"])
    .where("id", "=", programmeId)
    .executeTakeFirstOrThrow();
  const domains = landingDomains({ landingUrl, validDomains });
  const isForeign = (url: string) => !isLandingAllowed(url, domains);
  const allowed = `The network takes links to ${domains.join(", ")} only, and members would land on its front page.`;
  const variant = form.variants.find((one) => one.landingUrl !== null && isForeign(one.landingUrl));
  return {
    ...(isForeign(form.landingUrl) && { landingUrl: `is elsewhere. ${allowed}` }),
    ...(variant && { variants: `“${variant.label}” leads elsewhere. ${allowed}` }),
  };
}
