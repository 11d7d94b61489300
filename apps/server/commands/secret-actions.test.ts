import { randomBytes } from "node:crypto";
import { openAttachmentOfRequest } from "@farthing/core/attachments/store.server.ts";
import { markOfAccount, openBankAccount, sealBankAccount } from "@farthing/core/bank-details/bank-seal.ts";
import { openPayee, sealPayee } from "@farthing/core/closures/payee-seal.ts";
import { openCard } from "@farthing/core/gift-cards/card-seal.ts";
import { openShop } from "@farthing/core/gift-cards/shop.testing.ts";
import type { SealPurpose } from "@farthing/core/secrets/rotation.ts";
import { openSecret, sealSecret } from "@farthing/core/secrets/sealed-secret.ts";
import { recoveryCodeHash } from "@farthing/core/sign-in/recovery-codes.ts";
import { spendSecondFactor } from "@farthing/core/sign-in/second-factor.server.ts";
import { newTotpSecret } from "@farthing/core/sign-in/totp.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertMember, insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { submitProof } from "@farthing/core/verification-requests/submit-proof.server.ts";
import { receivedFile } from "@farthing/core/verification-requests/verification.testing.ts";
import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { adoptSecret, findSecretFault } from "../secrets/database-secret.ts";
import { keyFingerprint } from "../secrets/key-fingerprint.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { runSecretAction, SECRET_USAGE, SecretActionError } from "./secret-actions.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
const OLD = { secret: "the old secret of the club", oldSecrets: [] };
const BOTH = { secret: "the new secret of the club", oldSecrets: [OLD.secret] };
const NEW = { secret: BOTH.secret, oldSecrets: [] };
type Secrets = Pick<typeof BOTH, "secret" | "oldSecrets">;

const account = { name: "Ada Lovelace", sortCode: "089999", accountNumber: "66374958" };
const former = { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" };
const proof = randomBytes(5_000);
const RECOVERY = ["7K3MQ-X24TV", "8K3MQ-X24TV", "9K3MQ-X24TV"];
const totp = newTotpSecret();

const key = (secrets: Secrets, purpose: SealPurpose) => keysOf(secrets, purpose);
let reported: string[] = [];

function run(secrets: Secrets, ...words: string[]) {
  const report = (line: string) => void reported.push(line);
  const adopt = () => adoptSecret(db, secrets);
  return runSecretAction({ db, keysFor: (purpose) => keysOf(secrets, purpose), adopt, report, now: () => now }, words);
}

function fail(): never {
  throw new Error("nothing is adopted here");
}

let brandId: string;
let memberId: string;
let requestId: string;
const operatorId = newId();

beforeAll(async () => {
  const shop = await openShop(db, key(OLD, "gift-cards"));
  brandId = (await insertBrand(db)).id;
  memberId = (await insertVerifiedMember(db, { brandId })).id;
  const applicant = (await insertMember(db, { brandId })).id;
  await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", applicant).execute();
  const [attachmentKey] = key(OLD, "attachment");
  const file = receivedFile(proof, { partSize: 1_000 });
  await submitProof(db, { brandId, memberId: applicant, proofKind: null, file, key: attachmentKey, now });
  requestId = (await db.selectFrom("verification_requests").select("id").executeTakeFirstOrThrow()).id;
  const bought = await shop.buy([["fixed", 1000]]);
  await bought.pay();
  await shop.work();
  const email = "ada@club.example";
  const operator = { id: operatorId, email, name: "Ada", role: "owner", created_at: now, updated_at: now };
  await db.insertInto("operators").values(operator).execute();
  const batch = { made_by: "ops", processing_day: "2026-11-23", entry_day: "2026-11-24", method: "bank" };
  const batchId = newId();
  await db
    .insertInto("payout_batches")
    .values({ id: batchId, made_at: now, ...batch })
    .execute();
  const own = { brand_id: brandId, member_id: memberId };
  const payout = {
    ...own,
    method: "bank",
    amount_pence: 500,
    batch_id: batchId,
    requested_at: now,
    processing_at: now,
  };
  const rows = [
    { id: newId(), ...payout, state: "processing", bank_reference: "AAAAAAAAAAAA" },
    { id: newId(), ...payout, state: "paid", paid_at: now, bank_reference: "BBBBBBBBBBBB" },
  ];
  await db.insertInto("payouts").values(rows).execute();
  const choices = { pending_choice: "wait", payable_choice: "pay-out", pending_pence: 0, payable_pence: 500 };
  const days = { requested_at: now, cancellable_until: now };
  await db
    .insertInto("closures")
    .values({ id: newId(), ...own, state: "requested", ...choices, ...days })
    .execute();
}, 60_000);

/** Everything is encrypted with the old secret again, except the gift card and the attachment, which keep what they have. */
beforeEach(async () => {
  await db.deleteFrom("bank_details").execute(); // one test leaves unreadable ones
  await run(BOTH, "rotate");
  await run({ secret: OLD.secret, oldSecrets: [NEW.secret] }, "rotate");
  reported = [];
  await db.deleteFrom("kept_keys").execute();
  await db.deleteFrom("member_recovery_codes").execute();
  await db.deleteFrom("member_second_factors").execute();
  await db.deleteFrom("operator_second_factors").execute();
  const [memberKey] = key(OLD, "member-secrets");
  const secret = sealSecret(totp, { memberId, keys: [memberKey] });
  await db
    .insertInto("member_second_factors")
    .values({ member_id: memberId, secret, enabled_at: now, created_at: now })
    .execute();
  const hashes = RECOVERY.map((code) => recoveryCodeHash(code, { memberId, key: memberKey }));
  const codes = hashes.map((code_hash) => ({ id: newId(), member_id: memberId, code_hash, created_at: now }));
  await db.insertInto("member_recovery_codes").values(codes).execute();
  const operatorSecret = sealSecret(totp, { memberId: operatorId, keys: key(OLD, "operator-secrets") });
  await db
    .insertInto("operator_second_factors")
    .values({ operator_id: operatorId, secret: operatorSecret, enabled_at: now, created_at: now })
    .execute();
  const bankKeys = key(OLD, "bank-details");
  const sealed = sealBankAccount(account, memberId, bankKeys);
  const row = { sealed, account_mark: markOfAccount(account, bankKeys), changed_at: now, usable_from: now };
  await db
    .insertInto("bank_details")
    .values({ brand_id: brandId, member_id: memberId, ...row })
    .execute();
  await setPayee("AAAAAAAAAAAA", sealed);
  await setPayee("BBBBBBBBBBBB", sealBankAccount(former, memberId, bankKeys));
  const payee = sealPayee(account, memberId, key(OLD, "payee"));
  await db
    .updateTable("closures")
    .set((eb) => ({ payee, version: eb("version", "+", 1) }))
    .execute();
});

function setPayee(reference: string, payee: string) {
  return db
    .updateTable("payouts")
    .set((eb) => ({ payee, version: eb("version", "+", 1) }))
    .where("bank_reference", "=", reference)
    .execute();
}

/** Reads everything with the secrets. @throws Error where something is not what was encrypted */
async function readAll(secrets: Secrets): Promise<void> {
  const factor = await db.selectFrom("member_second_factors").selectAll().executeTakeFirstOrThrow();
  expect(openSecret(factor.secret, { memberId, keys: key(secrets, "member-secrets") })).toBe(totp);
  const operator = await db.selectFrom("operator_second_factors").selectAll().executeTakeFirstOrThrow();
  expect(openSecret(operator.secret, { memberId: operatorId, keys: key(secrets, "operator-secrets") })).toBe(totp);
  const bankKeys = key(secrets, "bank-details");
  const details = await db.selectFrom("bank_details").selectAll().executeTakeFirstOrThrow();
  expect(openBankAccount(details.sealed, memberId, bankKeys)).toEqual(account);
  const payouts = await db.selectFrom("payouts").selectAll().orderBy("bank_reference").execute();
  expect(payouts.map(({ payee }) => openBankAccount(payee ?? "", memberId, bankKeys))).toEqual([account, former]);
  const closure = await db.selectFrom("closures").selectAll().executeTakeFirstOrThrow();
  expect(openPayee(closure.payee ?? "", memberId, key(secrets, "payee"))).toEqual(account);
  const line = await db.selectFrom("gift_card_lines").select(["id", "sealed_card"]).executeTakeFirstOrThrow();
  expect(openCard(line.sealed_card ?? "", line.id, key(secrets, "gift-cards")).code).toMatch(/^\S+$/);
  const [attachmentKey, ...oldKeys] = key(secrets, "attachment");
  const opened = await openAttachmentOfRequest(db, { requestId, key: attachmentKey, oldKeys });
  const parts: Buffer[] = [];
  for await (const part of opened!.parts()) parts.push(part);
  expect(Buffer.concat(parts).equals(proof)).toBe(true);
}

const spend = (secrets: Secrets, code: string) =>
  spendSecondFactor(db, { brandId, memberId, keys: key(secrets, "member-secrets"), now, code });

test("S1 old secret, new and old, rotation, new alone: everything can be read at each step", async () => {
  await readAll(OLD);
  expect((await run(OLD, "status")).at(-1)).toBe("Nothing is encrypted with an old secret.");

  await readAll(BOTH);
  const before = await run(BOTH, "status");
  expect(before).toContain("bank details (bank_details.sealed): 0 with FARTHING_SECRET, 1 with old secret 1");
  expect(before).toContain("bank details of payouts (payouts.payee): 0 with FARTHING_SECRET, 2 with old secret 1");
  expect(before).toContain("gift cards (gift_card_lines.sealed_card): 0 with FARTHING_SECRET, 1 with old secret 1");
  expect(before.at(-1)).toContain("npm run secrets -- rotate");

  const rotated = await run(BOTH, "rotate");
  expect(rotated.join("\n")).toMatch(/^3 unused members' recovery codes[\s\S]+Nothing is encrypted with an old secret/);
  expect(reported).toContain("attachments: 1 of 1 encrypted again");
  expect(reported).toContain("bank details: 1 of 1 encrypted again");
  await readAll(BOTH);

  await readAll(NEW);
  expect((await run(NEW, "status")).join("\n")).not.toMatch(/old secret \d|can't be read/);
  await expect(readAll(OLD)).rejects.toThrow(/FARTHING_OLD_SECRETS/);
});

test("S1 a recovery code from before the rotation works once with the new secret alone, also after the next rotation", async () => {
  await run(BOTH, "rotate");
  expect(await spend(NEW, RECOVERY[0]!)).toBe("recovery");
  expect(await spend(NEW, RECOVERY[0]!)).toBeNull();
  const next = { secret: "the next secret of the club", oldSecrets: [NEW.secret] };
  await run(next, "rotate");
  const alone = { secret: next.secret, oldSecrets: [] };
  expect(await spend(alone, RECOVERY[1]!)).toBe("recovery");
  expect(await spend(alone, "7K3MQ-X24TW")).toBeNull();
  // Once the last code is used, nothing needs the earlier keys.
  expect(await spend(alone, RECOVERY[2]!)).toBe("recovery");
  await run(alone, "rotate");
  expect(await db.selectFrom("kept_keys").selectAll().execute()).toEqual([]);
  await run({ secret: OLD.secret, oldSecrets: [alone.secret] }, "rotate");
});

test("S1 adopting another secret names what it can't read, and status leaves the known ones alone", async () => {
  const said = (await run({ secret: "made up later", oldSecrets: [] }, "adopt")).join("\n");
  expect(said).toContain(keyFingerprint("made up later"));
  expect(said).toMatch(/bank details.+1 can't be read/);
  expect((await run(OLD, "adopt")).join("\n")).toContain("reads everything that is encrypted");
  const known = () => db.selectFrom("database_secrets").selectAll().orderBy("fingerprint").execute();
  const before = await known();
  await run(BOTH, "status");
  expect(await known()).toEqual(before);
});

test("S1 a club that was rotated while it was stopped starts with the new secret alone, also where nothing was left to encrypt", async () => {
  await db.deleteFrom("database_secrets").execute();
  await adoptSecret(db, OLD);
  expect(await findSecretFault(db, NEW)).toMatch(/used with another FARTHING_SECRET/);
  await run(BOTH, "rotate");
  expect(await findSecretFault(db, NEW)).toBeNull();
  // Everything is encrypted with it already, as where a former version has rotated.
  await db.deleteFrom("database_secrets").where("fingerprint", "=", keyFingerprint(NEW.secret)).execute();
  await run(BOTH, "rotate");
  expect(await findSecretFault(db, NEW)).toBeNull();
});

test("S1 the key that is kept for recovery codes can't be read from the database", async () => {
  await run(BOTH, "rotate");
  const kept = await db.selectFrom("kept_keys").select("sealed").execute();
  expect(kept.length).toBeGreaterThan(0);
  for (const { sealed } of kept)
    for (const text of [sealed, Buffer.from(sealed, "base64url").toString("latin1")])
      expect(text).not.toContain(key(OLD, "member-secrets")[0].slice(0, 16));
});

test("C8 two accounts are compared by marks of the new secret, and a payout still names the details that it goes to", async () => {
  await run(BOTH, "rotate");
  const details = await db.selectFrom("bank_details").selectAll().executeTakeFirstOrThrow();
  expect(details.account_mark.equals(markOfAccount(account, key(NEW, "bank-details")))).toBe(true);
  const payout = await db
    .selectFrom("payouts")
    .selectAll()
    .where("bank_reference", "=", "AAAAAAAAAAAA")
    .executeTakeFirstOrThrow();
  expect(payout.payee).toBe(details.sealed);
});

test("S1 a second rotation changes nothing, two at once do no harm, and one that was stopped is continued", async () => {
  const stopped = runSecretAction(
    {
      ...{ db, keysFor: (purpose: SealPurpose) => keysOf(BOTH, purpose), now: () => now, adopt: fail },
      report: () => {
        throw new Error("stopped");
      },
    },
    ["rotate"],
  );
  await expect(stopped).rejects.toThrow("stopped");
  await readAll(BOTH);
  await Promise.allSettled([run(BOTH, "rotate"), run(BOTH, "rotate")]);
  await readAll(BOTH);
  await run(BOTH, "rotate");
  await readAll(NEW);
  const texts = () => db.selectFrom("bank_details").select("sealed").execute();
  const first = await texts();
  reported = [];
  await run(BOTH, "rotate");
  expect(await texts()).toEqual(first);
  expect(reported).toEqual([]);
});

test("S1 a row that another transaction holds is left for the next run, and nothing waits for it", async () => {
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom("payouts").select("id").where("bank_reference", "=", "AAAAAAAAAAAA").forUpdate().execute();
    await trx.selectFrom("attachments").select("id").forUpdate().execute();
    await expect(run(BOTH, "rotate")).rejects.toThrow(/1 left[\s\S]+in use: run this again/);
  });
  await readAll(BOTH);
  await run(BOTH, "rotate");
  await readAll(NEW);
});

test("S1 what can't be read is named by its id and left as it is, and everything else is rotated", async () => {
  const stranger = { secret: "a secret that nobody has", oldSecrets: [] };
  const lost = sealBankAccount(account, memberId, key(stranger, "bank-details"));
  await db.updateTable("bank_details").set({ sealed: lost }).execute();
  await expect(run(BOTH, "status")).rejects.toThrow(`1 can't be read: ${memberId}`);
  await db.deleteFrom("database_secrets").execute();
  const refused: unknown = await run(BOTH, "rotate").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SecretActionError);
  expect((refused as Error).message).toMatch(
    new RegExp(`${memberId}: .+FARTHING_OLD_SECRETS[\\s\\S]+Drop no old secret`),
  );
  expect(await db.selectFrom("bank_details").select("sealed").execute()).toEqual([{ sealed: lost }]);
  expect(await db.selectFrom("database_secrets").selectAll().execute()).toEqual([]);
  expect((await run(NEW, "status").catch((error: Error) => error.message)).toString()).not.toMatch(/old secret 1/);
});

test("S1 a file with a damaged or missing part is named and left, and the rotation goes on", async () => {
  await run({ secret: OLD.secret, oldSecrets: [NEW.secret] }, "rotate");
  const parts = () => db.selectFrom("attachment_parts").select(["position", "bytes"]).orderBy("position").execute();
  const whole = await parts();
  expect(whole.length).toBeGreaterThan(2);
  const [first] = whole;
  const damaged = Buffer.from(first!.bytes);
  damaged[40]! ^= 1;
  const id = (await db.selectFrom("attachments").select("id").executeTakeFirstOrThrow()).id;
  const atFirst = db.updateTable("attachment_parts").where("position", "=", first!.position);
  await atFirst.set({ bytes: damaged }).execute();
  await expect(run(BOTH, "rotate")).rejects.toThrow(`${id}: A part of it was changed`);
  expect((await parts()).slice(1)).toEqual(whole.slice(1));
  await db.deleteFrom("attachment_parts").where("position", "=", first!.position).execute();
  await expect(run(BOTH, "rotate")).rejects.toThrow(`${id}: A part of it is missing`);
  await db
    .insertInto("attachment_parts")
    .values({ attachment_id: id, ...first! })
    .execute();
  await run(BOTH, "rotate");
  await readAll(NEW);
});

test("S1 no line of the command holds a secret, a key or what was encrypted", async () => {
  const printed = [...(await run(BOTH, "status")), ...(await run(BOTH, "rotate")), ...reported].join("\n");
  for (const text of [OLD.secret, NEW.secret, key(OLD, "payee")[0], account.accountNumber, totp, RECOVERY[0]!])
    expect(printed).not.toContain(text);
});

test("P3 anything else is answered with the usage", async () => {
  for (const words of [[], ["dance"], ["rotate", "now"], ["constructor"]])
    await expect(run(NEW, ...words)).rejects.toThrow(SECRET_USAGE);
});
