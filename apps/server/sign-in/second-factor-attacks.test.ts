import { totpCode } from "@farthing/core/sign-in/totp.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import type { Browser } from "./club.testing.ts";
import { NEW_PASSWORD, openRecoveryClub } from "./recovery-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, clock, later, logIn } = await openRecoveryClub(db);
const twoStep = "/profile/security/two-step";

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
    const form = { present_password: testPassword, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD };
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
