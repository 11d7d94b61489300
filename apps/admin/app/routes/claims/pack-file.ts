import { packFile } from "@farthing/core/claims/operators.server.ts";
import { refused } from "../../guard.server.ts";
import { actForFile } from "../../kit/actor.server.ts";
import type { Route } from "./+types/pack-file";

/** Sends the file of a pack: the same whenever it is asked for. It says what members bought, so that each download is in the log. */
export async function loader({ context, params: { pack } }: Route.LoaderArgs) {
  const packNumber = /^\d{1,9}$/.test(pack) ? Number(pack) : 0;
  const what = {
    permission: "claims.see",
    action: "claim-pack.download",
    subject: { type: "claim-pack", id: String(packNumber) },
  } as const;
  const file = await actForFile(context, what, (joined) => packFile(joined, { packNumber }));
  if (!file) throw refused(404, { title: "No such pack", text: "There is no pack with this number." });
  return new Response(file.text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
    },
  });
}
