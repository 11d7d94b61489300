import type { ProblemWords } from "@farthing/core/attachments/rules.ts";
import { addEvidence, type AddedEvidence } from "@farthing/core/claims/operations.server.ts";
import { receiveAttachment } from "../../../server/receive-attachment.ts";
import type { SiteServices } from "../../../server/site-handler.ts";
import type { Visit } from "../../../server/visit.ts";

export type TakenEvidence =
  | { outcome: "added" }
  | { outcome: "unknown" }
  | { outcome: "refused"; problem: ProblemWords };

const refusals: Record<Exclude<AddedEvidence, "added" | "unknown">, ProblemWords> = {
  "too-many": {
    title: "The claim has enough files",
    advice: "That is as many as we take unless the shop asks for more. Write to us if something else matters.",
    status: 409,
  },
  over: { title: "The claim is over", advice: "Nothing needs to be added any more.", status: 409 },
};

/** Takes one posted form with one file, and adds it to a claim. The form and its script both use it. */
export async function takeEvidence(
  services: SiteServices,
  { brand, member, publicId }: Pick<Visit, "brand"> & { member: { id: string }; publicId: string },
  request: Request,
): Promise<TakenEvidence> {
  const { db, now } = services;
  return receiveAttachment(services, member.id, request, async ({ file, key }): Promise<TakenEvidence> => {
    const own = { brandId: brand.id, memberId: member.id, publicId };
    const outcome = await addEvidence(db, { ...own, file, key, now: now() });
    return outcome === "added" || outcome === "unknown"
      ? { outcome }
      : { outcome: "refused", problem: refusals[outcome] };
  });
}
