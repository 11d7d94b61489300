import { entryList } from "@farthing/core/ledger/browse.server.ts";
import { refused } from "../../guard.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { entryListing } from "./entry-list.tsx";
import { isUuid } from "./is-uuid.ts";
import type { Route } from "./+types/entries-csv";

export function loader(args: Route.LoaderArgs) {
  const { id } = args.params;
  if (!isUuid(id)) throw refused(404, { title: "No such account", text: "The ledger has no account at this address." });
  return csvOfList(args, entryListing(id), () => entryList({ accountId: id }));
}
