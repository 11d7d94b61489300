import { openAttachmentOfClaim } from "@farthing/core/attachments/store.server.ts";
import { findClaimForOperator } from "@farthing/core/claims/operators.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { fileResponse } from "../../kit/file-response.ts";
import type { Route } from "./+types/claim-file";

/** Shows a file that a member added to a claim, while we have it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { db, attachments } = context.get(servicesContext);
  const claim = await findClaimForOperator(db, { publicId: params.claim });
  const file = claim && (await openAttachmentOfClaim(db, { claimId: claim.id, publicId: params.file, ...attachments }));
  if (!file) throw refused(404, { title: "No such file", text: "The claim has no such file, or it was deleted." });
  return fileResponse(file, file.originalName);
}
