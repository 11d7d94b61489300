import { packFile } from "@farthing/core/claims/operators.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import type { Route } from "./+types/pack-file";

/** Sends the file of a pack: the same whenever it is asked for. */
export async function loader({ context, params: { pack } }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const file = /^\d{1,9}$/.test(pack) ? await packFile(db, { packNumber: Number(pack) }) : null;
  if (!file) throw refused(404, { title: "No such pack", text: "There is no pack with this number." });
  return new Response(file.text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
}
