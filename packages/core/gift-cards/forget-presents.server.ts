import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

const DAY_MS = 86_400_000;
/** How long after a present was opened or taken back its receiver's address is kept, and then names and message. */
const ADDRESS_DAYS = 30;
const WORDS_DAYS = 365;

/**
 * Removes what is known of the receivers of presents that ended: the address after 30 days, names and message after a year. Also
 * what a buyer said of a receiver at a checkout that became no present. Run by a regular job.
 */
export async function forgetOldPresents(db: Db, { now }: { now: Date }): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await sql`
    update gift_card_presents set recipient_email = null
    where recipient_email is not null and coalesce(opened_at, taken_back_at) < ${ago(ADDRESS_DAYS)}`.execute(db);
  await sql`
    update gift_card_presents set recipient_name = null, message = null, giver_name = 'A friend'
    where recipient_name is not null and coalesce(opened_at, taken_back_at) < ${ago(WORDS_DAYS)}`.execute(db);
  await sql`
    update gift_card_lines line set gift = null
    from gift_card_orders orders
    where orders.id = line.order_id and line.gift is not null and line.state in ('issued', 'refunded', 'charged_back', 'cancelled')
      and orders.placed_at < ${ago(ADDRESS_DAYS)}`.execute(db);
}
