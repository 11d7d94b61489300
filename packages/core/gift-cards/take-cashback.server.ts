import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { markOfBuyer } from "./card-seal.ts";
import type { CardIssuer } from "./issuer.ts";
import {
  checkCards,
  findLimitProblem,
  findUnsoldCard,
  insertLines,
  lockBuyer,
  priceCards,
  type CardProblem,
  type SoldProducts,
} from "./order-cards.server.ts";
import type { LimitProblem } from "./rules.ts";
import { lockSignedIn } from "../members/lock-member.server.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { Pence } from "../money/money.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { insertPayout } from "../payouts/operations.server.ts";

export interface GiftCardRequest {
  brandId: string;
  memberId: string;
  sessionId: string;
  productPublicId: string;
  facePence: Pence;
  /** What the page has shown: a price that has risen since is shown first. */
  shownPence: Pence;
  /** Made by the page once; sending it again returns the same payout. */
  idempotencyKey: string;
  now: Date;
}

export type RequestedGiftCard =
  | { outcome: "requested"; publicId: string; amountPence: Pence }
  /** The key was used for another card. */
  | { outcome: "key-taken" }
  | { outcome: "already" | "on-hold" | "closing" | "signed-out" }
  /** The account was recovered a short time ago: nothing is made before `from`. */
  | { outcome: "too-soon"; from: Date }
  | { outcome: "below-threshold"; payablePence: Pence; thresholdPence: Pence }
  | { outcome: "too-little"; payablePence: Pence; costPence: Pence }
  | { outcome: "dearer"; costPence: Pence }
  | { outcome: LimitProblem }
  | CardProblem;

export interface GiftCardParts {
  issuers: ReadonlyMap<string, CardIssuer>;
  /** Mark buyers. */
  keys: SecretKeys;
}

/**
 * Takes cashback as a gift card (C6, G4). What the card costs leaves the payable balance, and an order of one card is
 * placed. The saga brings the order to one end: the card, or the money back in the balance. One payout at a time is
 * under way, however many requests come in at once.
 */
export async function requestGiftCard(
  db: Db,
  { issuers, keys }: GiftCardParts,
  request: GiftCardRequest,
): Promise<RequestedGiftCard> {
  const before = await findRequested(db, request);
  if (before) return before;
  // The issuer is asked before anything is locked.
  const checked = await checkCards(db, issuers, [request]);
  if (checked.outcome !== "sold") return checked;
  return db.transaction().execute((trx) => requestWithin(trx, request, { products: checked.products, keys }));
}

async function requestWithin(
  trx: Trx,
  request: GiftCardRequest,
  { products, keys }: { products: SoldProducts; keys: SecretKeys },
): Promise<RequestedGiftCard> {
  const { brandId, memberId, sessionId, shownPence, idempotencyKey, now } = request;
  const member = await lockSignedIn(trx, { brandId, memberId, sessionId });
  if (!member || member.closed_at) return { outcome: "signed-out" };
  const before = await findRequested(trx, request);
  if (before) return before;
  const refused = await findRefusal(trx, { memberId, now });
  if (refused) return refused;
  const buyer = { memberId, buyerMark: markOfBuyer(member.email, keys) };
  await lockBuyer(trx, buyer);
  const limit = await findLimitProblem(trx, { ...buyer, sessionId: null, cards: [request], now });
  if (limit) return { outcome: limit };
  const unsold = await findUnsoldCard(trx, [request], products);
  if (unsold) return unsold;
  const lines = priceCards([request], products, { isMember: true });
  const [line] = lines;
  if (!line) throw new Error("A request is for one card.");
  const costPence = line.pricePence + line.feePence;
  if (costPence > shownPence) return { outcome: "dearer", costPence };
  const { payablePence, thresholdPence, entryIds } = await findPayableNow(trx, { memberId });
  if (payablePence < thresholdPence) return { outcome: "below-threshold", payablePence, thresholdPence };
  if (payablePence < costPence) return { outcome: "too-little", payablePence, costPence };
  const payout = await insertPayout(trx, {
    ...{ brandId, memberId, closureId: null, method: "gift-card", amountPence: costPence, by: "member", now },
    entryIds: await entriesWithin(trx, { entryIds, amountPence: costPence }),
  });
  await insertLines(trx, {
    paidWith: { payoutId: payout.id },
    ...{ member: { id: memberId, brandId }, buyerMark: buyer.buyerMark, idempotencyKey, lines, now },
  });
  await queueMail(trx, {
    ...{ brandId, memberId, to: member.email, now },
    mail: {
      kind: "payout-requested",
      amountPence: costPence,
      heldUntil: null,
      card: { name: line.product.name, facePence: line.facePence },
    },
  });
  return { outcome: "requested", publicId: payout.public_id, amountPence: costPence };
}

/** Returns why a member can't take cashback now; null: they can. The caller has locked the member. */
async function findRefusal(
  trx: Trx,
  { memberId, now }: { memberId: string; now: Date },
): Promise<{ outcome: "already" | "on-hold" | "closing" } | { outcome: "too-soon"; from: Date } | null> {
  const { rows } = await sql<{ refusal: "already" | "on-hold" | "closing" | null; from: Date | null }>`
    select case
      when exists (select from payouts where member_id = ${memberId} and state in ('requested', 'processing')) then 'already'
      when exists (select from payout_holds where member_id = ${memberId} and lifted_at is null) then 'on-hold'
      when exists (select from closures where member_id = ${memberId} and state in ('requested', 'awaiting_payout')) then 'closing'
    end as refusal, gift_cards_from as "from" from members where id = ${memberId}`.execute(trx);
  const { refusal, from } = rows[0] ?? { refusal: null, from: null };
  if (refusal) return { outcome: refusal };
  return from && from > now ? { outcome: "too-soon", from } : null;
}

/**
 * Returns the cashback that is paid when the card is made: the oldest that fits into the amount. An entry larger than what
 * is left is passed over. The remainder is paid without an entry.
 */
async function entriesWithin(
  trx: Trx,
  { entryIds, amountPence }: { entryIds: readonly string[]; amountPence: Pence },
): Promise<string[]> {
  if (entryIds.length === 0) return [];
  const entries = await trx
    .selectFrom("cashback_entries")
    .select(["id", "cashback_pence"])
    .where("id", "in", entryIds)
    .orderBy("id")
    .execute();
  let left = amountPence;
  const within: string[] = [];
  for (const { id, cashback_pence: pence } of entries) {
    if (pence > left) continue;
    within.push(id);
    left -= pence;
  }
  return within;
}

/** Returns the payout that the same key has asked for before, if it is of the same card. */
async function findRequested(
  db: Db | Trx,
  { memberId, productPublicId, facePence, idempotencyKey }: GiftCardRequest,
): Promise<{ outcome: "requested"; publicId: string; amountPence: Pence } | { outcome: "key-taken" } | null> {
  const { rows } = await sql<{ publicId: string; amountPence: Pence; isSame: boolean }>`
    select payout.public_id as "publicId", payout.amount_pence as "amountPence",
      product.public_id = ${productPublicId} and line.face_pence = ${facePence} as "isSame"
    from gift_card_orders orders join payouts payout on payout.id = orders.payout_id
      join gift_card_lines line on line.order_id = orders.id join gift_card_products product on product.id = line.product_id
    where orders.member_id = ${memberId} and orders.idempotency_key = ${idempotencyKey}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { publicId, amountPence, isSame } = row;
  return isSame ? { outcome: "requested", publicId, amountPence } : { outcome: "key-taken" };
}
