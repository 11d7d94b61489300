import { createClickRecorder } from "../clicks/click-recorder.server.ts";
import { clickAt, makeShop, type ShopForTests, type TierForTests } from "../clicks/clicks.testing.ts";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import type { Db } from "@farthing/db/client.ts";
import { settleAsPaid } from "../payable/settle.server.ts";
import { lockEntries } from "./entries.server.ts";
import { sumAmounts } from "./settle-transactions.server.ts";

export interface ClubForTests {
  brandId: string;
  networkId: string;
  memberId: string;
  shop: ShopForTests;
}

/** Inserts a brand with one member, one network and one retailer that pays 6 %. */
export async function makeClub(db: Db, { networkSlug = "awin" }: { networkSlug?: string } = {}): Promise<ClubForTests> {
  const brandId = (await insertBrand(db)).id;
  const networkId = (await insertNetwork(db, { slug: networkSlug })).id;
  return {
    brandId,
    networkId,
    memberId: (await insertVerifiedMember(db, { brandId })).id,
    shop: await makeShop(db, { brandId, networkId }),
  };
}

/** Records a click of the club's member and returns its reference. */
export async function makeClick(
  db: Db,
  club: ClubForTests,
  options: {
    createdAt?: Date;
    tiers?: TierForTests[];
    memberShareBp?: number;
    tracking?: RateSnapshot["tracking"];
    /** Whether the member came from the page of the retailer instead of the offer's. */
    isOfRetailer?: boolean;
  } = {},
): Promise<string> {
  const recorder = createClickRecorder({ db });
  const click = clickAt(club.shop, { ...club, ...options });
  const { reference } = await recorder.record(options.isOfRetailer ? { ...click, offerId: null } : click);
  await recorder.close();
  return reference;
}

let lastTransaction = 4_000_000;

/** Returns a sale: by default £100.00 with £8.00 commission in group 101, pending. A later `minute` is a later revision. */
export function reportedSale(
  club: ClubForTests,
  reference: string | null,
  changes: Partial<ReportedTransaction> & { minute?: number } = {},
): ReportedTransaction {
  const { minute = 0, ...rest } = changes;
  const purchasedAt = new Date("2026-10-01T10:00:00Z");
  const at = new Date(purchasedAt.getTime() + minute * 60_000);
  const sale = { saleMinor: rest.saleMinor ?? 10_000, commissionMinor: rest.commissionMinor ?? 800 };
  return {
    networkTransactionId: String(++lastTransaction),
    networkProgrammeId: club.shop.networkProgrammeId,
    clickReference: reference,
    status: "pending",
    currency: "GBP",
    ...sale,
    parts: [{ groupId: "101", groupCode: "DEFAULT", ...sale }],
    paidToPublisher: false,
    reason: null,
    orderReference: "ORDER-1",
    purchasedAt,
    clickedAt: purchasedAt,
    validatedAt: minute > 0 ? at : null,
    modifiedAt: at,
    observedAt: at,
    raw: { sample: true },
    ...rest,
  };
}

export type PaidMember =
  | { outcome: "paid"; paidPence: number; entries: number }
  | { outcome: "nothing-to-pay"; balancePence: number };

/**
 * Pays a member everything that is payable without a payout, corrections included, for tests of what comes after a payment. A balance of zero or less
 * pays nothing.
 */
export function payMember(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<PaidMember> {
  return db.transaction().execute(async (trx) => {
    const entries = await lockEntries(trx, { payableTo: memberId });
    const paidPence = sumAmounts(entries).cashbackPence;
    if (paidPence <= 0) return { outcome: "nothing-to-pay", balancePence: paidPence };
    const what = { key: `paid:${memberId}:${now.getTime()}`, cause: { kind: "payout", id: memberId } } as const;
    await settleAsPaid(trx, { ...what, memberId, amountPence: paidPence, from: "payable", entryIds: null, now });
    return { outcome: "paid", paidPence, entries: entries.length };
  });
}
