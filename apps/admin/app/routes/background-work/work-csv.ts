import type { ListedWork } from "@farthing/core/due-work/due-work.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { queueOf } from "./queue-of.server.ts";
import { stateOf, workListing } from "./work-list.tsx";
import type { Route } from "./+types/work-csv";

export async function loader(args: Route.LoaderArgs) {
  const { context, params, request } = args;
  const { about, due } = queueOf(params.queue);
  const now = context.get(servicesContext).now();
  const state = stateOf(Object.fromEntries(new URL(request.url).searchParams));
  const list = workListing({ queue: params.queue, state, may: { retry: false, drop: false } });
  return csvOfList<ListedWork, "time">(args, "work.export", list, () => due.list({ state, about, now }));
}
