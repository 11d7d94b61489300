import {
  ClaimRefusedError,
  type ClaimFiler,
  type ClaimToFile,
  type FiledClaim,
  type NetworkClaim,
  type NetworkClaimState,
} from "@farthing/core/networks/claim-filer.ts";
import { decimalMinorUnits } from "@farthing/core/money/money.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { z } from "zod";
import { withoutSecrets, type NetworkApi } from "../network-api.ts";
import { claimReasonOfText } from "../reason-texts.ts";
import { networkId, optionalText } from "../row-fields.ts";
import { impactDate, impactInstant } from "./impact-date.ts";

/**
 * An action inquiry, which Impact offers to cashback and loyalty partners only.
 * https://integrations.impact.com/impact-publisher/reference/the-action-inquiry-object
 */
const inquirySchema = z.object({
  Id: networkId,
  MediaPartnerInquiryId: optionalText,
  ActionId: optionalText,
  ResolutionStatus: z.enum(["UNRESOLVED", "VALID", "DECLINED", "INCOMPLETE"]),
  RejectReason: optionalText,
  AutoApprovalDate: impactDate,
});

const STATES: Readonly<Record<z.infer<typeof inquirySchema>["ResolutionStatus"], NetworkClaimState>> = {
  UNRESOLVED: "open",
  VALID: "accepted",
  DECLINED: "declined",
  INCOMPLETE: "incomplete",
};

const INQUIRY_TYPES = { untracked: "UNTRACKED", incorrect: "INCORRECT", declined: "DECLINED" } as const;

/** Files claims as action inquiries. Our reference is their `MediaPartnerInquiryId`, by which a filing is found again. */
export function createImpactClaims({
  api,
  account,
  secrets,
}: {
  api: NetworkApi;
  /** `https://api.impact.com/Mediapartners/{AccountSID}` */
  account: string;
  secrets: readonly string[];
}): ClaimFiler {
  const url = `${account}/ActionInquiries`;

  async function readClaim({ claimReference, networkProgrammeId }: FiledClaim): Promise<NetworkClaim | null> {
    const question = new URL(url);
    question.search = new URLSearchParams({
      MediaPartnerInquiryId: claimReference,
      CampaignId: networkProgrammeId,
    }).toString();
    const { status, body, isReadable } = await api.send(question);
    if (status === 404) return null;
    const list =
      isReadable && status < 400 && typeof body === "object" && body !== null && "ActionInquiries" in body
        ? body.ActionInquiries
        : null;
    if (!Array.isArray(list)) throw new NetworkUnavailableError("Impact's answer about a claim could not be read.");
    // The filter is the network's: an answer about another claim is not ours.
    for (const row of list) {
      const { data } = inquirySchema.safeParse(row);
      if (data?.MediaPartnerInquiryId === claimReference) return claimOf(data, claimReference, secrets);
    }
    if (list.some((row) => mentions(row, claimReference)))
      throw new NetworkUnavailableError("Impact's answer about a claim does not have the documented format.");
    return null;
  }

  return {
    slug: "impact",
    kinds: ["untracked", "incorrect", "declined"],
    readClaim,
    async fileClaim(claim) {
      const filed = await readClaim(claim);
      if (filed) return filed;
      const { status } = await api.send(new URL(url), {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(fieldsOf(claim)).toString(),
      });
      if (status >= 400) throw new ClaimRefusedError(`Impact refused the claim as it is (${status}).`);
      return (
        (await readClaim(claim)) ?? {
          claimReference: claim.claimReference,
          networkClaimId: null,
          state: "open",
          answer: null,
          reason: null,
          networkTransactionId: null,
          autoApprovesAt: null,
        }
      );
    },
  };
}

function fieldsOf(claim: ClaimToFile): Record<string, string> {
  return {
    CampaignId: claim.networkProgrammeId,
    OrderId: claim.orderReference,
    TransactionDate: impactInstant(claim.purchasedAt),
    TransactionAmount: decimalMinorUnits(claim.saleMinor, claim.currency),
    InquiryType: INQUIRY_TYPES[claim.kind],
    MediaPartnerInquiryId: claim.claimReference,
    ...(claim.expectedCommissionMinor === null
      ? {}
      : { ExpectedPayout: decimalMinorUnits(claim.expectedCommissionMinor, claim.currency) }),
    // The click's reference is what the retailer can look for; the member stays unnamed.
    InquiryNotes: `SubId1 ${claim.clickReference}. ${claim.notes}`.trim(),
    ...(claim.programmeLink === null ? {} : { TrackingLink: claim.programmeLink }),
  };
}

function claimOf(row: z.infer<typeof inquirySchema>, claimReference: string, secrets: readonly string[]): NetworkClaim {
  return {
    claimReference,
    networkClaimId: row.Id,
    state: STATES[row.ResolutionStatus],
    answer: row.RejectReason === null ? null : withoutSecrets(row.RejectReason, secrets).slice(0, 500),
    reason: row.ResolutionStatus === "DECLINED" ? claimReasonOfText(row.RejectReason) : null,
    networkTransactionId: row.ActionId,
    autoApprovesAt: row.AutoApprovalDate,
  };
}

function mentions(row: unknown, claimReference: string): boolean {
  return (
    typeof row === "object" &&
    row !== null &&
    "MediaPartnerInquiryId" in row &&
    row.MediaPartnerInquiryId === claimReference
  );
}
