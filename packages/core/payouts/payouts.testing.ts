import { hash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { act } from "../audit/act.server.ts";
import type { BankAccount } from "../bank-details/bank-account.ts";
import { markOfAccount, sealBankAccount } from "../bank-details/bank-seal.ts";
import { makeClick, makeClub, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { checkCashback } from "../cashback/check.server.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { checkClosures } from "../closures/check.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { checkBonuses } from "../referrals/check.server.ts";
import { approveBatch } from "./approve.server.ts";
import { batchFiles } from "./batch-files.server.ts";
import { makeBatch, type BatchParts, type MadeBatch } from "./batch.server.ts";
import { bankMethod } from "./bank-method.server.ts";
import { checkPayouts } from "./check.server.ts";

export const bankKeys: SecretKeys = ["a key for bank details"];
export const payeeKeys: SecretKeys = ["a key for payees"];
export const originator = {
  serviceUserNumber: "123456",
  sortCode: "200000",
  accountNumber: "55779911",
  name: "The Club",
};
export const method = bankMethod({ keys: bankKeys, originator });
export const account: BankAccount = { name: "Ada Lovelace", sortCode: "089999", accountNumber: "66374958" };

/** A Monday morning; its batch is processed on 24 November and in members' accounts on the 25th. */
export const MONDAY = new Date("2026-11-23T10:00:00Z");
export const WEDNESDAY = new Date("2026-11-25T10:00:00Z");

/** Inserts a club whose brand allows withdrawals from £5.00, with one member. */
export async function makePayingClub(db: Db, { networkSlug }: { networkSlug: string }): Promise<ClubForTests> {
  const club = await makeClub(db, { networkSlug });
  await db.updateTable("brands").set({ payout_threshold_pence: 500 }).where("id", "=", club.brandId).execute();
  return club;
}

/** Makes a purchase payable: £6.00 by default. Returns what was reported, for later revisions. */
export async function earn(db: Db, club: ClubForTests, { pounds = 100 } = {}) {
  const minor = { saleMinor: pounds * 100, commissionMinor: pounds * 8 };
  const reported = reportedSale(club, await makeClick(db, club), {
    ...minor,
    status: "approved",
    paidToPublisher: true,
  });
  await recordReportedTransaction(db, { networkId: club.networkId, reported, now: MONDAY });
  return reported;
}

/** The shop takes a purchase back. */
export async function takeBack(db: Db, club: ClubForTests, reported: Awaited<ReturnType<typeof earn>>): Promise<void> {
  const modifiedAt = new Date(reported.modifiedAt.getTime() + 60_000);
  await recordReportedTransaction(db, {
    networkId: club.networkId,
    reported: { ...reported, status: "declined", modifiedAt, observedAt: modifiedAt },
    now: MONDAY,
  });
}

/** Adds bank details to a member that have been there for long. */
export async function giveDetails(
  db: Db,
  { brandId, memberId }: Pick<ClubForTests, "brandId" | "memberId">,
  {
    usableFrom = new Date("2026-11-01T10:00:00Z"),
    sealed = sealBankAccount(account, memberId, bankKeys),
    of = account,
  } = {},
): Promise<void> {
  const row = { sealed, account_mark: markOfAccount(of, bankKeys), usable_from: usableFrom };
  const changed_at = new Date(Math.min(usableFrom.getTime(), MONDAY.getTime()));
  await db
    .insertInto("bank_details")
    .values({ brand_id: brandId, member_id: memberId, ...row, changed_at })
    .onConflict((conflict) => conflict.column("member_id").doUpdateSet({ ...row, changed_at }))
    .execute();
}

/** Opens a session of a member and returns its id. */
export async function signIn(
  db: Db,
  { brandId, memberId }: Pick<ClubForTests, "brandId" | "memberId">,
): Promise<string> {
  const id = newId();
  await db
    .insertInto("member_sessions")
    .values({
      id,
      brand_id: brandId,
      member_id: memberId,
      token: hash("sha256", id),
      expires_at: new Date("2099-01-01T00:00:00Z"),
    })
    .execute();
  return id;
}

/** Lets somebody have the files of a batch, as the log says afterwards. */
export async function downloadFiles(
  db: Db,
  {
    batchNumber,
    method: own = method,
    now = MONDAY,
  }: { batchNumber: number; method?: BatchParts["method"]; now?: Date },
) {
  const what = {
    ...({ permission: "money.change", action: "payout-batch.download", why: "both files" } as const),
    subject: { type: "payout-batch", id: String(batchNumber) },
    changed: (found: unknown) => Array.isArray(found),
  } as const;
  return act(db, { command: "a second person", now }, what, (joined) =>
    batchFiles(joined, { batchNumber, method: own, now }),
  );
}

/** Makes a batch of what waits, and another person approves it and has its files. */
export async function makeApprovedBatch(db: Db, parts: BatchParts): Promise<MadeBatch> {
  const made = await makeBatch(db, parts);
  const { batchNumber } = made;
  if (batchNumber === null) return made;
  const approved = await approveBatch(db, { batchNumber, by: "a second person", aloneBecause: null, now: parts.now });
  if (approved.outcome !== "approved") throw new Error(`The batch was not approved: ${approved.outcome}.`);
  await downloadFiles(db, { batchNumber, method: parts.method, now: parts.now });
  return made;
}

/** Returns every fault that the checks of the books find. */
export async function faultsOf(db: Db): Promise<string[]> {
  const { faults } = await checkLedger(db);
  return [
    ...faults,
    ...(await checkCashback(db)),
    ...(await checkClosures(db)),
    ...(await checkPayouts(db)),
    ...(await checkBonuses(db)),
  ];
}
