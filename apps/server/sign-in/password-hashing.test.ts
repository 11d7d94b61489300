import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertMemberWithPassword, testPassword, visitOf } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { newEmail, openTwoBrands, request } from "./two-brands.testing.ts";
import { HashingBusy, PasswordHashing } from "./password-hashing.ts";

const { db } = await testDatabase();
const { options, accounts, one } = await openTwoBrands(db);

describe("S1 hashing under load", () => {
  test("S1 hashes beyond the queue are refused at once, and those in it are answered", async () => {
    const hashing = new PasswordHashing({ running: 1, waiting: 2 });
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => hashing.hash("Farthing-2026")));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(HashingBusy);
    expect(
      await hashing.verify(await hashing.hash("ﬁnePassword1"), "finePassword1"),
      "the same characters, typed otherwise",
    ).toBe(true);
  });

  test("S1 passwords are stored as argon2id with 19 MiB and two passes", async () => {
    expect(await new PasswordHashing().hash("Farthing-2026")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test("S1 a login that finds the queue full is told to come back later, not that the password is wrong", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const busy = openAccounts({ ...options, hashing: new PasswordHashing({ running: 0, waiting: 0 }) });
    expect(await busy.logIn(visitOf(one), request(), { email, password: testPassword })).toEqual({
      outcome: "slow-down",
      retryAfterSeconds: 5,
    });
  });

  test("S1 an attempt that finds the queue full counts neither for the account nor for the address; wrong ones after it do", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const from = visitOf(one, "198.51.100.40");
    const busy = openAccounts({ ...options, hashing: new PasswordHashing({ running: 0, waiting: 0 }) });
    const login = (at: typeof accounts, address: string, password: string) =>
      at.logIn(from, request(), { email: address, password });
    for (let number = 0; number < 12; number += 1)
      expect((await login(busy, email, testPassword)).outcome, "busy, and said so each time").toBe("slow-down");
    for (let number = 0; number < 110; number += 1) await login(busy, newEmail(), "Wrong-2026");
    const outcomes: string[] = [];
    for (let number = 0; number < 6; number += 1) outcomes.push((await login(accounts, email, "Wrong-2026")).outcome);
    expect(outcomes).toEqual(["refused", "refused", "refused", "refused", "refused", "slow-down"]);
  });

  test("S1 a busy answer after the last free attempt takes back its own wait and no other", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const from = visitOf(one, "198.51.100.41");
    const busy = openAccounts({ ...options, hashing: new PasswordHashing({ running: 0, waiting: 0 }) });
    const login = (at: typeof accounts) => at.logIn(from, request(), { email, password: "Wrong-2026" });
    for (let number = 0; number < 4; number += 1) expect((await login(accounts)).outcome).toBe("refused");
    expect(await login(busy), "the queue's seconds, not the limit's").toMatchObject({ retryAfterSeconds: 5 });
    expect((await login(accounts)).outcome).toBe("refused");
    expect((await login(accounts)).outcome).toBe("slow-down");
    expect((await login(busy)).outcome).toBe("slow-down");
    expect((await login(accounts)).outcome, "told to wait is told to wait").toBe("slow-down");
  });

  test("S1 busy attempts of a known browser and of an open session don't count either", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const from = visitOf(one, "198.51.100.42");
    const opened = await accounts.logIn(from, request(), { email, password: testPassword });
    const own = opened.outcome === "logged-in" ? opened.headers.getSetCookie().map((line) => line.split(";")[0]) : [];
    const busy = openAccounts({ ...options, hashing: new PasswordHashing({ running: 0, waiting: 0 }) });
    const asking = () => request(own.join("; "));
    const member = await accounts.memberOf(one, own.join("; "));
    for (let number = 0; number < 15; number += 1) {
      await busy.logIn(from, asking(), { email, password: testPassword });
      await busy.confirmWithPassword({ ...from, member }, asking(), { password: testPassword, code: "" });
    }
    expect(member?.id).toBe(id);
    const again = { password: testPassword, code: "" };
    expect((await accounts.confirmWithPassword({ ...from, member }, asking(), again)).outcome).toBe("logged-in");
  });
});
