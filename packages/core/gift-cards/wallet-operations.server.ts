import type { Db } from "@farthing/db/client.ts";
import { isUuid, newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { isIssuerUnavailable, type CardIssuer } from "./issuer.ts";
import { cardOrderOf, findLine } from "./line-row.server.ts";
import { lockOwnCard } from "./presents.server.ts";
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
    const { expires_on: expiresOn } = await trx
      .selectFrom("gift_card_lines")
      .select("expires_on")
      .where("id", "=", card.lineId)
      .executeTakeFirstOrThrow();
    await trx
      .updateTable("wallet_cards")
      .set({ used_at: isUsed ? now : null, next_notice_at: isUsed ? null : nextReminder(expiresOn, now) })
      .where("line_id", "=", card.lineId)
      .execute();
    return true;
  });
}

/** Maximum number of spends that are noted of one card. */
const MAX_SPENDS = 100;

export type NoteOutcome =
  | "noted"
  /** More than is left. */
  | "too-much"
  | "too-many"
  | "unknown";

/** Notes what a member has spent with a card. A card with nothing left is marked as used. */
export async function noteSpend(
  db: Db,
  { amountPence, note, now, ...own }: OwnCard & { amountPence: Pence; note: string | null },
): Promise<NoteOutcome> {
  return db.transaction().execute(async (trx) => {
    const card = await lockOwnCard(trx, own);
    if (!card) return "unknown";
    const { lineId, brandId } = card;
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
    if (spends.length >= MAX_SPENDS) return "too-many";
    const read =
      row.left_pence !== null && row.left_read_at !== null
        ? { leftPence: row.left_pence, readAt: row.left_read_at }
        : null;
    const left = leftOn({ facePence: row.face_pence, spends, read });
    if (amountPence > left) return "too-much";
    await trx
      .insertInto("gift_card_spends")
      .values({
        ...{ id: newId(), line_id: lineId, brand_id: brandId, member_id: own.memberId },
        ...{ amount_pence: amountPence, note, noted_at: now },
      })
      .execute();
    if (amountPence === left)
      await trx
        .updateTable("wallet_cards")
        .set({ used_at: now, next_notice_at: null })
        .where("line_id", "=", lineId)
        .execute();
    return "noted";
  });
}

/** Removes a noted spend. Returns false if the member has none such. */
export async function removeSpend(
  db: Db,
  { memberId, card, spendId }: { memberId: string; card: string; spendId: string },
): Promise<boolean> {
  if (!isUuid(spendId)) return false;
  const { numAffectedRows } = await sql`
    delete from gift_card_spends spend using gift_card_lines line
    where line.id = spend.line_id and line.public_id = ${card} and spend.member_id = ${memberId}
      and spend.id = ${spendId}`.execute(db);
  return numAffectedRows === 1n;
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
