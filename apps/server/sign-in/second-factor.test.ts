import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, type Browser } from "./club.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date("2026-11-20T10:00:00Z") };
const later = (seconds: number) => void (clock.now = new Date(clock.now.getTime() + seconds * 1000));
const club = await openAccountsClub(db, clock);
const neighbour = await openAccountsClub(db, clock);
const page = "/profile/security/two-step";

const passwordOf = (browser: Browser, email: string) =>
  browser.post("/login", { email, password: testPassword, next: "/favourites" });

async function withFactor() {
  const { id, email } = await club.newMember();
  const browser = club.browser();
  await passwordOf(browser, email);
  const words = textOf(await (await browser.get(page)).text());
  const secret = /type this into it: ((?:[A-Z2-7]{1,4} ?)+)/.exec(words)?.[1]?.replaceAll(" ", "") ?? "";
  const on = await browser.post(page, { intent: "turn-on", code: totpCode(secret, clock.now) });
  const codes = [...textOf(await on.text()).matchAll(/\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/g)].map(([code]) => code);
  later(60);
  return { id, email, browser, secret, codes };
}

/** Ends the waits of other tests. */
const noWaits = () =>
  db
    .updateTable("login_tries")
    .set({ waits_until: sql<Date>`now() - interval '1 second'` })
    .execute();

describe("M2 two-step sign-in", () => {
  test("M2 it is on once a code of the app was verified; then the account needs password and code", async () => {
    const { id, email, secret, codes } = await withFactor();
    expect(codes).toHaveLength(10);
    const browser = club.browser();
    const half = await passwordOf(browser, email);
    expect({ status: half.status, location: half.headers.get("Location") }).toEqual({
      status: 303,
      location: "/login/code",
    });
    expect(await browser.member()).toBeNull();
    expect((await browser.get("/profile")).headers.get("Location")).toContain("/login");
    expect((await browser.post("/login/code", { code: "000000" })).status).toBe(401);
    const whole = await browser.post("/login/code", { code: totpCode(secret, clock.now) });
    expect(whole.headers.get("Location"), "on to where they were going").toBe("/favourites");
    expect((await browser.member())?.id).toBe(id);
    expect(await club.mailCount("second-factor", email)).toBe(1);
  });

  test("M2 P8 whoever reads the page on the phone itself opens the app by a link with the secret of the QR code", async () => {
    const { email } = await club.newMember();
    const browser = club.browser();
    await passwordOf(browser, email);
    const html = await (await browser.get(page)).text();
    const [, link = ""] = /<a href="(otpauth:[^"]*)"/.exec(html) ?? [];
    const secret = new URL(link.replaceAll("&amp;", "&")).searchParams.get("secret");
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const [, shown = ""] = /id="two-step-secret"[^>]*>(.*?)<\/code>/.exec(html) ?? [];
    expect(shown.replaceAll(/<[^>]*>/g, ""), "what the button copies: without spaces").toBe(secret);
    expect(html).toMatch(/<button[^>]*data-copies="two-step-secret"/);
  });

  test("M2 a wrong code turns nothing on", async () => {
    const { email } = await club.newMember();
    const browser = club.browser();
    await passwordOf(browser, email);
    await browser.get(page);
    expect((await browser.post(page, { intent: "turn-on", code: "123456" })).status).toBe(401);
    expect((await passwordOf(club.browser(), email)).headers.get("Location")).toBe("/favourites");
  });

  test("S1 a secret that was shown and not verified stays the same on reload, and is replaced after half an hour", async () => {
    const { email } = await club.newMember();
    const browser = club.browser();
    await passwordOf(browser, email);
    const shown = async () =>
      /type this into it: ((?:[A-Z2-7]{1,4} ?)+)/.exec(textOf(await (await browser.get(page)).text()))?.[1];
    const first = await shown();
    expect(await shown()).toBe(first);
    later(31 * 60);
    await browser.post("/login/again", { password: testPassword });
    expect(await shown()).not.toBe(first);
  });

  test("S1 turning it on or off needs re-authentication, replaces the cookie, and is reported by mail", async () => {
    const { email, browser, secret } = await withFactor();
    later(31 * 60);
    expect((await browser.post(page, { intent: "turn-off" })).headers.get("Location")).toContain("/login/again");
    await browser.post("/login/again", { password: testPassword, code: totpCode(secret, clock.now) });
    const before = browser.cookies.get("farthing_session");
    await browser.post(page, { intent: "turn-off" });
    expect(browser.cookies.get("farthing_session")).not.toBe(before);
    expect(await club.mailCount("second-factor", email)).toBe(2);
    expect((await passwordOf(club.browser(), email)).headers.get("Location")).toBe("/favourites");
  });

  test("S1 a code works once, in any browser", async () => {
    const { email, secret } = await withFactor();
    const [owner, thief] = [club.browser(), club.browser()];
    await passwordOf(owner, email);
    await passwordOf(thief, email);
    const code = totpCode(secret, clock.now);
    expect((await owner.post("/login/code", { code })).status).toBe(303);
    expect((await thief.post("/login/code", { code })).status).toBe(401);
    expect(await thief.member()).toBeNull();
  });

  test("S1 the same code sent twice at the same time opens one session", async () => {
    const { email, secret } = await withFactor();
    const [one, two] = [club.browser(), club.browser()];
    await passwordOf(one, email);
    await passwordOf(two, email);
    const code = totpCode(secret, clock.now);
    const statuses = await Promise.all([one.post("/login/code", { code }), two.post("/login/code", { code })]);
    expect(statuses.map(({ status }) => status)).toEqual(expect.arrayContaining([303, 401]));
  });

  test("S1 guesses are throttled after five, also with a new password step in between; the owner's known browser is not", async () => {
    const { email, secret, browser: own } = await withFactor();
    await own.post("/logout", {});
    const guess = async () => {
      const browser = club.browser();
      await passwordOf(browser, email);
      return (await browser.post("/login/code", { code: "000000" })).status;
    };
    const statuses: number[] = [];
    for (let number = 0; number < 7; number += 1) statuses.push(await guess());
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await passwordOf(own, email);
    expect((await own.post("/login/code", { code: totpCode(secret, clock.now) })).status).toBe(303);
    await noWaits();
  });

  test("S1 a right code is refused without the password step, after ten minutes, and at another brand", async () => {
    const { email, secret } = await withFactor();
    const code = () => totpCode(secret, clock.now);
    expect((await club.browser().post("/login/code", { code: code() })).headers.get("Location")).toBe(
      "/login?note=step-over",
    );
    const browser = club.browser();
    await passwordOf(browser, email);
    const abroad = neighbour.browser();
    for (const [name, value] of browser.cookies) abroad.cookies.set(name, value);
    expect((await abroad.post("/login/code", { code: code() })).headers.get("Location")).toBe("/login?note=step-over");
    later(601);
    expect((await browser.post("/login/code", { code: code() })).headers.get("Location")).toBe("/login?note=step-over");
    expect(await browser.member()).toBeNull();
  });

  test("S1 a password step can be used once", async () => {
    const { email, secret } = await withFactor();
    const browser = club.browser();
    await passwordOf(browser, email);
    const step = browser.cookies.get("farthing_step") ?? "";
    await browser.post("/login/code", { code: totpCode(secret, clock.now) });
    later(60);
    const thief = club.browser();
    thief.cookies.set("farthing_step", step);
    expect((await thief.post("/login/code", { code: totpCode(secret, clock.now) })).headers.get("Location")).toBe(
      "/login?note=step-over",
    );
  });

  test("S1 two valid codes sent at the same time after one password step open one session", async () => {
    const { id, email, codes } = await withFactor();
    const [one, two] = [club.browser(), club.browser()];
    await passwordOf(one, email);
    two.cookies.set("farthing_step", one.cookies.get("farthing_step") ?? "");
    const sessions = () => db.selectFrom("member_sessions").select("id").where("member_id", "=", id).execute();
    const before = (await sessions()).length;
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct pid)::int as count from pg_locks
        where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db);
      return rows[0]?.count;
    };
    let posts: Promise<Response>[] = [];
    await db.transaction().execute(async (trx) => {
      // Checking a code waits for this transaction, so both posts have found the password step before one of them ends it.
      await trx.selectFrom("member_second_factors").select("secret").where("member_id", "=", id).forUpdate().execute();
      posts = [one, two].map((browser, turn) => browser.post("/login/code", { code: codes[turn] ?? "" }));
      await vi.waitFor(async () => expect(await waiting()).toBe(2), { timeout: 20_000 });
    });
    const answers = await Promise.all(posts);
    const locations = answers.map(({ headers }) => headers.get("Location"));
    expect(locations).toEqual(expect.arrayContaining(["/favourites", "/login?note=step-over"]));
    expect((await sessions()).length - before).toBe(1);
    const members = await Promise.all([one.member(), two.member()]);
    expect(members.filter((member) => member !== null)).toHaveLength(1);
  });

  test("S1 a login after a password reset still asks for the code", async () => {
    const { email } = await withFactor();
    await club.browser().post("/forgotten-password", { email });
    const [path = ""] = await club.mailPaths("reset-password", email);
    const token = new URL(path, "http://x").searchParams.get("token") ?? "";
    const password = "Quite-another-2026";
    await club.browser().post("/reset-password", { token, password, password_confirmation: password });
    const login = await club.browser().post("/login", { email, password });
    expect(login.headers.get("Location")).toBe("/login/code");
  });
});

describe("M2 recovery codes", () => {
  const logInWith = async (email: string, code: string) => {
    const browser = club.browser();
    await passwordOf(browser, email);
    return browser.post("/login/code", { code });
  };

  test("M2 each code opens the account once, however it is typed, and its owner is told by mail", async () => {
    const { email, codes } = await withFactor();
    const [code = "", other = ""] = codes;
    expect((await logInWith(email, ` ${code.toLowerCase().replace("-", " ")} `)).status).toBe(303);
    expect((await logInWith(email, code)).status, "a second time").toBe(401);
    expect((await logInWith(email, other)).status).toBe(303);
    expect(await club.mailCount("second-factor", email)).toBe(3);
  });

  test("S1 new codes end the old ones, and a member's codes open no other account", async () => {
    const [mine, theirs] = [await withFactor(), await withFactor()];
    expect((await logInWith(mine.email, theirs.codes[0] ?? "")).status).toBe(401);
    const renewed = await mine.browser.post(page, { intent: "renew-codes" });
    const fresh = /\b[A-Z2-9]{5}-[A-Z2-9]{5}\b/.exec(textOf(await renewed.text()))?.[0] ?? "";
    expect((await logInWith(mine.email, mine.codes[1] ?? "")).status).toBe(401);
    expect((await logInWith(mine.email, fresh)).status).toBe(303);
  });

  test("M2 P8 they can be kept as a file that is in the page itself, and are copied one a line", async () => {
    const { browser, codes } = await withFactor();
    const html = await (await browser.post(page, { intent: "renew-codes" })).text();
    const [, file = ""] =
      /href="data:text\/plain;charset=utf-8,([^"]*)" download="recovery-codes.txt"/.exec(html) ?? [];
    const kept = decodeURIComponent(file).split("\r\n").slice(3).filter(Boolean);
    expect(kept).toHaveLength(10);
    expect(kept).not.toEqual(codes);
    const [, list = ""] = /<ul[^>]*id="recovery-codes">(.*?)<\/ul>/s.exec(html) ?? [];
    expect(list.replaceAll(/<!--.*?-->|<[^>]*>/g, "")).toBe(kept.map((code) => `${code}\n`).join(""));
    expect(html).toMatch(/<button[^>]*data-copies="recovery-codes"/);
  });

  test("S1 they are shown once, and the database contains only hashes", async () => {
    const { browser, codes, secret } = await withFactor();
    const shown = await (await browser.get(page)).text();
    const kept = JSON.stringify([
      await db.selectFrom("member_recovery_codes").selectAll().execute(),
      await db.selectFrom("member_second_factors").selectAll().execute(),
    ]);
    for (const text of [shown, kept]) expect(codes.filter((code) => text.includes(code))).toEqual([]);
    expect(kept).not.toContain(secret);
  });
});
