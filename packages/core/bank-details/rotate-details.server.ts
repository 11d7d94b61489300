import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { SealedColumn } from "../secrets/rotation.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { sealedText, type ResealedRow, type Seal } from "../secrets/sealed-text.server.ts";
import type { BankAccount } from "./bank-account.ts";
import { markOfAccount, openBankAccount, sealBankAccount } from "./bank-seal.ts";

const seal: Seal<BankAccount> = { open: openBankAccount, seal: sealBankAccount };

/**
 * Members' bank details, and the copies that payouts hold. A copy that is the same text as the member's details stays the same
 * text: a payout that the bank returns ends only the details that it went to.
 */
export const bankDetailsColumns: readonly SealedColumn[] = [
  sealedText({
    ...{ name: "bank_details.sealed", what: "bank details", purpose: "bank-details" },
    ...{ table: "bank_details", id: "member_id", owner: "member_id", text: "sealed", locksMember: true },
    ...{ seal, store: storeDetails },
  }),
  sealedText({
    ...{ name: "payouts.payee", what: "bank details of payouts", purpose: "bank-details" },
    ...{ table: "payouts", id: "id", owner: "member_id", text: "payee", locksMember: true, isVersioned: true },
    seal,
  }),
];

/**
 * Stores members' details with the mark that compares accounts, which has a key too, and the copies of their payouts. The details
 * of a member with a payout that another transaction holds are left for the next pass, so nothing here waits.
 */
async function storeDetails(trx: Trx, rows: readonly ResealedRow<BankAccount>[], keys: SecretKeys): Promise<number> {
  const texts = rows.map(({ sealed }) => sealed);
  const copies = await trx.selectFrom("payouts").select(["id", "member_id"]).where("payee", "in", texts).execute();
  const locked = await trx
    .selectFrom("payouts")
    .select("id")
    .where("payee", "in", texts)
    .orderBy("id")
    .forNoKeyUpdate()
    .skipLocked()
    .execute();
  const free = new Set(locked.map(({ id }) => id));
  const busy = new Set(copies.filter(({ id }) => !free.has(id)).map((copy) => copy.member_id));
  const stored = rows.filter(({ ownerId }) => !busy.has(ownerId));
  if (stored.length === 0) return 0;
  const fresh = sql`unnest(${stored.map(({ ownerId }) => ownerId)}::uuid[], ${stored.map(({ sealed }) => sealed)}::text[],
    ${stored.map((row) => row.fresh)}::text[], ${stored.map(({ plain }) => markOfAccount(plain, keys))}::bytea[])
    as fresh (member_id, before, sealed, mark)`;
  await sql`update bank_details details set sealed = fresh.sealed, account_mark = fresh.mark
    from ${fresh} where details.member_id = fresh.member_id`.execute(trx);
  await sql`update payouts payout set payee = fresh.sealed, version = payout.version + 1
    from ${fresh} where payout.member_id = fresh.member_id and payout.payee = fresh.before`.execute(trx);
  return stored.length;
}
