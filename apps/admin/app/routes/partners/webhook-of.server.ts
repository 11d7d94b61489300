import { findPartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import type { RouterContextProvider } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { unknownPartner } from "./change-partner.server.ts";

/** Returns the partner and the webhook that an address names. @throws the answer 404 where there is no such partner or webhook */
export async function webhookOf(
  context: Readonly<RouterContextProvider>,
  params: { partner: string; webhook: string },
) {
  const partner = await findPartnerRecord(context.get(servicesContext).db, { publicId: params.partner });
  if (!partner) throw unknownPartner();
  const webhook = partner.webhooks.find(({ id }) => id === params.webhook);
  if (!webhook)
    throw refused(404, { title: "No such webhook", text: `${partner.name} has no webhook of this number.` });
  return { partner, webhook };
}
