import { uploadProblems, type ProblemWords } from "@farthing/core/attachments/rules.ts";
import { countUpload, submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import type { SiteServices } from "../../../server/site-handler.ts";
import type { Visit } from "../../../server/visit.ts";

export type TakenProof = { outcome: "submitted" } | { outcome: "refused"; problem: ProblemWords };

const notNow: ProblemWords = {
  title: "You are verified already",
  advice: "Nothing needs to be sent. We write to you when it is time to renew.",
  status: 409,
};

/**
 * Takes one posted form with one file, from counting the attempt to sending the mail. The form and its script both
 * use it.
 */
export async function takeProof(
  { db, attachments, now }: SiteServices,
  { brand, member }: Pick<Visit, "brand"> & { member: { id: string } },
  request: Request,
): Promise<TakenProof> {
  if (!attachments) throw new Error("The site has no attachment services. Pass `attachments` to createSite.");
  if (!(await countUpload(db, { memberId: member.id, now: now() })))
    return { outcome: "refused", problem: uploadProblems["too-many-tries"] };
  const received = await attachments.receive(request, { fieldName: "attachment" });
  if (received.outcome === "refused") return { outcome: "refused", problem: uploadProblems[received.problem] };
  try {
    const submitted = await submitProof(db, {
      brandId: brand.id,
      memberId: member.id,
      proofKind: received.fields["proof_kind"] ?? null,
      file: received.file,
      key: attachments.key,
      now: now(),
    });
    return submitted.outcome === "submitted" ? { outcome: "submitted" } : { outcome: "refused", problem: notNow };
  } finally {
    await received.discard();
  }
}
