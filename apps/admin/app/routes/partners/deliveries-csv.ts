import { deliveryStates } from "@farthing/core/partners/delivery-states.ts";
import { deliveryList } from "@farthing/core/partners/operator-records.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { deliveryListing } from "./delivery-list.tsx";
import { webhookOf } from "./webhook-of.server.ts";
import type { Route } from "./+types/deliveries-csv";

export async function loader(args: Route.LoaderArgs) {
  const { partner, webhook } = await webhookOf(args.context, args.params);
  const path = `/admin/partners/${partner.publicId}/webhooks/${webhook.id}` as const;
  const list = deliveryListing({ path, states: deliveryStates, mayReplay: false });
  return csvOfList(args, "deliveries.export", list, (filters) => deliveryList({ ...filters, webhookId: webhook.id }));
}
