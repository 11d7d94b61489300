import { testDatabase } from "@farthing/db/testing/test-database.ts";
import type { LogInResult } from "@farthing/site/server/account-services.ts";
import { describe, expect, test } from "vitest";
import { testPassword, visitOf, insertMemberWithPassword } from "./accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openAccounts } from "./accounts.ts";
import { HashingBusy, PasswordHashing } from "./password-hashing.ts";
import { forgetOldTries } from "@farthing/core/sign-in/login-tries.server.ts";
import { forgetExpiredSessions } from "@farthing/core/sign-in/sessions.server.ts";
import { sql } from "kysely";

const { db } = await testDatabase();
const options = {
  db,
  key: "key-of-the-test-with-a-decent-length-0123456789",
  secretKeys: ["key-of-members-secrets"] as const,
  publicScheme: "http",
} as const;
const accounts = openAccounts(options);
const one = await insertBrand(db, { slug: "one", isDefault: true });
const two = await insertBrand(db, { slug: "two" });

let people = 0;
const newEmail = () => `person-${(people += 1)}@example.test`;
const request = (cookie?: string) =>
  new Request("http://one.test/login", { method: "POST", headers: cookie ? { cookie, "user-agent": "test" } : {} });

/** Returns the Cookie header that a browser sends after this answer. */
function cookieFrom(result: LogInResult): string {
  if (result.outcome !== "logged-in") throw new Error(`expected a login, got ${result.outcome}`);
  const [cookie] = result.headers.getSetCookie();
  return cookie?.split(";")[0] ?? "";
}

describe("M2 log in", () => {
  test("M2 the right password opens a session of its member", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const result = await accounts.logIn(visitOf(one), request(), {
      email: ` ${email.toUpperCase()} `,
      password: testPassword,
    });
    expect(result.outcome).toBe("logged-in");
    expect(await accounts.memberOf(one, cookieFrom(result))).toMatchObject({ id, email, verification: "verified" });
  });

  test("S1 the cookie is HttpOnly, for this host only and SameSite=Lax; over https it is Secure and has the __Host- prefix", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const plain = await accounts.logIn(visitOf(one), request(), { email, password: testPassword });
    const secure = await openAccounts({ ...options, publicScheme: "https" }).logIn(visitOf(one), request(), {
      email,
      password: testPassword,
    });
    const cookiesOf = (result: LogInResult) => (result.outcome === "logged-in" ? result.headers.getSetCookie() : []);
    expect(cookiesOf(plain)).toHaveLength(2);
    for (const [index, cookie] of [...cookiesOf(plain), ...cookiesOf(secure)].entries()) {
      expect(cookie).toMatch(/; Max-Age=\d+; Path=\/; HttpOnly(; Secure)?; SameSite=Lax$/);
      expect(cookie).not.toMatch(/domain/i);
      if (index >= 2) expect(cookie).toMatch(/^__Host-farthing_\w+=.*; Secure/);
    }
    expect(cookiesOf(plain)[0]).toMatch(/^farthing_session=.*; Max-Age=2592000;/);
  });

  test("S1 a wrong password, an unknown e-mail, a suspended member and malformed input get the same answer", async () => {
    const email = newEmail();
    const suspended = newEmail();
    await insertMemberWithPassword(db, one, email);
    const suspendedId = await insertMemberWithPassword(db, one, suspended);
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", suspendedId).execute();
    const answers = await Promise.all([
      accounts.logIn(visitOf(one), request(), { email, password: "Wrong-2026" }),
      accounts.logIn(visitOf(one), request(), { email: newEmail(), password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email: suspended, password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email: "no e-mail", password: testPassword }),
      accounts.logIn(visitOf(one), request(), { email, password: "x".repeat(100_000) }),
      accounts.logIn(visitOf(one), request(), { email: "' or 1=1 --@x.test", password: "\u0000" }),
    ]);
    expect(answers).toEqual(answers.map(() => ({ outcome: "refused" })));
    expect(await db.selectFrom("member_sessions").selectAll().where("member_id", "=", suspendedId).execute()).toEqual(
      [],
    );
  });

  test("S1 an unknown e-mail costs a hash, as a known one does, so timing reveals nothing", async () => {
    let hashes = 0;
    const counting = new PasswordHashing();
    const hashing = Object.assign(Object.create(counting) as PasswordHashing, {
      hash: (password: string) => ((hashes += 1), counting.hash(password)),
      verify: (hash: string | null, password: string) => ((hashes += 1), counting.verify(hash, password)),
    });
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const watched = openAccounts({ ...options, hashing });
    await watched.logIn(visitOf(one), request(), { email, password: "Wrong-2026" });
    expect(hashes).toBe(1);
    await watched.logIn(visitOf(one), request(), { email: newEmail(), password: "Wrong-2026" });
    expect(hashes).toBe(2);
  });
});

describe("B4 separate brands", () => {
  test("B4 a member of one brand can't log in at another, where the same e-mail is another account", async () => {
    const email = newEmail();
    const inOne = await insertMemberWithPassword(db, one, email);
    expect(await accounts.logIn(visitOf(two), request(), { email, password: testPassword })).toEqual({
      outcome: "refused",
    });
    const inTwo = await insertMemberWithPassword(db, two, email);
    const result = await accounts.logIn(visitOf(two), request(), { email, password: testPassword });
    expect(await accounts.memberOf(two, cookieFrom(result))).toMatchObject({ id: inTwo });
    expect(inOne).not.toBe(inTwo);
  });

  test("B4 a session of another brand is no session here, and a logout here does not end it", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    expect(await accounts.memberOf(two, cookie)).toBeNull();
    await accounts.logOut(visitOf(two), request(cookie));
    expect(await accounts.memberOf(one, cookie)).not.toBeNull();
  });

  test("B4 the database refuses a session or sign-in of one brand for a member of another", async () => {
    const id = await insertMemberWithPassword(db, one, newEmail());
    const session = {
      id: crypto.randomUUID(),
      brand_id: two.id,
      member_id: id,
      token: crypto.randomUUID(),
      expires_at: new Date(Date.now() + 60_000),
    };
    await expect(db.insertInto("member_sessions").values(session).execute()).rejects.toThrow(
      /member_sessions_member_of_brand/,
    );
    const credential = {
      id: crypto.randomUUID(),
      brand_id: two.id,
      member_id: id,
      account_id: id,
      provider_id: "credential",
    };
    await expect(db.insertInto("member_credentials").values(credential).execute()).rejects.toThrow(
      /member_credentials_member_of_brand/,
    );
  });
});

describe("S1 sessions", () => {
  test("S1 a login ends a session that was planted before it (fixation), and the one of an earlier login", async () => {
    const attacker = newEmail();
    const victim = newEmail();
    await insertMemberWithPassword(db, one, attacker);
    const victimId = await insertMemberWithPassword(db, one, victim);
    const planted = cookieFrom(
      await accounts.logIn(visitOf(one), request(), { email: attacker, password: testPassword }),
    );
    const own = cookieFrom(
      await accounts.logIn(visitOf(one), request(planted), { email: victim, password: testPassword }),
    );
    expect(own).not.toBe(planted);
    expect(await accounts.memberOf(one, planted)).toBeNull();
    expect(await accounts.memberOf(one, own)).toMatchObject({ id: victimId });
  });

  test("M2 a logout ends the session on the server and clears the cookie", async () => {
    const email = newEmail();
    await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    const headers = await accounts.logOut(visitOf(one), request(cookie));
    expect(headers.get("set-cookie")).toMatch(/^farthing_session=; Max-Age=0; Path=\/; HttpOnly/);
    expect(await accounts.memberOf(one, cookie)).toBeNull();
  });

  test("S1 a session that is changed, unsigned, signed by another key, expired or of a suspended member is refused", async () => {
    const email = newEmail();
    const id = await insertMemberWithPassword(db, one, email);
    const cookie = cookieFrom(await accounts.logIn(visitOf(one), request(), { email, password: testPassword }));
    const token = decodeURIComponent(cookie.slice(cookie.indexOf("=") + 1)).split(".")[0];
    expect(await accounts.memberOf(one, `theme=dark; ${cookie}`)).toMatchObject({ id });
    for (const bad of [
      `farthing_session=${token}`,
      `farthing_session=${token}.`,
      `farthing_session=${token}.AAAA`,
      cookie.replace("=", "=x"),
      "farthing_session=%E0%A4%A",
      "farthing_session=",
      `x${cookie}`,
    ]) {
      expect(await accounts.memberOf(one, bad), bad).toBeNull();
    }
    expect(await openAccounts({ ...options, key: "another-key" }).memberOf(one, cookie)).toBeNull();
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", id).execute();
    expect(await accounts.memberOf(one, cookie)).toBeNull();
    await db.updateTable("members").set({ suspended_at: null }).where("id", "=", id).execute();
    expect(await accounts.memberOf(one, cookie)).not.toBeNull();
    await db
      .updateTable("member_sessions")
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where("member_id", "=", id)
      .execute();
    expect(await accounts.memberOf(one, cookie)).toBeNull();
    expect(await forgetExpiredSessions(db, { now: new Date() })).toBeGreaterThan(0);
  });
});

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
