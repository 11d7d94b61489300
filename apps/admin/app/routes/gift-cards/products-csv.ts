import { productList } from "@farthing/core/gift-cards/list-lines.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { productListing } from "./product-list.tsx";
import type { Route } from "./+types/products-csv";

export function loader(args: Route.LoaderArgs) {
  const { issuers } = args.context.get(servicesContext);
  return csvOfList(args, "gift-card-products.export", productListing([...issuers.keys()]), productList);
}
