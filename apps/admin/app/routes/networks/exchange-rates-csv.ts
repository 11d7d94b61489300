import { currencyList } from "@farthing/core/networks/exchange-rates.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { currencyListing } from "./currency-list.tsx";
import type { Route } from "./+types/exchange-rates-csv";

export const loader = (args: Route.LoaderArgs) => {
  const now = args.context.get(servicesContext).now();
  return csvOfList(args, "exchange-rates.export", currencyListing({}), () => currencyList({ now }));
};
