import { startEmailConfirmation } from "@farthing/core/sign-in/email-confirmation.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, tokenOf, type Browser } from "./club.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date() };
const later = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const club = await openAccountsClub(db, clock);
const neighbour = await openAccountsClub(db, clock);

const loggedIn = async (email: string) => {
  const browser = club.browser();
  await browser.post("/login", { email, password: testPassword });
  expect(await browser.member()).not.toBeNull();
  return browser;
};
const page = "/profile/security/emails";
const add = (browser: Browser, email: string) => browser.post(page, { intent: "add", email });
const idOf = async (email: string) =>
  (await db.selectFrom("member_emails").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;
let numbers = 0;
const newAddress = () => `other-${(numbers += 1)}@home.example`;

async function newUnconfirmed() {
  const member = await club.newMember(newAddress());
  await db.updateTable("members").set({ email_verified: false }).where("id", "=", member.id).execute();
  await db.updateTable("member_emails").set({ verified_at: null }).where("member_id", "=", member.id).execute();
  return member;
}
const confirmation = (member: { id: string; email: string }, next?: string) =>
  startEmailConfirmation(db, {
    brandId: club.brand.id,
    memberId: member.id,
    email: member.email,
    ...(next === undefined ? {} : { next }),
    now: clock.now,
  });

/** Clears the cookies, as in another browser than the one that registered. */
const confirm = (browser: Browser, token: string, password = "Owners-own-2026") =>
  browser.post("/confirm-email", { token, password, password_confirmation: password });

describe("M2 confirming an address", () => {
  test("M2 opening the link changes nothing; the button confirms once, signs in and redirects", async () => {
    const member = await newUnconfirmed();
    await confirmation(member, "/verification");
    const [path = ""] = await club.mailPaths("confirm-email", member.email);
    for (let scan = 0; scan < 3; scan += 1) expect((await club.browser().get(path)).status).toBe(200);
    const browser = club.browser();
    const confirmed = await confirm(browser, tokenOf(path));
    expect({ status: confirmed.status, location: confirmed.headers.get("Location") }).toEqual({
      status: 303,
      location: "/verification",
    });
    expect((await browser.member())?.id).toBe(member.id);
    expect((await confirm(club.browser(), tokenOf(path))).status, "once").toBe(410);
    expect((await club.browser().get(path)).status).toBe(410);
  });

  test("S1 confirming replaces the session of the browser (fixation)", async () => {
    const planted = await loggedIn((await club.newMember()).email);
    const cookie = planted.cookies.get("farthing_session");
    const member = await newUnconfirmed();
    await confirmation(member);
    await confirm(planted, tokenOf((await club.mailPaths("confirm-email", member.email))[0]));
    expect((await planted.member())?.id).toBe(member.id);
    expect(await club.accounts.memberOf(club.brand, `farthing_session=${cookie}`)).toBeNull();
  });

  test("M2 S1 a login with the right password before the confirmation says so and sends the link again, a limited number of times", async () => {
    const { email } = await newUnconfirmed();
    const wrong = await club.browser().post("/login", { email, password: "Wrong-2026" });
    expect(wrong.status, "others learn nothing").toBe(401);
    const right = await club.browser().post("/login", { email, password: testPassword });
    expect(right.status).toBe(403);
    expect(textOf(await right.text())).toContain("confirm your e-mail first");
    for (let number = 0; number < 6; number += 1)
      await club.browser().post("/login", { email, password: testPassword });
    expect(await club.mailCount("confirm-email", email)).toBe(3);
  });

  test("S1 a link that has expired, of another brand or of a suspended member confirms nothing", async () => {
    const member = await newUnconfirmed();
    await confirmation(member);
    const token = tokenOf((await club.mailPaths("confirm-email", member.email))[0]);
    expect((await neighbour.browser().post("/confirm-email", { token })).status).toBe(410);
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", member.id).execute();
    expect((await club.browser().post("/confirm-email", { token })).status).toBe(410);
    await db.updateTable("members").set({ suspended_at: null }).where("id", "=", member.id).execute();
    later(24 * 60 + 1);
    expect((await club.browser().post("/confirm-email", { token })).status).toBe(410);
  });
});

describe("M2 several addresses", () => {
  test("M2 complaint 12: a second address opens the account once it is confirmed, and the main one is told by mail", async () => {
    const { id, email } = await club.newMember();
    const browser = await loggedIn(email);
    const second = newAddress();
    expect((await add(browser, second)).status).toBe(200);
    expect((await club.browser().post("/login", { email: second, password: testPassword })).status).toBe(401);
    const confirmed = await club
      .browser()
      .post("/confirm-email", { token: tokenOf((await club.mailPaths("add-email", second))[0]) });
    expect(confirmed.status).toBe(200);
    expect(confirmed.headers.get("Set-Cookie"), "it opens no session").toBeNull();
    expect((await (await loggedIn(second)).member())?.id).toBe(id);
    expect(await club.mailCount("email-changed", email)).toBe(1);
  });

  test("S1 adding an address that has an account gets the same answer, and only its mailbox is told why", async () => {
    const [mine, theirs] = [await club.newMember(), await club.newMember()];
    const browser = await loggedIn(mine.email);
    const free = newAddress();
    const answers = [];
    for (const address of [free, theirs.email]) {
      const response = await add(browser, address);
      answers.push([response.status, textOf(await response.text()).replaceAll(address, "…")]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(await club.mailCount("already-registered", theirs.email)).toBe(1);
    expect(await club.mailCount("add-email", theirs.email)).toBe(0);
  });

  test("S1 an address that another member took before it was confirmed stays theirs", async () => {
    const browser = await loggedIn((await club.newMember()).email);
    const wanted = newAddress();
    await add(browser, wanted);
    const token = tokenOf((await club.mailPaths("add-email", wanted))[0]);
    const owner = await club.newMember(wanted);
    expect((await club.browser().post("/confirm-email", { token })).status).toBe(410);
    expect((await (await loggedIn(wanted)).member())?.id).toBe(owner.id);
  });

  async function withSecond() {
    const { id, email } = await club.newMember();
    const browser = await loggedIn(email);
    const second = newAddress();
    await add(browser, second);
    await browser.post("/confirm-email", { token: tokenOf((await club.mailPaths("add-email", second))[0]) });
    return { id, email, second, browser };
  }

  test("M2 another address becomes the main one and the first can be removed; both are told by mail", async () => {
    const { id, email, second, browser } = await withSecond();
    await browser.post(page, { intent: "make-main", address: await idOf(second) });
    expect((await browser.member())?.email).toBe(second);
    await browser.post(page, { intent: "remove", address: await idOf(email) });
    expect((await club.browser().post("/login", { email, password: testPassword })).status).toBe(401);
    expect((await (await loggedIn(second)).member())?.id).toBe(id);
    expect(await club.mailCount("email-changed", email), "added, made main, removed").toBe(3);
  });

  test("M2 the main address can't be removed", async () => {
    const { email, browser } = await withSecond();
    expect((await browser.post(page, { intent: "remove", address: await idOf(email) })).status).toBe(404);
  });

  test("S1 the link in the old mailbox undoes a thief's change: it restores the address, ends sessions and leads to a new password", async () => {
    const { id, email, second, browser } = await withSecond();
    await browser.post(page, { intent: "make-main", address: await idOf(second) });
    await browser.post(page, { intent: "remove", address: await idOf(email) });
    later(3 * 24 * 60);
    const paths = await club.mailPaths("email-changed", email);
    const undone = await club.browser().post("/undo-email-change", { token: tokenOf(paths[0]) });
    expect(undone.status).toBe(200);
    expect(await browser.member(), "the thief is out").toBeNull();
    expect((await club.browser().post("/login", { email: second, password: testPassword })).status).toBe(401);
    expect(await club.mailCount("reset-password", email)).toBe(1);
    const owner = await db.selectFrom("members").select("email").where("id", "=", id).executeTakeFirstOrThrow();
    expect(owner.email).toBe(email);
    expect((await club.browser().post("/undo-email-change", { token: tokenOf(paths[0]) })).status).toBe(410);
  });

  test.each(["remove", "make-main first"])(
    "S1 an address that a thief has added gets no way back when the owner removes it (%s)",
    async (how) => {
      const { email, second, browser } = await withSecond();
      if (how !== "remove") {
        await browser.post(page, { intent: "make-main", address: await idOf(second) });
        await browser.post(page, { intent: "make-main", address: await idOf(email) });
      }
      await browser.post(page, { intent: "remove", address: await idOf(second) });
      const told = await club.mailPaths("email-changed", second);
      expect(told.length, "it hears of it all the same").toBeGreaterThan(0);
      for (const path of told) expect(path).toBeUndefined();
      const tokens = db.selectFrom("member_tokens").select("id").where("email", "=", second);
      expect(await tokens.where("purpose", "=", "undo-email-change").execute()).toEqual([]);
    },
  );

  test("S1 the link undoes nothing after a week, or at another brand", async () => {
    const { email } = await withSecond();
    const token = tokenOf((await club.mailPaths("email-changed", email))[0]);
    expect((await neighbour.browser().post("/undo-email-change", { token })).status).toBe(410);
    later(7 * 24 * 60 + 1);
    expect((await club.browser().post("/undo-email-change", { token })).status).toBe(410);
  });

  test("B4 S1 making another member's or another brand's address the main one, or removing it, is 404", async () => {
    const mine = await loggedIn((await club.newMember()).email);
    const theirs = await withSecond();
    const abroad = await neighbour.newMember(newAddress());
    for (const address of [await idOf(theirs.second), await idOf(theirs.email), await idOf(abroad.email), "x", ""])
      for (const intent of ["make-main", "remove"])
        expect((await mine.post(page, { intent, address })).status, `${intent} ${address}`).toBe(404);
    expect((await loggedIn(theirs.second)) !== null).toBe(true);
  });

  test("S1 a member who logged in a while ago re-authenticates before changing addresses, and gets a new session", async () => {
    const { email } = await club.newMember();
    const browser = await loggedIn(email);
    later(16);
    expect((await browser.get(page)).headers.get("Location")).toBe("/login/again?next=%2Fprofile%2Fsecurity%2Femails");
    later(15);
    expect((await add(browser, newAddress())).headers.get("Location")).toContain("/login/again");
    const before = browser.cookies.get("farthing_session");
    expect((await browser.post("/login/again", { password: "Wrong-2026", next: page })).status).toBe(401);
    const again = await browser.post("/login/again", { password: testPassword, next: page });
    expect(again.headers.get("Location")).toBe(page);
    expect(browser.cookies.get("farthing_session")).not.toBe(before);
    expect((await browser.get(page)).status).toBe(200);
  });

  test("M2 M3 a missing address is answered with the words of every form", async () => {
    const answer = await add(await loggedIn((await club.newMember()).email), "");
    expect(answer.status).toBe(400);
    expect(textOf(await answer.text())).toContain("Email ** This is a required field");
  });

  test("M2 a member has at most five addresses", async () => {
    const browser = await loggedIn((await club.newMember()).email);
    for (let number = 0; number < 4; number += 1) {
      const address = newAddress();
      await add(browser, address);
      await browser.post("/confirm-email", { token: tokenOf((await club.mailPaths("add-email", address))[0]) });
    }
    expect((await add(browser, newAddress())).status).toBe(400);
  });
});
