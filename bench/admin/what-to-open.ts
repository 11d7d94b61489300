import { needs } from "@farthing/core/needs/needs.ts";
import type pg from "pg";

/** The names of the home page's figures by how their statements begin. */
export function nameFigure(text: string): string | null {
  // A need's statement is its text with the moment and the thresholds put in: compare up to the first of them.
  const need = Object.entries(needs).find(([, { sql }]) => sql !== null && text.startsWith(sql.split("$", 1)[0]!));
  if (need) return `home: ${need[0]}`;
  return text.includes("with days as") ? "home: the last days' charts" : null;
}

/** The member with the longest history, and the accounts that everything goes through. */
export async function findBusiest(from: pg.Pool): Promise<string[]> {
  const { rows } = await from.query<{ path: string }>(`
    (select '/admin/members/' || member_id as path from cashback_entries group by member_id order by count(*) desc limit 1)
    union all (select '/admin/ledger/members/' || member_id from cashback_entries group by member_id order by count(*) desc limit 1)
    union all (select '/admin/ledger/accounts/' || account_id from ledger_entries group by account_id order by count(*) desc limit 2)
    union all select '/admin/partners/' || public_id from (select public_id from partners order by id limit 1) partner
    union all select '/admin/audit/member/' || subject_id from (select subject_id from audit_entries where subject_type = 'member' limit 1) entry`);
  return rows.map(({ path }) => path);
}

/** What people search for: each kind of number and name, a single letter, two that nobody has, and a name that nobody has. */
export async function findWords(from: pg.Pool): Promise<string[]> {
  const { rows } = await from.query<{ word: string }>(`
    select unnest(array[name, lower(split_part(name, ' ', 2)), email, split_part(email, '@', 1), lower(member_number)]) as word from (select * from members order by id offset 100 limit 1) member
    union all select unnest(array[public_id, order_reference]) from (select * from claims order by id offset 5 limit 1) claim
    union all select unnest(array[public_id, bank_reference]) from (select * from payouts order by id offset 5 limit 1) payout
    union all select unnest(array[public_id, provider_payment_id, reference]) from (select * from payments order by id offset 5 limit 1) payment
    union all select unnest(array[network_transaction_id, order_reference]) from (select * from network_transactions order by id offset 5 limit 1) sale
    union all select unnest(array[public_id, title]) from (select * from offers order by id offset 5 limit 1) offer
    union all select public_id from (select * from gift_card_orders order by id offset 5 limit 1) placed
    union all select name from (select * from retailers order by id offset 5 limit 1) retailer
    union all select unnest(array['a', 'zq', 'nobody at all', '50% _off'])`);
  return [...new Set(rows.map(({ word }) => word))];
}
