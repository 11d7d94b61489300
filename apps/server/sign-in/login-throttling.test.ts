import { forgetOldTries } from "@farthing/core/sign-in/login-tries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { insertMemberWithPassword, testPassword, visitOf } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { newEmail, openTwoBrands, request } from "./two-brands.testing.ts";
import { PasswordHashing } from "./password-hashing.ts";

const { db } = await testDatabase();
const { options, accounts, one, two } = await openTwoBrands(db);

/** Ends all waits, as time would. */
async function passTime(): Promise<void> {
  await db
    .updateTable("login_tries")
    .set({ waits_until: sql<Date>`now() - interval '1 second'` })
    .execute();
}

describe("S1 throttling of logins", () => {
  const wrong = async (visit: ReturnType<typeof visitOf>, email: string, times = 1) => {
    const outcomes: string[] = [];
    for (let number = 0; number < times; number += 1)
      outcomes.push((await accounts.logIn(visit, request(), { email, password: "Wrong-2026" })).outcome);
    return outcomes;
  };

  test("S1 after five wrong attempts the sixth waits, also with the right password and after a restart; the owner can log in elsewhere", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const attacker = visitOf(one, "198.51.100.7");
    expect(await wrong(attacker, email, 5)).toEqual(Array.from({ length: 5 }, () => "refused"));
    const sixth = await accounts.logIn(attacker, request(), { email, password: testPassword });
    expect(sixth).toEqual({ outcome: "slow-down", retryAfterSeconds: expect.any(Number) });
    expect(
      (await openAccounts(options).logIn(attacker, request(), { email, password: testPassword })).outcome,
      "another process, after a restart",
    ).toBe("slow-down");
    expect(
      (await accounts.logIn(visitOf(one, "203.0.113.50"), request(), { email, password: testPassword })).outcome,
    ).toBe("logged-in");
  });

  test("S1 each further wrong attempt doubles the wait, up to a quarter of an hour; attempts during a wait don't extend it", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const attacker = visitOf(one, "198.51.100.17");
    await wrong(attacker, email, 5);
    const waits: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      await wrong(attacker, email, 3); // all refused with a wait
      const told = await accounts.logIn(attacker, request(), { email, password: testPassword });
      waits.push(told.outcome === "slow-down" ? Math.ceil(told.retryAfterSeconds / 60) : 0);
      await passTime();
      await wrong(attacker, email);
    }
    expect(waits, "minutes").toEqual([1, 2, 4, 8, 15, 15, 15]);
    await passTime();
    expect((await accounts.logIn(attacker, request(), { email, password: testPassword })).outcome).toBe("logged-in");
  });

  test("S1 twenty wrong passwords from one address throttle no other address, nor the owner's known browser at the same address", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const shared = visitOf(one, "198.51.100.18");
    const login = await accounts.logIn(shared, request(), { email, password: testPassword });
    const own =
      login.outcome === "logged-in"
        ? login.headers
            .getSetCookie()
            .map((line) => line.split(";")[0])
            .join("; ")
        : "";
    await wrong(shared, email, 20);
    expect((await accounts.logIn(shared, request(), { email, password: testPassword })).outcome).toBe("slow-down");
    expect((await accounts.logIn(shared, request(own), { email, password: testPassword })).outcome).toBe("logged-in");
    expect(
      (await accounts.logIn(visitOf(one, "203.0.113.60"), request(), { email, password: testPassword })).outcome,
    ).toBe("logged-in");
  });

  test("S1 the mark of a known browser is ignored for another account, for another brand, and when it was changed", async () => {
    const [email, victim] = [newEmail(), newEmail()];
    await insertMemberWithPassword(db, one, email);
    await insertMemberWithPassword(db, one, victim);
    const login = await accounts.logIn(visitOf(one), request(), { email, password: testPassword });
    const marks = login.outcome === "logged-in" ? login.headers.getSetCookie() : [];
    const mark = marks.find((line) => line.startsWith("farthing_device="))?.split(";")[0] ?? "";
    const attacker = visitOf(one, "198.51.100.19");
    const outcomes: string[] = [];
    for (let number = 0; number < 6; number += 1)
      outcomes.push((await accounts.logIn(attacker, request(mark), { email: victim, password: "Wrong-2026" })).outcome);
    expect(outcomes.at(-1)).toBe("slow-down");
    await wrong(attacker, email, 5);
    const changed = `${mark.slice(0, -3)}AAA`;
    expect((await accounts.logIn(attacker, request(changed), { email, password: testPassword })).outcome).toBe(
      "slow-down",
    );
  });

  test("S1 an account under attack from many addresses allows each of them fewer attempts; its owner can log in from a new one", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    for (let number = 0; number < 6; number += 1) await wrong(visitOf(one, `198.51.101.${number}`), email, 5);
    expect(await wrong(visitOf(one, "198.51.102.1"), email, 3)).toEqual(["refused", "refused", "slow-down"]);
    expect(
      (await accounts.logIn(visitOf(one, "203.0.113.61"), request(), { email, password: testPassword })).outcome,
    ).toBe("logged-in");
  });

  test("S1 an unknown e-mail is throttled like a known one", async () => {
    expect(await wrong(visitOf(one, "198.51.100.8"), newEmail(), 6)).toEqual([
      "refused",
      "refused",
      "refused",
      "refused",
      "refused",
      "slow-down",
    ]);
  });

  test("S1 concurrent attempts are all counted", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () =>
        accounts.logIn(visitOf(one, "198.51.100.9"), request(), { email, password: "Wrong-2026" }),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === "refused")).toHaveLength(5);
  });

  test("S1 an address that attempts a hundred accounts in an hour waits, in every brand; successful logins don't count", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const address = "198.51.100.10";
    for (let number = 0; number < 8; number += 1)
      expect((await accounts.logIn(visitOf(one, address), request(), { email, password: testPassword })).outcome).toBe(
        "logged-in",
      );
    for (let number = 0; number < 100; number += 1)
      expect(
        (await accounts.logIn(visitOf(one, address), request(), { email: newEmail(), password: "" })).outcome,
      ).toBe("refused");
    expect((await accounts.logIn(visitOf(two, address), request(), { email: newEmail(), password: "" })).outcome).toBe(
      "slow-down",
    );
  });

  test.each([1, 60, 99])(
    "S1 an attacker's login to their own account, after %i attempts at others, does not reset the count of the others",
    async (before) => {
      // The counts don't depend on the cost of a hash.
      const hashing = Object.assign(Object.create(new PasswordHashing()) as PasswordHashing, {
        verify: async (hash: string | null, password: string) => hash !== null && password === testPassword,
      });
      const quick = openAccounts({ ...options, hashing });
      const own = newEmail();
      await insertMemberWithPassword(db, one, own);
      const from = visitOf(one, `198.51.103.${before}`);
      const tryStrangers = async (times: number) => {
        const outcomes: string[] = [];
        for (let number = 0; number < times; number += 1)
          outcomes.push((await quick.logIn(from, request(), { email: newEmail(), password: "" })).outcome);
        return outcomes;
      };
      expect(await tryStrangers(before)).not.toContain("slow-down");
      for (let number = 0; number < 3; number += 1)
        expect((await quick.logIn(from, request(), { email: own, password: testPassword })).outcome).toBe("logged-in");
      expect(await tryStrangers(100 - before)).not.toContain("slow-down");
      expect(await tryStrangers(1)).toEqual(["slow-down"]);
    },
  );

  test("S1 a login resets no count of another account, nor of the same account from another address", async () => {
    const [own, victim] = [newEmail(), newEmail()];
    await insertMemberWithPassword(db, one, own);
    await insertMemberWithPassword(db, one, victim);
    const [here, there] = [visitOf(one, "198.51.104.1"), visitOf(one, "198.51.104.2")];
    await wrong(here, victim, 4);
    await wrong(there, own, 4);
    expect((await accounts.logIn(here, request(), { email: own, password: testPassword })).outcome).toBe("logged-in");
    expect(await wrong(here, victim, 2)).toEqual(["refused", "slow-down"]);
    expect(await wrong(there, own, 2)).toEqual(["refused", "slow-down"]);
  });

  test("S1 attempts of a past window don't count", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const visit = visitOf(one, "198.51.100.11");
    await wrong(visit, email, 6);
    const over = sql<Date>`now() - interval '1 second'`;
    await db.updateTable("login_tries").set({ resets_at: over, waits_until: over }).execute();
    expect(await wrong(visit, email, 5), "the count restarts").not.toContain("slow-down");
    await db.updateTable("login_tries").set({ resets_at: over, waits_until: over }).execute();
    await forgetOldTries(db);
    expect(await db.selectFrom("login_tries").selectAll().execute()).toEqual([]);
  });

  test("S1 the table of attempts contains no addresses or names", async () => {
    const email = newEmail();
    await accounts.logIn(visitOf(one, "198.51.100.12"), request(), { email, password: "Wrong-2026" });
    expect(JSON.stringify(await db.selectFrom("login_tries").selectAll().execute())).not.toMatch(
      /person|example|198\.51/,
    );
  });
});
