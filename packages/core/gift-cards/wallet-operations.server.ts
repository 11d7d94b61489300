import type { Db, Trx } from "@farthing/db/client.ts";
import { isUuid, newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { isIssuerUnavailable, type CardIssuer } from "./issuer.ts";
import { cardOrderOf, findLine } from "./line-row.server.ts";
import { lockOwnCard } from "./presents.server.ts";
import { pressOf } from "./press.server.ts";
import { troubleOfProduct } from "./sold-products.server.ts";
import { leftOn, nextReminder } from "./wallet-rules.ts";

interface OwnCard {
  memberId: string;
  /** The line's public id. */
  card: string;
  now: Date;
}

/** Marks a card as used, or as not used after all. Returns false if the member has no such card. */
export async function markUsed(db: Db, { isUsed, now, ...own }: OwnCard & { isUsed: boolean }): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const card = await lockOwnCard(trx, own);
    if (!card) return false;
    const { lineId } = card;
    await (isUsed ? endUse(trx, { lineId, now }) : reopen(trx, { lineId, now }));
    return true;
  });
}

async function endUse(trx: Trx, { lineId, now }: { lineId: string; now: Date }): Promise<void> {
  await trx
    .updateTable("wallet_cards")
    .set({ used_at: now, next_notice_at: null })
    .where("line_id", "=", lineId)
    .execute();
}

/** Makes a card unused again, with its reminders. What its owner was not told of meanwhile, a retailer in trouble, is told at once. */
async function reopen(trx: Trx, { lineId, now }: { lineId: string; now: Date }): Promise<void> {
  const { expiresOn, isUntold } = await trx
    .selectFrom("wallet_cards as wallet")
    .innerJoin("gift_card_lines as line", "line.id", "wallet.line_id")
    .innerJoin("gift_card_products as product", "product.id", "line.product_id")
    .select([
      "line.expires_on as expiresOn",
      sql<boolean>`${troubleOfProduct} is not null and wallet.insolvency_told_at is null`.as("isUntold"),
    ])
    .where("wallet.line_id", "=", lineId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("wallet_cards")
    .set({ used_at: null, next_notice_at: isUntold ? now : nextReminder(expiresOn, now) })
    .where("line_id", "=", lineId)
    .execute();
}

/** Returns what is left on a card, and how many spends are noted of it. The caller has locked the card. */
async function findLeft(trx: Trx, lineId: string): Promise<{ leftPence: Pence; spends: number }> {
  const row = await trx
    .selectFrom("wallet_cards as wallet")
    .innerJoin("gift_card_lines as line", "line.id", "wallet.line_id")
    .select(["line.face_pence", "wallet.left_pence", "wallet.left_read_at"])
    .where("wallet.line_id", "=", lineId)
    .executeTakeFirstOrThrow();
  const spends = await trx
    .selectFrom("gift_card_spends")
    .select(["amount_pence as amountPence", "noted_at as notedAt"])
    .where("line_id", "=", lineId)
    .execute();
  const read =
    row.left_pence !== null && row.left_read_at !== null
      ? { leftPence: row.left_pence, readAt: row.left_read_at }
      : null;
  return { leftPence: leftOn({ facePence: row.face_pence, spends, read }), spends: spends.length };
}

/** Maximum number of spends that are noted of one card. */
const MAX_SPENDS = 100;

export type NoteOutcome =
  | "noted"
  /** More than is left. */
  | "too-much"
  | "too-many"
  | "unknown";

/**
 * Notes what a member has spent with a card. A card with nothing left is marked as used. The same spend with the same `idempotencyKey` is noted once:
 * a form that is sent twice says "noted" twice. Without a key each is another spend.
 */
export async function noteSpend(
  db: Db,
  {
    amountPence,
    note,
    idempotencyKey = null,
    now,
    ...own
  }: OwnCard & { amountPence: Pence; note: string | null; idempotencyKey?: string | null },
): Promise<NoteOutcome> {
  return db.transaction().execute(async (trx) => {
    const card = await lockOwnCard(trx, own);
    if (!card) return "unknown";
    const { lineId, brandId } = card;
    const press = idempotencyKey && pressOf(idempotencyKey, [String(amountPence), note ?? ""]);
    if (press && (await isNoted(trx, { lineId, press }))) return "noted";
    const { leftPence, spends } = await findLeft(trx, lineId);
    if (spends >= MAX_SPENDS) return "too-many";
    if (amountPence > leftPence) return "too-much";
    await trx
      .insertInto("gift_card_spends")
      .values({
        ...{ id: newId(), line_id: lineId, brand_id: brandId, member_id: own.memberId },
        ...{ amount_pence: amountPence, note, idempotency_key: press, noted_at: now },
      })
      .execute();
    if (amountPence === leftPence) await endUse(trx, { lineId, now });
    return "noted";
  });
}

async function isNoted(trx: Trx, { lineId, press }: { lineId: string; press: string }): Promise<boolean> {
  const noted = await trx
    .selectFrom("gift_card_spends")
    .select("id")
    .where("line_id", "=", lineId)
    .where("idempotency_key", "=", press)
    .executeTakeFirst();
  return noted !== undefined;
}

/**
 * Removes a noted spend. A card that the noted spends had used up is unused again; one that its owner marked as used before stays so.
 * Returns false if the member has no such spend.
 */
export async function removeSpend(db: Db, { spendId, now, ...own }: OwnCard & { spendId: string }): Promise<boolean> {
  if (!isUuid(spendId)) return false;
  return db.transaction().execute(async (trx) => {
    const card = await lockOwnCard(trx, own);
    if (!card) return false;
    const { lineId, usedAt } = card;
    const before = await findLeft(trx, lineId);
    const { numDeletedRows } = await trx
      .deleteFrom("gift_card_spends")
      .where("id", "=", spendId)
      .where("line_id", "=", lineId)
      .where("member_id", "=", own.memberId)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return false;
    const wasUsedUp = usedAt !== null && before.leftPence === 0;
    if (wasUsedUp && (await findLeft(trx, lineId)).leftPence > 0) await reopen(trx, { lineId, now });
    return true;
  });
}

export type BalanceOutcome =
  | "read"
  /** The issuer can't say for this product. */
  | "no-check"
  | "issuer-unavailable"
  /** It was asked a minute ago. */
  | "too-soon"
  | "unknown";

/** How long after a question the issuer is not asked again. */
const ASK_MS = 60_000;

/**
 * Asks the issuer what is left on a card, and stores the answer. No lock is held while the issuer is asked: a spend that is noted
 * meanwhile counts as noted before.
 */
export async function readBalance(
  db: Db,
  issuers: ReadonlyMap<string, CardIssuer>,
  { memberId, card, now }: OwnCard,
): Promise<BalanceOutcome> {
  const own = await db
    .selectFrom("wallet_cards as wallet")
    .innerJoin("gift_card_lines as line", "line.id", "wallet.line_id")
    .select(["line.id", "line.issuer_reference", "line.state", "wallet.left_read_at"])
    .where("line.public_id", "=", card)
    .where("wallet.member_id", "=", memberId)
    .executeTakeFirst();
  const line = own && (await findLine(db, { id: own.id }));
  if (!line || own.state !== "issued") return "unknown";
  if (own.left_read_at !== null && now.getTime() - own.left_read_at.getTime() < ASK_MS) return "too-soon";
  try {
    const order = { ...cardOrderOf(line), issuerReference: own.issuer_reference ?? "" };
    const issuer = issuers.get(line.issuer);
    if (!issuer) return "issuer-unavailable";
    const leftPence = await issuer.balance(order);
    if (leftPence === null) return "no-check";
    await db
      .updateTable("wallet_cards")
      .set({ left_pence: leftPence, left_read_at: now })
      .where("line_id", "=", own.id)
      .execute();
    return "read";
  } catch (error) {
    if (isIssuerUnavailable(error)) return "issuer-unavailable";
    throw error;
  }
}
