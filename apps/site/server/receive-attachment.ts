import { uploadProblems, type ProblemWords, type ReceivedFile } from "@farthing/core/attachments/rules.ts";
import { countUpload } from "@farthing/core/verification-requests/submit-proof.server.ts";
import type { SiteServices } from "./site-handler.ts";

export interface ReceivedAttachment {
  file: ReceivedFile;
  /** The form's other fields. */
  fields: Readonly<Record<string, string>>;
  /** Encrypts the file. */
  key: string;
}

/**
 * Counts a member's attempt, receives the one file of a posted form, and hands it to `take`. The file is discarded afterwards. Returns what `take` returns,
 * or why the file was refused.
 */
export async function receiveAttachment<Taken>(
  { db, attachments, now }: SiteServices,
  memberId: string,
  request: Request,
  take: (received: ReceivedAttachment) => Promise<Taken>,
): Promise<Taken | { outcome: "refused"; problem: ProblemWords }> {
  if (!attachments) throw new Error("The site has no attachment services. Pass `attachments` to createSite.");
  if (!(await countUpload(db, { memberId, now: now() })))
    return { outcome: "refused", problem: uploadProblems["too-many-tries"] };
  const received = await attachments.receive(request, { fieldName: "attachment", memberId });
  if (received.outcome === "refused") return { outcome: "refused", problem: uploadProblems[received.problem] };
  try {
    return await take({ file: received.file, fields: received.fields, key: attachments.key });
  } finally {
    await received.discard();
  }
}
