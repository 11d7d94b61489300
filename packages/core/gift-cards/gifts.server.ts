import type { Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { londonDate } from "../registration/rules.ts";
import { giftSchema, type Gift } from "./gift.ts";
import { endPresent, findPresent } from "./present-row.server.ts";
import { isOpenToChange, sendAt } from "./presents-rules.ts";
import { troubleOfProduct } from "./sold-products.server.ts";
import { nextReminder } from "./wallet-rules.ts";

interface IssuedLine {
  brandId: string | null;
  memberId: string | null;
  giverName: string | null;
  expiresOn: string | null;
  gift: unknown;
  /** Its retailer got into trouble after it was paid: its owner is told at once. */
  isTroubled: boolean;
}

/**
 * Puts a card that was just issued into its member's wallet, and plans the present that it was bought as (G6). Called in the
 * transaction that issues it; a card that comes back from a failed reversal is there already.
 */
export async function noteIssuedCard(trx: Trx, { lineId, now }: { lineId: string; now: Date }): Promise<void> {
  const { brandId, memberId, expiresOn, gift, isTroubled } = await findIssuedLine(trx, lineId);
  if (memberId !== null && brandId !== null)
    await trx
      .insertInto("wallet_cards")
      .values({
        line_id: lineId,
        brand_id: brandId,
        member_id: memberId,
        next_notice_at: isTroubled ? now : nextReminder(expiresOn, now),
      })
      .onConflict((conflict) => conflict.column("line_id").doNothing())
      .execute();
  // A gift that can't be read leaves the card with its buyer: it must never stop the order.
  const read = gift === null ? null : giftSchema.safeParse(gift);
  if (read?.success) await planGift(trx, { lineId, gift: read.data, now });
}

/**
 * Makes a present of an issued card: it is sent at 8:00 in London on its day, at once if that is today or past. What the buyer
 * said of the receiver moves from the line to the present, which is where it is removed later. Does nothing for a card that is
 * a present already.
 */
export async function planGift(
  trx: Trx,
  { lineId, gift, now }: { lineId: string; gift: Gift; now: Date },
): Promise<void> {
  const { brandId, giverName } = await findIssuedLine(trx, lineId);
  await trx.updateTable("gift_card_lines").set({ gift: null }).where("id", "=", lineId).execute();
  await insertPresent(trx, {
    ...{ lineId, gift, now, giverName: giverName ?? "A friend" },
    brandId: brandId ?? (await defaultBrand(trx)),
    wasSeen: false,
  });
}

/** Ends the present of a card that does not come back, unless it was opened. Called in the transaction that changes the line. */
export async function endGift(trx: Trx, { lineId, now }: { lineId: string; now: Date }): Promise<void> {
  const present = await findPresent(trx, { lineId });
  if (present && isOpenToChange(present.state)) await endPresent(trx, present, now);
}

export interface NewPresent {
  lineId: string;
  brandId: string;
  giverName: string;
  gift: Gift;
  /** Whether the giver has seen the code. */
  wasSeen: boolean;
  now: Date;
}

/** Stores a planned present. Returns false if the card is a present already. */
export async function insertPresent(
  trx: Trx,
  { lineId, brandId, giverName, gift, wasSeen, now }: NewPresent,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("gift_card_presents")
    .values({
      ...{ id: newId(), line_id: lineId, brand_id: brandId, state: "planned", giver_name: giverName },
      ...{ recipient_name: gift.recipientName, recipient_email: gift.recipientEmail, message: gift.message },
      ...{ design: gift.design, send_on: gift.sendOn ?? londonDate(now), was_seen: wasSeen },
      ...{ made_at: now, next_step_at: sendAt(gift.sendOn, now) },
    })
    .onConflict((conflict) => conflict.column("line_id").where("state", "<>", "taken_back").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

async function findIssuedLine(trx: Trx, lineId: string): Promise<IssuedLine> {
  const { rows } = await sql<IssuedLine>`
    select orders.brand_id as "brandId", orders.member_id as "memberId", member.name as "giverName",
      line.expires_on as "expiresOn", line.gift, ${troubleOfProduct} is not null as "isTroubled"
    from gift_card_lines line join gift_card_orders orders on orders.id = line.order_id
      join gift_card_products product on product.id = line.product_id
      left join members member on member.id = orders.member_id and member.closed_at is null
    where line.id = ${lineId}`.execute(trx);
  if (!rows[0]) throw new Error(`There is no gift-card line ${lineId}.`);
  return rows[0];
}

/** A visitor of a partner has no brand: the present is shown on the default one, as its mails are sent by it. */
async function defaultBrand(trx: Trx): Promise<string> {
  const { id } = await trx
    .selectFrom("brands")
    .select("id")
    .orderBy("is_default", "desc")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
