import { hash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { keepPlanIfDirect } from "@farthing/db/kept-plans.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { accountName, balancedLegs, type AccountRef, type NewTransfer } from "./rules.ts";

export interface PostedTransfer {
  transferId: string;
  /** `already-posted`: the key was posted before with the same content, and nothing was done. */
  outcome: "posted" | "already-posted";
}

/** Thrown when the key was posted before with other legs, kind or cause: a bug or an attack. Do not retry. */
export class TransferConflictError extends Error {
  constructor(key: string) {
    super(`A different transfer was already posted with the key ${key}.`);
    this.name = "TransferConflictError";
  }
}

/**
 * Moves money between accounts, once per key (C4), in one statement, which commits alone or with the caller's transaction. Accounts are created when
 * first used.
 * @throws RangeError when the legs do not balance; TransferConflictError when the key was used for another transfer.
 */
export async function postTransfer(db: Db, transfer: NewTransfer): Promise<PostedTransfer> {
  const legs = balancedLegs(transfer.legs).map((leg) => ({ ...leg, id: accountId(leg.account) }));
  const contentHash = hashContent(transfer, legs);
  const transferId = newId();
  const posted = await sql<{ isNew: boolean }>`${keepPlanIfDirect}
    select post_ledger_transfer(
      ${transferId}, ${transfer.key}, ${transfer.kind}, ${contentHash}, ${transfer.cause.kind}, ${transfer.cause.id}, ${transfer.happenedAt},
      ${legs.map((leg) => leg.id)}, ${legs.map((leg) => leg.account.kind)},
      ${legs.map((leg) => ("memberId" in leg.account ? leg.account.memberId : null))},
      ${legs.map((leg) => ("networkId" in leg.account ? leg.account.networkId : null))},
      ${legs.map((leg) => leg.amountPence)}) as "isNew"`.execute(db);
  if (posted.rows[0]!.isNew) return { transferId, outcome: "posted" };

  const first = await db
    .selectFrom("ledger_transfers")
    .select(["id", "content_hash"])
    .where("transfer_key", "=", transfer.key)
    .executeTakeFirst();
  if (!first || !contentHash.equals(first.content_hash)) throw new TransferConflictError(transfer.key);
  return { transferId: first.id, outcome: "already-posted" };
}

const knownIds = new LRUCache<string, string>({ max: 10_000 });

/** Returns an account's id, derived from its name, so that posting needs no look-up (a UUIDv8, RFC 9562 section 5.8). */
export function accountId(account: AccountRef): string {
  const name = accountName(account);
  const known = knownIds.get(name);
  if (known !== undefined) return known;
  const hex = hash("sha256", name, "hex").slice(0, 32);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  knownIds.set(name, id);
  return id;
}

/** Returns the hash by which a transfer that is posted again is told from another with the same key. */
export function hashContent(transfer: NewTransfer, legs: readonly { id: string; amountPence: number }[]): Buffer {
  const content = [transfer.kind, transfer.cause.kind, transfer.cause.id, legs.map((leg) => [leg.id, leg.amountPence])];
  return hash("sha256", JSON.stringify(content), "buffer");
}
