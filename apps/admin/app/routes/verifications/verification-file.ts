import { openAttachmentOfRequest } from "@farthing/core/attachments/store.server.ts";
import { findRequestForOperator } from "@farthing/core/verification-requests/queries.server.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { streamedFile } from "../../kit/streamed-file.ts";
import type { Route } from "./+types/verification-file";

/** Shows the file beside the member's data. That somebody looked is in the log. */
export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const { db, attachments } = context.get(servicesContext);
  const request = await findRequestForOperator(db, { publicId: id });
  const file = request && (await openAttachmentOfRequest(db, { requestId: request.id, ...attachments }));
  if (!file)
    throw refused(404, { title: "No file", text: "The file was deleted, or the proof was a work e-mail address." });
  const what = {
    permission: "verifications.see",
    action: "verification.look",
    subject: { type: "verification", id },
  } as const;
  await act(db, actorOf(context), what, async () => true);
  const extension = file.mediaType === "application/pdf" ? "pdf" : "jpg";
  return streamedFile(file.parts(), { type: file.mediaType, name: `proof.${extension}`, isShown: true });
}
