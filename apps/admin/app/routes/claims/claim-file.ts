import { openAttachmentOfClaim } from "@farthing/core/attachments/store.server.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { findClaimForOperator } from "@farthing/core/claims/operators.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { streamedFile } from "../../kit/streamed-file.ts";
import type { Route } from "./+types/claim-file";

/** Shows a file that a member added to a claim, while we have it. That somebody looked is in the log. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, attachments } = context.get(servicesContext);
  const { claim: id, file: publicId } = params;
  const claim = await findClaimForOperator(db, { publicId: id });
  const file = claim && (await openAttachmentOfClaim(db, { claimId: claim.id, publicId, ...attachments }));
  if (!file) throw refused(404, { title: "No such file", text: "The claim has no such file, or it was deleted." });
  const what = { permission: "claims.see", action: "claim.look", subject: { type: "claim", id } } as const;
  await act(db, actorOf(context), what, async () => true);
  const extension = file.mediaType === "application/pdf" ? "pdf" : "jpg";
  return streamedFile(file.parts(), { type: file.mediaType, name: `evidence.${extension}`, isShown: true });
}
