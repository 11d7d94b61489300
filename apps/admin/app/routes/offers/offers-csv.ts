import { offerList } from "@farthing/core/catalogue/offers/list-offers.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { offerListing } from "./offer-list.tsx";
import { offerChoices } from "./offer-choices.server.ts";
import type { Route } from "./+types/offers-csv";

export async function loader(args: Route.LoaderArgs) {
  const { db, now } = args.context.get(servicesContext);
  const at = now();
  return csvOfList(args, "offers.export", offerListing(await offerChoices(db), at), (filters) =>
    offerList(filters, at),
  );
}
