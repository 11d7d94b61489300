import type { Db, Trx } from "@farthing/db/client.ts";
import { type RawBuilder, sql } from "kysely";
import type { Pence } from "../money/money.ts";
import type { GiftDesign } from "./gift.ts";
import type { PresentState } from "./presents-rules.ts";
import type { LineState } from "./rules.ts";
import { troubleOfProduct } from "./sold-products.server.ts";

/** A present with its card. */
export interface PresentRow {
  id: string;
  publicId: string;
  lineId: string;
  linePublicId: string;
  lineState: LineState;
  orderId: string;
  brandId: string;
  /** Null: a visitor gave it. */
  memberId: string | null;
  state: PresentState;
  version: number;
  giverName: string;
  /** Null: removed, because the present has ended. */
  recipientName: string | null;
  recipientEmail: string | null;
  message: string | null;
  design: GiftDesign;
  /** A day in London: YYYY-MM-DD. */
  sendOn: string;
  wasSeen: boolean;
  sends: number;
  tokenHash: Buffer | null;
  openerHash: Buffer | null;
  mailId: string | null;
  sentAt: Date | null;
  openedAt: Date | null;
  takenBackAt: Date | null;
  nextStepAt: Date | null;
  card: string;
  facePence: Pence;
  expiresOn: string | null;
  /** Why the card should be used soon; null: its retailer is well. */
  trouble: string | null;
}

const byId = (id: string) => sql`present.id = ${id}`;
const byToken = (hash: Buffer, brandId: string) => sql`present.token_hash = ${hash} and present.brand_id = ${brandId}`;
/** The present that a card is; one that was taken back is none. */
const ofLine = (lineId: string) => sql`present.line_id = ${lineId} and present.state <> 'taken_back'`;

export type WhichPresent = { id: string } | { tokenHash: Buffer; brandId: string } | { lineId: string };

function conditionOf(which: WhichPresent): RawBuilder<unknown> {
  if ("id" in which) return byId(which.id);
  return "lineId" in which ? ofLine(which.lineId) : byToken(which.tokenHash, which.brandId);
}

/** Returns a present as it is now; null: there is none. */
export async function findPresent(db: Db | Trx, which: WhichPresent): Promise<PresentRow | null> {
  const { rows } = await sql<PresentRow>`
    select present.id, present.public_id as "publicId", present.line_id as "lineId", line.public_id as "linePublicId",
      line.state as "lineState", line.order_id as "orderId", present.brand_id as "brandId", orders.member_id as "memberId",
      present.state, present.version, present.giver_name as "giverName", present.recipient_name as "recipientName",
      present.recipient_email as "recipientEmail", present.message, present.design, present.send_on as "sendOn",
      present.was_seen as "wasSeen", present.sends, present.token_hash as "tokenHash", present.opener_hash as "openerHash",
      present.mail_id as "mailId", present.sent_at as "sentAt", present.opened_at as "openedAt",
      present.taken_back_at as "takenBackAt", present.next_step_at as "nextStepAt", product.name as card,
      line.face_pence as "facePence", line.expires_on as "expiresOn",
      ${troubleOfProduct} as trouble
    from gift_card_presents present
      join gift_card_lines line on line.id = present.line_id
      join gift_card_orders orders on orders.id = line.order_id
      join gift_card_products product on product.id = line.product_id
    where ${conditionOf(which)}`.execute(db);
  return rows[0] ?? null;
}

/**
 * Locks the card of a present until the transaction ends, and returns the present. Whoever shows, gives, opens or takes back a
 * card takes this lock first, as the saga does when it changes the line, so that each sees what the other has done.
 */
export async function lockPresent(trx: Trx, which: WhichPresent): Promise<PresentRow | null> {
  const seen = await findPresent(trx, which);
  if (!seen) return null;
  await lockCard(trx, seen.lineId);
  return findPresent(trx, which);
}

/** Locks the line of a card until the transaction ends. */
export async function lockCard(trx: Trx, lineId: string): Promise<void> {
  await sql`select from gift_card_lines where id = ${lineId} for no key update`.execute(trx);
}

export interface PresentChange {
  state?: PresentState;
  /** Other columns to write. */
  set?: {
    recipient_name?: string;
    recipient_email?: string;
    message?: string;
    design?: GiftDesign;
    send_on?: string;
    sends?: number;
    token_hash?: Buffer | null;
    opener_hash?: Buffer;
    mail_id?: string | null;
    sent_at?: Date | null;
    opened_at?: Date;
    taken_back_at?: Date;
  };
  /** When the next step is due; null: there is none. */
  nextStepAt: Date | null;
}

/** Changes a present that the caller has locked. */
export async function changePresent(trx: Trx, present: PresentRow, change: PresentChange): Promise<void> {
  await trx
    .updateTable("gift_card_presents")
    .set({
      ...change.set,
      ...(change.state ? { state: change.state } : {}),
      ...{ version: present.version + 1, next_step_at: change.nextStepAt, attempts: 0, last_error: null },
    })
    .where("id", "=", present.id)
    .where("version", "=", present.version)
    .execute();
}

/** Takes back a present that the caller has locked and nobody has opened. Its link opens nothing any more. */
export async function endPresent(trx: Trx, present: PresentRow, now: Date): Promise<void> {
  await changePresent(trx, present, { state: "taken_back", set: { taken_back_at: now }, nextStepAt: null });
  await dropMail(trx, present);
}

/** A mail that has not left need not leave: its link opens nothing any more. */
export async function dropMail(trx: Trx, { mailId }: PresentRow): Promise<void> {
  if (mailId === null) return;
  await trx.deleteFrom("mails").where("id", "=", mailId).where("state", "=", "waiting").execute();
}
