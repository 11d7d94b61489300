import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findClaimedClicks, type ClaimedClick } from "../claimed-orders/claimed-orders.server.ts";
import { PAR, type RateMicros } from "../money/money.ts";
import type { ReportedTransaction } from "./network-transaction.ts";
import type { HeldReason, StoredTransaction } from "./stored-transaction.ts";

/** What decides who is credited for a transaction. */
export interface ToCredit {
  reported: Pick<
    ReportedTransaction,
    | "networkTransactionId"
    | "networkProgrammeId"
    | "clickReference"
    | "orderReference"
    | "currency"
    | "purchasedAt"
    | "exchangeRateMicros"
  >;
  /** Null for a transaction that is not stored yet. */
  known: StoredTransaction | null;
}

/** The columns that say who is credited, and at which exchange rate. */
export type Credit = Pick<
  StoredTransaction,
  "programme_id" | "click_reference" | "click_id" | "held_because" | "exchange_rate_micros"
>;

/**
 * Returns the columns that say who is credited, for each transaction in its order:
 * - A reference must be that of a click at the retailer that reports the sale.
 * - A sale without a reference is credited to the claim whose answer names the sale, or else to the claim that names its order (C7).
 * - A credited transaction stays credited, even if a later revision has lost its reference.
 * - The exchange rate is the network's own, or else that of the purchase's date. It is set once for each currency: a
 *   sale whose currency changes gets the rate of the new one. Where that is not known, the sale is held, and its
 *   member's cashback stays as it is until the rate is there.
 */
export async function creditsOf(trx: Trx, networkId: string, wanted: readonly ToCredit[]): Promise<Credit[]> {
  const open = wanted.filter(({ known }) => !known || !isCredited(known));
  const programmes = await findProgrammes(trx, networkId, [
    ...new Set(open.map(({ reported }) => reported.networkProgrammeId)),
  ]);
  const clicks = await findClicks(trx, networkId, [
    ...new Set(open.flatMap(({ reported }) => reported.clickReference ?? [])),
  ]);
  const claimed = await findClaimed(trx, networkId, open, { programmes, clicks });
  const rates = await findRates(
    trx,
    wanted.filter((one) => ownRate(one) === null && one.reported.currency !== "GBP"),
  );
  return wanted.map((one) => {
    const { reported, known } = one;
    const rate = ownRate(one) ?? (reported.currency === "GBP" ? PAR : (rates.get(one) ?? null));
    if (known && isCredited(known)) {
      const { programme_id, click_reference, click_id } = known;
      const held_because = rate === null ? "no_exchange_rate" : null;
      return { programme_id, click_reference, click_id, held_because, exchange_rate_micros: rate };
    }
    const claim = claimed.get(one);
    // The network has said which claim an unknown programme's sale belongs to: it was filed under a programme that we know.
    const programme =
      programmes.get(reported.networkProgrammeId) ??
      (claim && claim !== "conflict" ? { id: claim.programmeId, retailer_id: claim.retailerId } : undefined);
    const reference = reported.clickReference;
    const click =
      claim && claim !== "conflict"
        ? { id: claim.clickId, retailer_id: claim.retailerId }
        : reference === null
          ? undefined
          : clicks.get(reference);
    const held: HeldReason | null =
      claim === "conflict"
        ? "claims_conflict"
        : !click
          ? reference === null
            ? "no_reference"
            : "unknown_reference"
          : !programme
            ? "unknown_programme"
            : click.retailer_id !== programme.retailer_id
              ? "other_retailer"
              : rate === null
                ? "no_exchange_rate"
                : null;
    return {
      programme_id: programme?.id ?? null,
      click_reference: reference,
      click_id: click?.id ?? null,
      held_because: held,
      exchange_rate_micros: rate,
    };
  });
}

/** Says whether it is settled whose the sale is: it may still wait for an exchange rate. */
function isCredited({ held_because, click_id, programme_id }: StoredTransaction): boolean {
  return held_because === null || (held_because === "no_exchange_rate" && click_id !== null && programme_id !== null);
}

function ownRate({ reported, known }: ToCredit): RateMicros | null {
  const kept = known?.currency === reported.currency ? known.exchange_rate_micros : null;
  return kept ?? reported.exchangeRateMicros ?? null;
}

/** Returns the claims that name the orders of sales whose click is not known. */
async function findClaimed(
  trx: Trx,
  networkId: string,
  open: readonly ToCredit[],
  { programmes, clicks }: { programmes: Map<string, AtRetailer>; clicks: Map<string, AtRetailer> },
): Promise<Map<ToCredit, ClaimedClick | "conflict">> {
  const sales = open.flatMap((one) => {
    const { networkTransactionId, networkProgrammeId, clickReference, orderReference, purchasedAt } = one.reported;
    const retailerId = programmes.get(networkProgrammeId)?.retailer_id ?? null;
    const isReferred = clickReference !== null && clicks.has(clickReference);
    return isReferred ? [] : [{ one, networkTransactionId, retailerId, orderReference, purchasedAt }];
  });
  const found = await findClaimedClicks(trx, { networkId, sales });
  return new Map(sales.flatMap((sale, at) => (found[at] ? [[sale.one, found[at]] as const] : [])));
}

type AtRetailer = { id: string; retailer_id: string };

async function findProgrammes(trx: Trx, networkId: string, ids: string[]): Promise<Map<string, AtRetailer>> {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("programmes")
    .select(["id", "retailer_id", "network_programme_id"])
    .where("network_id", "=", networkId)
    .where("network_programme_id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.network_programme_id, row]));
}

/** Each click with the retailer that it counts at now: its own may have been merged since. */
async function findClicks(trx: Trx, networkId: string, references: string[]): Promise<Map<string, AtRetailer>> {
  if (references.length === 0) return new Map();
  const rows = await trx
    .selectFrom("clicks")
    .innerJoin("retailers", "retailers.id", "clicks.retailer_id")
    .select(["clicks.id", "reference"])
    .select(sql<string>`coalesce(retailers.merged_into_id, retailers.id)`.as("retailer_id"))
    .where("reference", "in", references)
    .where("network_id", "=", networkId)
    .execute();
  return new Map(rows.map((row) => [row.reference, row]));
}

async function findRates(trx: Trx, wanted: readonly ToCredit[]): Promise<Map<ToCredit, RateMicros>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ place: number; rate_micros: RateMicros }>`
    select wanted.place::int as place, rate.rate_micros
    from unnest(${wanted.map(({ reported }) => reported.currency)}::text[],
      ${wanted.map(({ reported }) => reported.purchasedAt)}::timestamptz[]) with ordinality wanted (currency, moment, place)
    cross join lateral (select rate_micros from exchange_rates known
      where known.currency = wanted.currency and known.valid_from <= wanted.moment order by valid_from desc limit 1) rate`.execute(
    trx,
  );
  return new Map(rows.map(({ place, rate_micros }) => [wanted[place - 1]!, rate_micros]));
}
