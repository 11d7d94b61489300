import type { NetworkTransactions } from "@farthing/db/schema.ts";
import type { Selectable } from "kysely";

export type StoredTransaction = Selectable<NetworkTransactions>;

/** Why no member is credited for a transaction. Operators see these; those that can change are retried. */
export type HeldReason =
  | "no_reference"
  | "unknown_reference"
  | "other_retailer"
  | "unknown_programme"
  | "no_exchange_rate"
  | "claims_conflict";
