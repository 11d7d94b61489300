import {
  ClaimRefusedError,
  type ClaimFiler,
  type ClaimToFile,
  type FiledClaim,
  type NetworkClaim,
} from "@farthing/core/networks/claim-filer.ts";
import { decimalMinorUnits } from "@farthing/core/money/money.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { z } from "zod";
import { withoutSecrets, type NetworkApi } from "../network-api.ts";
import { claimReasonOfText } from "../reason-texts.ts";
import { networkId, optionalText } from "../row-fields.ts";
import { partnerizeInstant } from "./partnerize-date.ts";
import { camrefOf } from "./partnerize-link.ts";

const history = z.object({ state: optionalText, notes: optionalText, created_at: optionalText });

/** A transaction query. https://api-docs.partnerize.com/partner (Transaction Queries) */
const querySchema = z.object({
  transaction_query: z.object({
    transaction_query_id: networkId,
    conversion_id: optionalText,
    current_state: z.enum(["pending", "approved", "rejected"]),
    notes: optionalText,
    // An object in the documentation's sample, a list where a query has changed more than once.
    state_history: z.union([history.transform((one) => [one]), z.array(history)]).nullish(),
  }),
});

type Query = z.infer<typeof querySchema>["transaction_query"];

const TYPES = { untracked: "untracked", incorrect: "incorrect_commission", declined: "declined" } as const;
const STATES = { pending: "open", approved: "accepted", rejected: "declined" } as const;

/**
 * Files claims as transaction queries. Partnerize keeps no reference of ours, so ours stands at the start of the query's notes: two queries about one order,
 * such as a claim and the appeal against its refusal, are told apart by it. Partnerize creates queries in the background: until it has, a filed claim has
 * no id, and the same claim should not be filed again for some minutes.
 */
export function createPartnerizeClaims({
  api,
  apiUrl,
  publisher,
  secrets,
}: {
  api: NetworkApi;
  apiUrl: string;
  /** The publisher's id, encoded for an address. */
  publisher: string;
  secrets: readonly string[];
}): ClaimFiler {
  const url = `${apiUrl}/user/publisher/${publisher}/tq`;

  async function readClaim({
    claimReference,
    networkProgrammeId,
    orderReference,
  }: FiledClaim): Promise<NetworkClaim | null> {
    const question = new URL(url);
    question.search = new URLSearchParams({
      conversion_reference: orderReference,
      campaign_id: networkProgrammeId,
    }).toString();
    const { status, body, isReadable } = await api.send(question);
    if (status === 404) return null;
    const list =
      isReadable && status < 400 && typeof body === "object" && body !== null && "transaction_queries" in body
        ? body.transaction_queries
        : null;
    if (!Array.isArray(list)) throw new NetworkUnavailableError("Partnerize's answer about a claim could not be read.");
    for (const row of list) {
      const query = querySchema.safeParse(row).data?.transaction_query;
      if (query?.notes?.startsWith(mark(claimReference))) return claimOf(query, claimReference, secrets);
    }
    return null;
  }

  /** Reads what the finished job says. Partnerize answers 200 also to a query that it does not accept. */
  async function refusalOf(job: unknown): Promise<boolean> {
    const path = z.object({
      status: z.literal("complete"),
      response: z.string().regex(/^\/job\/\w+\/response\.json$/),
    });
    const { data } = path.safeParse(job);
    if (!data) return false;
    const { body } = await api.send(new URL(apiUrl + data.response));
    return typeof body === "object" && body !== null && "error" in body && Boolean(body.error);
  }

  return {
    slug: "partnerize",
    kinds: ["untracked", "incorrect", "declined"],
    readClaim,
    async fileClaim(claim) {
      const query = queryOf(claim);
      const filed = await readClaim(claim);
      if (filed) return filed;
      const { status, body } = await api.send(new URL(`${url}/create`), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ transaction_queries: [query] }),
      });
      const job = typeof body === "object" && body !== null && "job" in body ? body.job : null;
      if (status >= 400 || (await refusalOf(job)))
        throw new ClaimRefusedError(`Partnerize refused the claim as it is (${status}).`);
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

/** The fields that Partnerize requires for each kind of query; the others are left out. */
function queryOf(claim: ClaimToFile): Record<string, string | number> {
  const camref = camrefOf(claim.programmeLink);
  if (camref === null) throw new ClaimRefusedError("Partnerize needs the camref of the programme's links.");
  if (claim.kind !== "declined" && claim.expectedCommissionMinor === null)
    throw new ClaimRefusedError("Partnerize needs the commission that the club expects.");
  return {
    transaction_query_type: TYPES[claim.kind],
    camref,
    conversion_reference: claim.orderReference,
    publisher_reference: claim.clickReference,
    notes: `${mark(claim.claimReference)} ${claim.notes}`.trim(),
    ...(claim.expectedCommissionMinor === null
      ? {}
      : { expected_commission: Number(decimalMinorUnits(claim.expectedCommissionMinor, claim.currency)) }),
    ...(claim.kind === "untracked"
      ? {
          conversion_currency: claim.currency,
          conversion_date_time: partnerizeInstant(claim.purchasedAt),
          conversion_value: Number(decimalMinorUnits(claim.saleMinor, claim.currency)),
        }
      : {}),
  };
}

function claimOf(query: Query, claimReference: string, secrets: readonly string[]): NetworkClaim {
  const said = (query.state_history ?? [])
    .filter(({ state, notes }) => state === query.current_state && notes !== null)
    .sort((a, b) => ((a.created_at ?? "") < (b.created_at ?? "") ? -1 : 1))
    .at(-1)?.notes;
  return {
    claimReference,
    networkClaimId: query.transaction_query_id,
    state: STATES[query.current_state],
    answer: said && query.current_state === "rejected" ? withoutSecrets(said, secrets).slice(0, 500) : null,
    reason: query.current_state === "rejected" ? claimReasonOfText(said ?? null) : null,
    // The conversion's day, which is part of the club's id of it, is not in the query: the report brings the sale.
    networkTransactionId: null,
    autoApprovesAt: null,
  };
}

function mark(claimReference: string): string {
  return `[${claimReference}]`;
}
