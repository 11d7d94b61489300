import type { ProblemWords } from "@farthing/core/attachments/rules.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import { receiveAttachment } from "../../../server/receive-attachment.ts";
import type { SiteServices } from "../../../server/site-handler.ts";
import type { Visit } from "../../../server/visit.ts";

export type TakenProof = { outcome: "submitted" } | { outcome: "refused"; problem: ProblemWords };

const notNow: ProblemWords = {
  title: "You are verified already",
  advice: "Nothing needs to be sent. We write to you when it is time to renew.",
  status: 409,
};

const notAsked: ProblemWords = {
  title: "We don’t ask for this proof any more",
  advice:
    "The list has changed since you opened the page. Nothing was sent, and what you sent before stays. Choose another kind of proof; if none fits, open the page again.",
  status: 409,
};

/**
 * Takes one posted form with one file, from counting the attempt to sending the mail. The form and its script both
 * use it.
 */
export async function takeProof(
  services: SiteServices,
  { brand, member }: Pick<Visit, "brand"> & { member: { id: string } },
  request: Request,
): Promise<TakenProof> {
  const { db, now } = services;
  return receiveAttachment(services, member.id, request, async ({ file, fields, key }): Promise<TakenProof> => {
    const own = { brandId: brand.id, memberId: member.id, proofKind: fields["proof_kind"] || null };
    const submitted = await submitProof(db, { ...own, file, key, now: now() });
    if (submitted.outcome === "submitted") return { outcome: "submitted" };
    return { outcome: "refused", problem: submitted.outcome === "not-asked" ? notAsked : notNow };
  });
}
