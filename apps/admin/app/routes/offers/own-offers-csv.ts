import { eachOwnOffer } from "@farthing/core/catalogue/offers/import-offers.server.ts";
import { offerLine, offersHead } from "@farthing/core/catalogue/offers/offers-csv.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actForFile } from "../../kit/actor.server.ts";
import { streamedFile } from "../../kit/streamed-file.ts";
import type { Route } from "./+types/own-offers-csv";

/** The club's own offers as the file that the import reads. Like every file of a list, it has an entry in the log. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const what = {
    permission: "catalogue.see",
    action: "offers.export",
    subject: { type: "operator", id: context.get(operatorContext).id },
    why: "CSV of the club's own offers",
  } as const;
  await actForFile(context, what, async () => true);
  const { db } = context.get(servicesContext);
  return streamedFile(lines(db), { type: "text/csv; charset=utf-8", name: "own-offers.csv" });
}

async function* lines(db: Parameters<typeof eachOwnOffer>[0]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  yield encoder.encode(offersHead);
  for await (const offer of eachOwnOffer(db)) yield encoder.encode(offerLine(offer));
}
