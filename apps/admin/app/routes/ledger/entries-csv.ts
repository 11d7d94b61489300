import { entryList, findAccount } from "@farthing/core/ledger/browse.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { entryListing } from "./entry-list.tsx";
import type { Route } from "./+types/entries-csv";

export async function loader(args: Route.LoaderArgs) {
  const account = await findAccount(args.context.get(servicesContext).db, { id: args.params.id });
  if (!account) throw refused(404, { title: "No such account", text: "The ledger has no account at this address." });
  return csvOfList(args, "ledger-entries.export", entryListing(account.id), () => entryList({ accountId: account.id }));
}
