import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { signUnsubscription, type UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { wantsMail } from "../mail-choices/wanted.server.ts";
import type { Mail } from "../mails/mail.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { Pence } from "../money/money.ts";
import { londonDate } from "../registration/rules.ts";
import { findPresent, lockCard } from "./present-row.server.ts";
import { troubleOfProduct } from "./sold-products.server.ts";
import { dueReminder, isExpired, leftOn, nextNoticeAttempt, nextReminder, type Reminder } from "./wallet-rules.ts";

/** Cards whose owner is to be told something: that they expire, or that the retailer is in trouble. */
export const dueNotices = openDueWork<{ publicId: string }>()({
  table: "wallet_cards",
  id: "line_id",
  dueAt: "next_notice_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join gift_card_lines line on line.id = work.line_id`,
  isOpen: sql`work.next_notice_at is not null`,
  columns: sql`line.public_id as "publicId"`,
  nextAttempt: nextNoticeAttempt,
});

interface Subject {
  memberId: string;
  brandId: string;
  publicId: string;
  card: string;
  state: string;
  issuedAt: Date;
  expiresOn: string | null;
  facePence: Pence;
  usedAt: Date | null;
  readPence: Pence | null;
  readAt: Date | null;
  reminded: Reminder | null;
  insolvencyToldAt: Date | null;
  nextNoticeAt: Date | null;
  /** Null: the retailer is well. */
  trouble: string | null;
  /** Null: the member can't receive mail. */
  email: string | null;
  wantsReminders: boolean;
}

/**
 * Tells the owner of a card what is due, and plans the next reminder (G6): in one transaction, so that each thing is told once.
 * Owners of cards that are used or expired, or have nothing left, are told nothing. Whoever holds the card is told of the
 * retailer's trouble. Once a present is opened, that is its receiver, as long as we keep their address.
 */
export async function stepNotice(
  db: Db,
  { lease, keys, now }: { lease: Lease; keys: UnsubscribeKeys; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCard(trx, lease.id);
    // A statement of its own: what is read after it has what those who held the lock made known.
    await sql`select from wallet_cards where line_id = ${lease.id} for no key update`.execute(trx);
    const subject = await findSubject(trx, lease.id);
    if (subject?.nextNoticeAt?.getTime() !== lease.until.getTime()) return;
    const told = await tell(trx, subject, { lineId: lease.id, keys, now });
    await dueNotices.settle(trx, lease, {
      ...told,
      attempts: 0,
      next_notice_at: nextReminder(subject.expiresOn, now),
    });
  });
}

async function tell(
  trx: Trx,
  subject: Subject,
  { lineId, keys, now }: { lineId: string; keys: UnsubscribeKeys; now: Date },
): Promise<{ reminded_days?: number; insolvency_told_at?: Date }> {
  const { memberId, brandId, publicId, card, email, expiresOn, trouble } = subject;
  const leftPence = await leftOf(trx, subject, lineId);
  if (subject.state !== "issued" || subject.usedAt !== null || leftPence === 0) return {};
  const present = await findPresent(trx, { lineId });
  const told: { reminded_days?: number; insolvency_told_at?: Date } = {};
  if (trouble !== null && subject.insolvencyToldAt === null && !isExpired(expiresOn, now)) {
    const stopped = { kind: "gift-card-stopped", card, leftPence, because: trouble } as const;
    const isGone = present?.state === "opened";
    const to = isGone ? present.recipientEmail : email;
    if (to !== null) {
      const mail: Mail = isGone
        ? { ...stopped, giftCard: null, isGiven: false }
        : { ...stopped, giftCard: publicId, isGiven: present !== null };
      await queueMail(trx, { brandId, memberId: isGone ? null : memberId, to, mail, now });
      told.insolvency_told_at = now;
    }
  }
  const reminder = dueReminder(subject, now);
  // A card that was given is its receiver's to use.
  if (reminder !== null && expiresOn !== null && present === null && email !== null) {
    if (subject.wantsReminders) {
      const token = signUnsubscription({ brandId, memberId, subject: "gift-cards" }, keys);
      const mail: Mail = { kind: "gift-card-expiring", giftCard: publicId, card, leftPence, expiresOn, token };
      await queueMail(trx, { brandId, memberId, to: email, mail, now });
    }
    told.reminded_days = reminder;
  }
  return told;
}

async function leftOf(trx: Trx, { facePence, readPence, readAt }: Subject, lineId: string): Promise<Pence> {
  const spends = await trx
    .selectFrom("gift_card_spends")
    .select(["amount_pence as amountPence", "noted_at as notedAt"])
    .where("line_id", "=", lineId)
    .execute();
  const read = readPence !== null && readAt !== null ? { leftPence: readPence, readAt } : null;
  return leftOn({ facePence, spends, read });
}

async function findSubject(trx: Trx, lineId: string): Promise<Subject | null> {
  const { rows } = await sql<Subject>`
    select wallet.member_id as "memberId", wallet.brand_id as "brandId", line.public_id as "publicId", product.name as card,
      line.state, line.issued_at as "issuedAt", line.expires_on as "expiresOn", line.face_pence as "facePence",
      wallet.used_at as "usedAt", wallet.left_pence as "readPence", wallet.left_read_at as "readAt",
      wallet.reminded_days as reminded, wallet.insolvency_told_at as "insolvencyToldAt",
      wallet.next_notice_at as "nextNoticeAt",
      ${troubleOfProduct} as trouble,
      case when member.email_verified and member.suspended_at is null and member.closed_at is null then member.email end as email,
      ${wantsMail("wallet.member_id", "gift-cards")} as "wantsReminders"
    from wallet_cards wallet
      join gift_card_lines line on line.id = wallet.line_id
      join gift_card_products product on product.id = line.product_id
      join members member on member.id = wallet.member_id
    where wallet.line_id = ${lineId}`.execute(trx);
  return rows[0] ?? null;
}

/** What owners of cards are told of products, by the product's id; null: nothing. */
export type ProductTroubles = ReadonlyMap<string, string | null>;

/** Returns what owners are told of products now. `about` says of which; the name of the table in it is `product`. */
export async function findTroubles(trx: Trx, about: RawBuilder<boolean>): Promise<ProductTroubles> {
  const { rows } = await sql<{ id: string; trouble: string | null }>`
    select product.id, ${troubleOfProduct} as trouble from gift_card_products product where ${about}`.execute(trx);
  return new Map(rows.map(({ id, trouble }) => [id, trouble]));
}

/** Does `findTroubles` for the products of retailers. */
export function findRetailerTroubles(trx: Trx, retailerIds: readonly string[]): Promise<ProductTroubles> {
  return findTroubles(trx, sql<boolean>`product.retailer_id = any(${retailerIds}::uuid[])`);
}

/**
 * Makes notices due for owners of unused cards of products whose trouble has begun, or is another one, since `before`. Called in the
 * transaction that makes it known, after its change: an operator's mark, a retailer's new state, or another retailer of the product. Each owner
 * is told once; if all is well again they can be told again. Locks cards: the transaction does it last.
 */
export async function planTroubleNotices(
  trx: Trx,
  { before, now }: { before: ProductTroubles; now: Date },
): Promise<void> {
  const after = await findTroubles(trx, sql<boolean>`product.id = any(${[...before.keys()]}::uuid[])`);
  const changed = [...after].filter(([id, trouble]) => trouble !== before.get(id));
  if (changed.length === 0) return;
  await lockCardsOf(
    trx,
    changed.map(([id]) => id),
  );
  const troubled = changed.flatMap(([id, trouble]) => (trouble === null ? [] : [id]));
  const well = changed.flatMap(([id, trouble]) => (trouble === null ? [id] : []));
  // A notice that is due already stays so; one that failed is tried again at its own time, and then says this too.
  await sql`
    update wallet_cards wallet set next_notice_at = least(wallet.next_notice_at, ${now}::timestamptz)
    from gift_card_lines line, members member
    where line.id = wallet.line_id and line.product_id = any(${troubled}::uuid[]) and member.id = wallet.member_id
      and wallet.last_error is null and ${isToBeTold(now)}`.execute(trx);
  await sql`
    update wallet_cards wallet set insolvency_told_at = null
    from gift_card_lines line
    where line.id = wallet.line_id and line.product_id = any(${well}::uuid[]) and wallet.insolvency_told_at is not null`.execute(
    trx,
  );
}

/** Locks the cards of products in wallets, in the order of their ids. A notice that is being sent is waited for, or waits. */
async function lockCardsOf(trx: Trx, productIds: readonly string[]): Promise<void> {
  await sql`
    select from wallet_cards wallet where wallet.line_id in (
      select line.id from gift_card_lines line where line.product_id = any(${productIds}::uuid[]))
    order by wallet.line_id for no key update`.execute(trx);
}

/**
 * Whether whoever has a card is told where its retailer's trouble begins: it is unused and valid, has something left, they were not told
 * of it before, and a mail reaches them. About the tables `wallet`, `line` and `member`, the card's owner.
 */
export const isToBeTold = (now: Date) => sql<boolean>`(line.state in ('issued', 'reversing') and wallet.used_at is null
  and wallet.insolvency_told_at is null and (line.expires_on is null or line.expires_on >= ${londonDate(now)}::date)
  and ${hasMoneyLeft} and ${isReached})`;

/** `leftOn` (wallet-rules.ts) in SQL: whether it is above zero. */
const hasMoneyLeft = sql<boolean>`coalesce(wallet.left_pence, line.face_pence) > (
  select coalesce(sum(spend.amount_pence), 0) from gift_card_spends spend
  where spend.line_id = line.id and (wallet.left_read_at is null or spend.noted_at > wallet.left_read_at))`;

/** Whether the one who has the card can be sent a mail: the receiver of a present that was opened, or else its owner. */
const isReached = sql<boolean>`coalesce(
  (select present.recipient_email is not null from gift_card_presents present
    where present.line_id = line.id and present.state = 'opened'),
  member.email_verified and member.suspended_at is null and member.closed_at is null)`;
