import { createHash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { accountName, balancedLegs, type AccountRef, type NewTransfer } from "./rules.ts";

export interface PostedTransfer {
  transferId: string;
  /** `already-posted`: this key had been posted with the same content, and nothing was done. */
  outcome: "posted" | "already-posted";
}

/** The same key was posted before with other legs, kind or cause: a bug or an attack, never to be retried. */
export class TransferConflictError extends Error {
  constructor(key: string) {
    super(`A different transfer was posted as ${key} before.`);
    this.name = "TransferConflictError";
  }
}

/**
 * Moves money between accounts, once per key (product.md C4). One statement: alone it commits by itself, in a transaction it commits
 * with what caused it. Accounts are made as they are first used.
 * @throws RangeError when the legs do not balance; TransferConflictError when the key was used for something else.
 */
export async function postTransfer(db: Db, transfer: NewTransfer): Promise<PostedTransfer> {
  const legs = balancedLegs(transfer.legs).map((leg) => ({ ...leg, id: accountId(leg.account) }));
  const contentHash = hashContent(transfer, legs);
  const transferId = newId();
  const posted = await sql<{ transfer_id: string }>`
    with legs as (
      select * from unnest(
        ${legs.map((leg) => leg.id)}::uuid[], ${legs.map((leg) => leg.account.kind)}::text[],
        ${legs.map((leg) => ("memberId" in leg.account ? leg.account.memberId : null))}::uuid[],
        ${legs.map((leg) => ("networkId" in leg.account ? leg.account.networkId : null))}::uuid[],
        ${legs.map((leg) => leg.amountPence)}::bigint[]) as leg (account_id, account_kind, member_id, network_id, amount_pence)
    ), opened as (
      insert into ledger_accounts (id, account_kind, member_id, network_id)
      select account_id, account_kind, member_id, network_id from legs
      where not exists (select from ledger_accounts known where known.id = legs.account_id)
      on conflict do nothing
    ), transfer as (
      insert into ledger_transfers (id, transfer_key, transfer_kind, content_hash, cause_kind, cause_id, happened_at)
      values (${transferId}, ${transfer.key}, ${transfer.kind}, ${contentHash}, ${transfer.cause.kind}, ${transfer.cause.id}, ${transfer.happenedAt})
      on conflict (transfer_key) do nothing
      returning id
    )
    insert into ledger_entries (transfer_id, account_id, amount_pence)
    select transfer.id, legs.account_id, legs.amount_pence from transfer, legs
    returning transfer_id`.execute(db);
  if (posted.rows.length > 0) return { transferId, outcome: "posted" };

  const first = await db
    .selectFrom("ledger_transfers")
    .select(["id", "content_hash"])
    .where("transfer_key", "=", transfer.key)
    .executeTakeFirst();
  if (!first || !contentHash.equals(first.content_hash)) throw new TransferConflictError(transfer.key);
  return { transferId: first.id, outcome: "already-posted" };
}

/** An account's id is worked out from its name, so that posting needs no look-up (a UUIDv8, RFC 9562 section 5.8). */
export function accountId(account: AccountRef): string {
  const bytes = createHash("sha256").update(accountName(account)).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function hashContent(transfer: NewTransfer, legs: readonly { id: string; amountPence: number }[]): Buffer {
  const content = [transfer.kind, transfer.cause.kind, transfer.cause.id, legs.map((leg) => [leg.id, leg.amountPence])];
  return createHash("sha256").update(JSON.stringify(content)).digest();
}
