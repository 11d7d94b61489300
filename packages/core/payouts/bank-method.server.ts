import { openBankAccount } from "../bank-details/bank-seal.ts";
import type { BankAccount } from "../bank-details/bank-account.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { batchCsv, standard18, type BacsOriginator } from "./bacs-files.ts";
import type { PayoutMethod } from "./provider.ts";
import { readFailures } from "./read-failures.server.ts";

/** Pays by bank transfer: files for Bacs, and the bank's report of what did not arrive (C6). */
export function bankMethod({
  keys,
  originator,
}: {
  keys: SecretKeys;
  originator: BacsOriginator;
}): PayoutMethod<BankAccount> {
  return {
    name: "bank",
    open: (sealed, memberId) => openBankAccount(sealed, memberId, keys),
    files: (batch) => [
      { name: `bacs-${batch.batchNumber}.txt`, text: standard18(batch, originator) },
      { name: `bacs-${batch.batchNumber}.csv`, text: batchCsv(batch) },
    ],
    readFailures,
  };
}
