import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { makeClub } from "../cashback/cashback.testing.ts";
import { disownBankDetails } from "../closures/disown-bank-details.server.ts";
import { issueToken } from "../members/token.server.ts";
import { account, bankKeys, signIn } from "../payouts/payouts.testing.ts";
import { markOfAccount, openBankAccount, sealBankAccount, UnreadableDetailsError } from "./bank-seal.ts";
import { HOLD_MS } from "./bank-account.ts";
import { changeBankDetails } from "../referrals/change-bank-details.server.ts";
import { findBankDetails } from "./operations.server.ts";
import { readBankAccount } from "./read-bank-account.server.ts";

const { db } = await testDatabase();
const club = await makeClub(db, { networkSlug: "details" });
const { brandId, memberId } = club;
const now = new Date("2026-11-23T10:00:00Z");
const sessionId = await signIn(db, club);
const change = (changes: object = {}, at = now) =>
  changeBankDetails(db, { brandId, memberId, sessionId, account: { ...account, ...changes }, keys: bankKeys, now: at });
const view = (at = now) => findBankDetails(db, { memberId, keys: bankKeys, now: at });

describe("C6 bank details at rest", () => {
  test("C6 are encrypted, with the id of the key in front, and decrypted with any key that is known", () => {
    const sealed = sealBankAccount(account, memberId, bankKeys);
    expect(sealed).toMatch(/^[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split(".")[1]!, "base64url").toString("latin1")).not.toContain(account.accountNumber);
    expect(sealBankAccount(account, memberId, bankKeys)).not.toBe(sealed);
    expect(openBankAccount(sealed, memberId, ["a newer key", ...bankKeys])).toEqual(account);
    expect(sealBankAccount(account, memberId, ["a newer key"]).slice(0, 8)).not.toBe(sealed.slice(0, 8));
  });

  test("C6 of another member, of an unknown key, changed or cut are refused, and the error has none of them", () => {
    const sealed = sealBankAccount(account, memberId, bankKeys);
    const [id = "", text = ""] = sealed.split(".");
    const bytes = Buffer.from(text, "base64url");
    const changed = [0, 12, 28, bytes.length - 1].map((at) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1;
      return `${id}.${copy.toString("base64url")}`;
    });
    const cases = [...changed, `${id}.`, id, "", sealed.slice(0, 40), `00000000.${text}`];
    for (const one of cases) {
      expect(() => openBankAccount(one, memberId, bankKeys), one).toThrow(UnreadableDetailsError);
      expect(() => openBankAccount(one, memberId, bankKeys)).not.toThrow(account.accountNumber);
    }
    expect(() => openBankAccount(sealed, "another member", bankKeys)).toThrow(UnreadableDetailsError);
    expect(() => openBankAccount(sealed, memberId, ["another key"])).toThrow(/FARTHING_OLD_SECRETS/);
  });

  test("C6 C8 two members with one account have one mark, whatever its name; another account or key has another", () => {
    const mark = markOfAccount(account, bankKeys);
    expect(markOfAccount({ ...account, name: "Somebody Else" }, bankKeys)).toEqual(mark);
    expect(markOfAccount({ ...account, accountNumber: "66374966" }, bankKeys)).not.toEqual(mark);
    expect(markOfAccount(account, ["another key"])).not.toEqual(mark);
  });
});

describe("C6 changing bank details", () => {
  test("C6 holds payments for 72 hours and tells the member by mail, with the last digits alone", async () => {
    expect(await view()).toBeNull();
    expect(await change()).toBe("changed");
    const until = new Date(now.getTime() + HOLD_MS);
    expect(await view()).toEqual({ name: account.name, accountEnding: "4958", changedAt: now, heldUntil: until });
    expect(await view(new Date(until.getTime() - 1))).toMatchObject({ heldUntil: until });
    expect(await view(until)).toMatchObject({ heldUntil: null });
    const mails = await db.selectFrom("mails").select(["kind", "data"]).where("member_id", "=", memberId).execute();
    expect(mails).toMatchObject([{ kind: "bank-details-changed", data: { accountEnding: "4958" } }]);
    expect(JSON.stringify(mails)).not.toContain(account.accountNumber);
  });

  test("C6 the same account again changes nothing and holds nothing", async () => {
    const later = new Date(now.getTime() + HOLD_MS);
    expect(await change({}, later)).toBe("same");
    expect(await view(later)).toMatchObject({ heldUntil: null });
    expect(await change({ name: "A Lovelace" }, later), "another name is a change").toBe("changed");
    expect(await view(later)).toMatchObject({ heldUntil: new Date(later.getTime() + HOLD_MS) });
  });

  test("C6 a session that has ended changes nothing", async () => {
    const over = { brandId, memberId, sessionId: memberId, account, keys: bankKeys, now };
    expect(await changeBankDetails(db, over)).toBe("signed-out");
  });

  test("C6 “This was not me” removes the account, once, at its own brand, for seven days", async () => {
    await change({ name: "A Thief" });
    const link = { brandId, memberId, purpose: "remove-bank-details" as const, email: "a@b.example", now };
    const token = await issueToken(db, link);
    const other = await makeClub(db, { networkSlug: "elsewhere" });
    expect(await disownBankDetails(db, { brandId: other.brandId, token, now })).toBe(false);
    const week = new Date(now.getTime() + 7 * 86_400_000);
    expect(await disownBankDetails(db, { brandId, token, now: week })).toBe(false);
    expect(await view()).not.toBeNull();
    const twice = await Promise.all([1, 2].map(() => disownBankDetails(db, { brandId, token, now })));
    expect(twice.filter(Boolean), "once").toEqual([true]);
    expect(await view()).toBeNull();
  });

  test("C6 details that can't be decrypted are shown as such and can be given again", async () => {
    await change();
    const sealed = sealBankAccount(account, memberId, ["a lost key"]);
    await db.updateTable("bank_details").set({ sealed }).where("member_id", "=", memberId).execute();
    expect(await view()).toBe("unreadable");
    expect(await change()).toBe("changed");
    expect(await view()).toMatchObject({ accountEnding: "4958" });
  });
});

test("C6 an account number that can't be at its sort code is refused at both fields, with what to do", () => {
  const read = (sort_code: string, account_number: string) =>
    readBankAccount((name) => ({ payee_name: "Ada", sort_code, account_number })[name] ?? "");
  expect(read("08-99-99", "6637 4958").value).toMatchObject({ sortCode: "089999", accountNumber: "66374958" });
  const { errors } = read("08-99-99", "66374959");
  expect(Object.keys(errors ?? {})).toEqual(["sort_code", "account_number"]);
  expect(errors?.["sort_code"]).toContain("Check both");
  expect(Object.keys(read("08-99", "66374958").errors ?? {})).toEqual(["sort_code"]);
});
