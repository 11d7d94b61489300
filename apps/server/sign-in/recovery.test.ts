import { createHash, randomBytes } from "node:crypto";
import { startEmailConfirmation } from "@farthing/core/sign-in/email-confirmation.server.ts";
import { makeMainEmail, removeEmail, startAddingEmail } from "@farthing/core/members/emails.server.ts";
import { addPasskey } from "@farthing/core/sign-in/passkeys.server.ts";
import { signOut } from "@farthing/core/sign-in/session-list.server.ts";
import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccounts } from "./accounts.ts";
import { accountsOfTheClub, openAccountsClub, tokenOf, type Browser } from "./club.testing.ts";
import { PasswordHashing } from "./password-hashing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date("2026-11-20T10:00:00Z") };
const later = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const days = 24 * 60;
const club = await openAccountsClub(db, clock);
const emailsPage = "/profile/security/emails";
const twoStep = "/profile/security/two-step";
const fresh = "Owners-own-2026";
let addresses = 0;
const newAddress = () => `elsewhere-${(addresses += 1)}@home.example`;

beforeEach(async () => {
  await db.deleteFrom("login_tries").execute();
});

const logIn = async (email: string, password = testPassword) => {
  const browser = club.browser();
  await browser.post("/login", { email, password });
  return browser;
};
const opens = async (email: string, password = testPassword) =>
  (await (await logIn(email, password)).member()) !== null;
const idOf = async (email: string) =>
  (await db.selectFrom("member_emails").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;
const linkTo = async (kind: string, to: string) => tokenOf((await club.mailPaths(kind, to))[0]);
const forget = (email: string) => club.browser().post("/forgotten-password", { email });
const reset = (token: string, password = fresh) =>
  club.browser().post("/reset-password", { token, password, password_confirmation: password });
async function add(browser: Browser, email: string): Promise<void> {
  expect((await browser.post(emailsPage, { intent: "add", email })).status).toBe(200);
  const confirmed = await club.browser().post("/confirm-email", { token: await linkTo("add-email", email) });
  expect(confirmed.status).toBe(200);
}
const change = async (browser: Browser, intent: "make-main" | "remove", email: string) =>
  expect((await browser.post(emailsPage, { intent, address: await idOf(email) })).status).toBe(303);

/** Registers a member who has not confirmed yet. Returns them with the cookies of the browser that registered. */
async function registered({ browserToken = randomBytes(32).toString("base64url") } = {}) {
  const member = await club.newMember(newAddress());
  await db.updateTable("members").set({ email_verified: false }).where("id", "=", member.id).execute();
  await db.updateTable("member_emails").set({ verified_at: null }).where("member_id", "=", member.id).execute();
  const browserHash = createHash("sha256").update(browserToken).digest("base64url");
  const asked = { brandId: club.brand.id, memberId: member.id, email: member.email, browserHash, now: clock.now };
  await startEmailConfirmation(db, asked);
  return { ...member, browserToken, token: await linkTo("confirm-email", member.email) };
}

describe("S1 a thief's link to another address", () => {
  test.each([
    [
      "a password reset",
      async (owner: { email: string }) => {
        await forget(owner.email);
        await reset(await linkTo("reset-password", owner.email));
      },
    ],
    [
      "signing out everywhere",
      async (owner: { email: string }) => {
        await (await logIn(owner.email)).post("/profile/security", { intent: "end-all" });
      },
    ],
  ])("S1 that is pending opens nothing after %s, and takes nothing over", async (_, recover) => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await thief.post(emailsPage, { intent: "add", email: address });
    const token = await linkTo("add-email", address);
    await recover(owner);
    expect((await club.browser().post("/confirm-email", { token })).status).toBe(410);
    await forget(address);
    expect(await club.mailCount("reset-password", address)).toBe(0);
  });
});

describe("S1 the undo of a thief's change", () => {
  test("S1 ends the password that the thief has set", async () => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await add(thief, address);
    await change(thief, "make-main", address);
    const passwords = { present_password: testPassword, password: "Thiefs-own-2026" };
    await thief.post("/profile/security/password", { ...passwords, password_confirmation: "Thiefs-own-2026" });
    const undone = await club
      .browser()
      .post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    expect(undone.status).toBe(200);
    for (const email of [owner.email, address])
      for (const password of [testPassword, "Thiefs-own-2026"]) expect(await opens(email, password)).toBe(false);
    await reset(await linkTo("reset-password", owner.email));
    expect(await opens(owner.email, fresh)).toBe(true);
  });

  test("S1 removes an address that was planted weeks before", async () => {
    const owner = await club.newMember();
    const [planted, taken] = [newAddress(), newAddress()];
    await add(await logIn(owner.email), planted);
    later(35 * days);
    const thief = await logIn(planted);
    await add(thief, taken);
    await change(thief, "make-main", taken);
    await club.browser().post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    const left = await db.selectFrom("member_emails").select("email").where("member_id", "=", owner.id).execute();
    expect(left).toEqual([{ email: owner.email }]);
    await forget(planted);
    expect(await club.mailCount("reset-password", planted)).toBe(0);
  });

  test("S1 keeps an address that was the main one before the address of the undo", async () => {
    const owner = await club.newMember();
    const [home, stolen] = [newAddress(), newAddress()];
    const browser = await logIn(owner.email);
    await add(browser, home);
    await change(browser, "make-main", home);
    later(30 * days);
    const thief = await logIn(home);
    await add(thief, stolen);
    await change(thief, "make-main", stolen);
    await club.browser().post("/undo-email-change", { token: await linkTo("email-changed", home) });
    const left = await db.selectFrom("member_emails").select("email").where("member_id", "=", owner.id).execute();
    expect(left.map(({ email }) => email).sort()).toEqual([home, owner.email].sort());
  });

  test("S1 works for an address that was removed, and cancels a closure that the thief requested", async () => {
    const owner = await club.newMember();
    const thief = await logIn(owner.email);
    const address = newAddress();
    await add(thief, address);
    await change(thief, "make-main", address);
    await change(thief, "remove", owner.email);
    const asked = await thief.post("/profile/privacy/close", { intent: "close", sure: "yes", pending: "give-up" });
    expect(asked.status).toBe(303);
    const undone = await club
      .browser()
      .post("/undo-email-change", { token: await linkTo("email-changed", owner.email) });
    expect(undone.status).toBe(200);
    const closures = db.selectFrom("closures").select("state").where("member_id", "=", owner.id);
    expect(await closures.execute()).toEqual([{ state: "cancelled" }]);
  });
});

describe("S1 an address that a thief planted gets no undo link when the owner removes it", () => {
  /** Returns whether the address was ever sent an undo link. */
  const hasWayBack = async (email: string) =>
    (await club.mailPaths("email-changed", email)).some((path) => path !== undefined);

  test.each([
    ["was only added, and the owner has a new address since", false, ["new"]],
    ["was the main one for a day, and the owner's first comes back", true, ["first"]],
    ["was the main one for a day, and the owner moves on to a new address", true, ["new"]],
    ["was the main one for a day, and the owner's first goes before it does", true, ["first", "new", "drop first"]],
  ])("S1 one that %s", async (_, wasMain, steps) => {
    const owner = await club.newMember();
    const [planted, next] = [newAddress(), newAddress()];
    const thief = await logIn(owner.email);
    await add(thief, planted);
    if (wasMain) await change(thief, "make-main", planted);
    later(wasMain ? days : 35 * days);
    const browser = await logIn(owner.email);
    for (const step of steps) {
      if (step === "first") await change(browser, "make-main", owner.email);
      if (step === "new") {
        await add(browser, next);
        await change(browser, "make-main", next);
      }
      if (step === "drop first") await change(browser, "remove", owner.email);
    }
    await change(browser, "remove", planted);
    expect(await club.mailCount("email-changed", planted), "it hears of it").toBeGreaterThan(0);
    expect(await hasWayBack(planted)).toBe(false);
    expect(await hasWayBack(owner.email)).toBe(true);
  });
});

describe("S1 two-step sign-in", () => {
  async function withFactor() {
    const { id, email } = await club.newMember();
    const browser = await logIn(email);
    const words = textOf(await (await browser.get(twoStep)).text());
    const secret = /type this into it: ((?:[A-Z2-7]{1,4} ?)+)/.exec(words)?.[1]?.replaceAll(" ", "") ?? "";
    const on = await browser.post(twoStep, { intent: "turn-on", code: totpCode(secret, clock.now) });
    const codes = [...textOf(await on.text()).matchAll(/\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/g)].map(([code]) => code);
    later(1);
    return { id, email, browser, secret, codes };
  }
  const asksAgain = async (browser: Browser, path = twoStep) =>
    (await browser.get(path)).headers.get("Location")?.startsWith("/login/again") === true;
  const isOn = async (memberId: string) =>
    (await db.selectFrom("member_second_factors").select("enabled_at").where("member_id", "=", memberId).execute())
      .length > 0;

  test("S1 can't be turned off in an open session with the password alone", async () => {
    const { id, browser } = await withFactor();
    later(60);
    for (const code of ["", "000000", "AAAAA-AAAAA"])
      expect((await browser.post("/login/again", { password: testPassword, code, next: twoStep })).status).toBe(401);
    expect(await asksAgain(browser)).toBe(true);
    await browser.post(twoStep, { intent: "turn-off" });
    expect(await isOn(id)).toBe(true);
  });

  test.each(["a code of the app", "a recovery code"])("S1 can be turned off with the password and %s", async (what) => {
    const { id, browser, secret, codes } = await withFactor();
    later(60);
    expect(textOf(await (await browser.get("/login/again")).text())).toContain("recovery codes");
    const code = what === "a recovery code" ? (codes[0] ?? "") : totpCode(secret, clock.now);
    expect((await browser.post("/login/again", { password: "Wrong-2026", code })).status, "both count").toBe(401);
    expect((await browser.post("/login/again", { password: testPassword, code })).status).toBe(303);
    expect((await browser.post(twoStep, { intent: "turn-off" })).status).toBe(303);
    expect(await isOn(id)).toBe(false);
  });

  test("S1 neither a new password nor a series of changes makes a session fresh", async () => {
    const { browser } = await withFactor();
    for (let round = 0; round < 3; round += 1) {
      later(12);
      await browser.post(twoStep, { intent: "renew-codes" });
      await browser.post("/profile/security", { intent: "end-others" });
    }
    expect(await asksAgain(browser)).toBe(true);
    const form = { present_password: testPassword, password: fresh, password_confirmation: fresh };
    const changed = await browser.post("/profile/security/password", form);
    expect(changed.headers.get("Location")).toContain("/login/again");
  });

  test("M2 new recovery codes are shown also when the page was opened in time and its form was sent a while later", async () => {
    const { browser } = await withFactor();
    later(20);
    const renewed = await browser.post(twoStep, { intent: "renew-codes" });
    expect(textOf(await renewed.text())).toMatch(/\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/);
    expect(await browser.member()).not.toBeNull();
  });

  test("S1 is asked for at every re-authentication", async () => {
    const { browser } = await withFactor();
    later(60);
    await browser.post("/login/again", { password: testPassword });
    for (const path of ["password", "emails", "two-step", "passkeys"])
      expect(await asksAgain(browser, `/profile/security/${path}`), path).toBe(true);
    expect(await asksAgain(browser, "/profile/privacy/close")).toBe(true);
    expect((await browser.post("/profile/privacy/export", {})).headers.get("Location")).toContain("/login/again");
  });

  test("S1 a secret that another session was shown can't be turned on", async () => {
    const { email } = await club.newMember();
    const [thief, owner] = [await logIn(email), await logIn(email)];
    const shown = async (browser: Browser) =>
      /type this into it: ((?:[A-Z2-7]{1,4} ?)+)/.exec(textOf(await (await browser.get(twoStep)).text()))?.[1];
    const seen = await shown(thief);
    expect(await shown(owner)).not.toBe(seen);
    expect(await shown(owner), "a reload changes nothing").toBe(await shown(owner));
  });

  // Codes of every format, guessed from many addresses: a text that is no app code may be a recovery code.
  test.each(["000000", "0000000", "AAAAA-AAAAA", "aaaaa bbbbb", "x".repeat(60), "", "①②③④⑤⑥"])(
    "S1 guesses like “%s” are throttled after five, at the login and at re-authentication",
    async (code) => {
      const { email, browser } = await withFactor();
      later(60);
      const half = club.browser();
      await half.post("/login", { email, password: testPassword });
      const statuses: number[] = [];
      for (let tries = 0; tries < 6; tries += 1) statuses.push((await half.post("/login/code", { code })).status);
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      const again: number[] = [];
      for (let tries = 0; tries < 6; tries += 1)
        again.push((await browser.post("/login/again", { password: testPassword, code })).status);
      expect(again, "this browser is known and has its own count").toEqual([401, 401, 401, 401, 401, 429]);
    },
  );
});

describe("S1 concurrent requests", () => {
  test("S1 removing an address and making it the main one are serialised, and the owner is never locked out", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    const sessionId = (await (await logIn(owner.email)).member())?.sessionId ?? "";
    const own = { brandId: club.brand.id, memberId: owner.id, sessionId, emailId: await idOf(second), now: clock.now };
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct pid)::int as count from pg_locks
        where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db);
      return rows[0]?.count;
    };
    let acts: Promise<unknown>[] = [];
    await db.transaction().execute(async (trx) => {
      // Deleting the row waits for this transaction, so the other request starts in between.
      await trx.selectFrom("member_emails").select("id").where("id", "=", own.emailId).forUpdate().execute();
      const removing = removeEmail(db, own);
      await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 20_000 });
      let isDone = false;
      const making = makeMainEmail(db, own).finally(() => (isDone = true));
      await vi.waitFor(async () => expect(isDone || (await waiting()) === 2).toBe(true), { timeout: 20_000 });
      acts = [removing, making];
    });
    const outcomes = await Promise.allSettled(acts);
    expect(outcomes.map((outcome) => outcome.status === "fulfilled" && outcome.value)).toEqual([true, false]);
    const main = await db.selectFrom("members").select("email").where("id", "=", owner.id).executeTakeFirstOrThrow();
    expect(await opens(main.email)).toBe(true);
  });

  test("S1 the database refuses to delete a main address", async () => {
    const owner = await club.newMember();
    const deleted = db.deleteFrom("member_emails").where("email", "=", owner.email).execute();
    await expect(deleted).rejects.toThrow(/main e-mail address/);
    await db.deleteFrom("members").where("id", "=", owner.id).execute();
  });

  describe("S1 a request in flight when the owner recovers the account grants no access", () => {
    /** Opens accounts whose password check lasts until the owner has signed out everywhere. */
    function slowAccounts(memberId: string) {
      const hashing = Object.assign(Object.create(new PasswordHashing()) as PasswordHashing, {
        verify: async () => {
          await signOut(db, { brandId: club.brand.id, memberId, now: clock.now });
          return true;
        },
        hash: (password: string) => new PasswordHashing().hash(password),
      });
      return openAccounts({ ...accountsOfTheClub, db, hashing, now: () => clock.now });
    }
    const cookiesOf = ({ cookies }: Browser) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const asking = (browser: Browser) =>
      new Request("http://x/login", { method: "POST", headers: { cookie: cookiesOf(browser) } });
    const openedFor = async (memberId: string) => [
      ...(await db.selectFrom("member_sessions").select("id").where("member_id", "=", memberId).execute()),
      ...(await db.selectFrom("login_steps").select("id").where("member_id", "=", memberId).execute()),
      ...(await db.selectFrom("member_passkeys").select("id").where("member_id", "=", memberId).execute()),
      ...(await db
        .selectFrom("member_tokens")
        .select("id")
        .where("member_id", "=", memberId)
        .where("used_at", "is", null)
        .execute()),
    ];

    test.each(["one step", "two steps"])("S1 a login of %s", async (steps) => {
      const { id, email } = await club.newMember();
      if (steps === "two steps")
        await db
          .insertInto("member_second_factors")
          .values({ member_id: id, secret: "x", enabled_at: clock.now, created_at: clock.now })
          .execute();
      const login = await slowAccounts(id).logIn(visit(), asking(club.browser()), { email, password: testPassword });
      expect(login.outcome).toBe("refused");
      expect(await openedFor(id)).toEqual([]);
    });

    test("S1 re-authenticating, and changing the password", async () => {
      const { id, email } = await club.newMember();
      for (const act of ["confirmWithPassword", "changePassword"] as const) {
        const thief = await logIn(email);
        const visiting = { ...visit(), member: await thief.member() };
        const proof = { password: testPassword, code: "", present: testPassword, wanted: fresh };
        const { outcome } = await slowAccounts(id)[act](visiting, asking(thief), proof);
        expect(outcome, act).toBe("refused");
        expect(await openedFor(id), act).toEqual([]);
      }
      expect(await opens(email), "the password is what it was").toBe(true);
    });

    test("S1 rotating the session, adding an address, and every change of credentials", async () => {
      const { id, email } = await club.newMember();
      const thief = await logIn(email);
      const second = newAddress();
      await add(thief, second);
      const visiting = { ...visit(), member: await thief.member() };
      const sessionId = visiting.member?.sessionId ?? "";
      await signOut(db, { brandId: club.brand.id, memberId: id, now: clock.now });
      await db.deleteFrom("member_tokens").where("member_id", "=", id).execute();
      const own = { brandId: club.brand.id, memberId: id, sessionId, now: clock.now };
      expect([...(await club.accounts.rotateSession(visiting, asking(thief)))]).toEqual([]);
      expect(await startAddingEmail(db, { ...own, email: newAddress() })).toBe(false);
      expect(await makeMainEmail(db, { ...own, emailId: await idOf(second) })).toBe(false);
      expect(await removeEmail(db, { ...own, emailId: await idOf(second) })).toBe(false);
      const passkey = { credentialId: `c-${id}`, publicKey: "k", counter: 0, transports: [], name: "Thief’s" };
      expect(await addPasskey(db, { ...own, ...passkey })).toBe(false);
      expect((await club.accounts.turnOnSecondFactor(visiting, asking(thief), "000000")).outcome).toBe("refused");
      expect(await club.accounts.renewRecoveryCodes(visiting, asking(thief))).toBeNull();
      expect(await openedFor(id)).toEqual([]);
    });
  });

  test("S1 a concurrent reset, undo, removal and sign-out all complete, without a deadlock", async () => {
    for (let round = 0; round < 4; round += 1) {
      const owner = await club.newMember();
      const second = newAddress();
      const browser = await logIn(owner.email);
      await add(browser, second);
      await forget(owner.email);
      const [resetToken, undoToken] = [
        await linkTo("reset-password", owner.email),
        await linkTo("email-changed", owner.email),
      ];
      const answers = await Promise.all([
        reset(resetToken),
        club.browser().post("/undo-email-change", { token: undoToken }),
        browser.post(emailsPage, { intent: "remove", address: await idOf(second) }),
        browser.post("/profile/security", { intent: "end-others" }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
    }
  });
});

describe("S1 a forgotten password", () => {
  test("S1 earlier links stay valid until one of them is used", async () => {
    const { email } = await club.newMember();
    await forget(email);
    const first = await linkTo("reset-password", email);
    await forget(email);
    const second = await linkTo("reset-password", email);
    expect((await reset(first)).status).toBe(303);
    expect((await reset(second)).status).toBe(410);
    expect(await opens(email, fresh)).toBe(true);
  });

  test("S1 strangers' requests neither block the owner's nor fill the mailbox", async () => {
    const { email } = await club.newMember();
    let mailed = 0;
    for (let minute = 0; minute < 3 * days; minute += 10) {
      later(10);
      await club.accounts.forgotPassword(
        { ...visit(), clientAddress: `198.51.${minute % 200}.${Math.floor(minute / 200)}` },
        email,
      );
      await club.mailCount("reset-password", email); // the worker answers
      const live = await db
        .selectFrom("member_tokens")
        .select("id")
        .where("email", "=", email)
        .where("used_at", "is", null)
        .where("expires_at", ">=", new Date(clock.now.getTime() + 30 * 60_000))
        .execute();
      // The owner, who requests one now, has a link that is valid for half an hour.
      expect(live.length, `after ${minute} minutes`).toBeGreaterThan(0);
      const day = Math.floor(minute / days);
      if (minute % days === days - 10) {
        const sent = (await club.mailCount("reset-password", email)) - mailed;
        expect(sent, `day ${day}`).toBeLessThanOrEqual(8);
        mailed += sent;
      }
    }
    expect((await reset(await linkTo("reset-password", email))).status).toBe(303);
    await forget(email);
    expect(await club.mailCount("reset-password", email), "a used link is none to wait for").toBe(mailed + 1);
  });

  test("S1 an address without an account gets at most one mail a day", async () => {
    const email = "nobody-at-all@home.example";
    for (let round = 0; round < 5; round += 1) await forget(email);
    expect(await club.mailCount("no-account", email)).toBe(1);
  });

  test("S1 strangers' requests don't use up the limit of other mails", async () => {
    const owner = await club.newMember();
    const mine = newAddress();
    for (let round = 0; round < 6; round += 1) {
      await forget(owner.email);
      await forget(mine);
    }
    await (await logIn(owner.email)).post(emailsPage, { intent: "add", email: mine });
    expect(await club.mailCount("add-email", mine)).toBe(1);
    const joining = await registered();
    for (let round = 0; round < 6; round += 1) await forget(joining.email);
    await logIn(joining.email);
    expect(await club.mailCount("confirm-email", joining.email), "one from the registration, one from the login").toBe(
      2,
    );
  });
});

describe("S1 what throttling reveals", () => {
  test("S1 wrong attempts at one address of a member don't affect their other address, which answers like a stranger's", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    const answersAt = async (addresses: string[]) => {
      const answers: number[] = [];
      for (const email of addresses)
        for (let tries = 0; tries < 6; tries += 1)
          answers.push((await club.browser().post("/login", { email, password: "Wrong-2026" })).status);
      return answers;
    };
    const own = await answersAt([owner.email, second]);
    expect(own).toEqual([401, 401, 401, 401, 401, 429, 401, 401, 401, 401, 401, 429]);
    await db.deleteFrom("login_tries").execute();
    expect(await answersAt([newAddress(), newAddress()])).toEqual(own);
  });

  test("S1 an account under attack at one address looks like any other account at its other address", async () => {
    const owner = await club.newMember();
    const second = newAddress();
    await add(await logIn(owner.email), second);
    for (let number = 0; number < 36; number += 1)
      await club.accounts.logIn({ ...visit(), clientAddress: `198.18.0.${number}` }, new Request("http://x/login"), {
        email: owner.email,
        password: "Wrong-2026",
      });
    const outcomes: string[] = [];
    for (let tries = 0; tries < 4; tries += 1)
      outcomes.push(
        (
          await club.accounts.logIn({ ...visit(), clientAddress: "198.18.1.1" }, new Request("http://x/login"), {
            email: second,
            password: "Wrong-2026",
          })
        ).outcome,
      );
    expect(outcomes).toEqual(["refused", "refused", "refused", "refused"]);
  });
});

describe("S1 an address that somebody else registered", () => {
  test("S1 the button in the owner's browser does not confirm the thief's password, but asks the owner to choose one", async () => {
    const { email, token } = await registered();
    const owner = club.browser();
    const page = textOf(await (await owner.get(`/confirm-email?token=${token}`)).text());
    expect(page).toContain("Choose the password of your account");
    expect((await owner.post("/confirm-email", { token })).status).toBe(400);
    expect(await owner.member()).toBeNull();
    expect((await logIn(email).then((browser) => browser.member())) === null, "the planted password").toBe(true);
    const link = await linkTo("confirm-email", email);
    const done = await owner.post("/confirm-email", { token: link, password: fresh, password_confirmation: fresh });
    expect(done.status).toBe(303);
    expect((await owner.member())?.email).toBe(email);
    expect(await opens(email), "the planted password").toBe(false);
    expect(await opens(email, fresh)).toBe(true);
    expect((await club.browser().post("/confirm-email", { token })).status, "no second link is left").toBe(410);
  });

  test("S1 M2 in the browser that registered, the button is enough", async () => {
    const { email, token, browserToken } = await registered();
    const browser = club.browser();
    browser.cookies.set("farthing_joining", browserToken);
    expect(textOf(await (await browser.get(`/confirm-email?token=${token}`)).text())).not.toContain(
      "Choose the password",
    );
    expect((await browser.post("/confirm-email", { token })).status).toBe(303);
    expect((await browser.member())?.email).toBe(email);
    expect(await opens(email)).toBe(true);
  });

  test("S1 a browser that registered another address, or the same one after the thief, has to choose a password", async () => {
    const [planted, other] = [await registered(), await registered()];
    for (const browserToken of [other.browserToken, randomBytes(32).toString("base64url"), "", "x"]) {
      const browser = club.browser();
      browser.cookies.set("farthing_joining", browserToken);
      expect((await browser.post("/confirm-email", { token: planted.token })).status).toBe(400);
    }
  });

  test("Y1 M3 a weak, common or mistyped password is refused there, and the link stays valid", async () => {
    const { token, email } = await registered();
    for (const [password, confirmation] of [
      ["short", "short"],
      ["Password1", "Password1"],
      [fresh, "Quite-another-2027"],
      [`A-${email}`, `A-${email}`],
    ] as const) {
      const form = { token, password, password_confirmation: confirmation };
      expect((await club.browser().post("/confirm-email", form)).status, password).toBe(400);
    }
    const form = { token, password: fresh, password_confirmation: fresh };
    expect((await club.browser().post("/confirm-email", form)).status).toBe(303);
  });

  test("S1 a link to an additional address names the account that it would open", async () => {
    const stranger = await club.newMember();
    const address = newAddress();
    await (await logIn(stranger.email)).post(emailsPage, { intent: "add", email: address });
    const page = await club.browser().get(`/confirm-email?token=${await linkTo("add-email", address)}`);
    expect(textOf(await page.text())).toContain("It will open the account of p•••@w•••.example");
  });
});

function visit() {
  return {
    requestId: "test",
    brand: club.brand,
    member: null,
    nonce: "n",
    origin: `http://${club.brand.slug}.localhost`,
  };
}
