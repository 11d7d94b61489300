import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub, tokenOf } from "./club.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date() };
const later = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
const club = await openAccountsClub(db, clock);
const neighbour = await openAccountsClub(db, clock);
const fresh = "Quite-another-2026";

const loggedIn = async (email: string, password = testPassword) => {
  const browser = club.browser();
  await browser.post("/login", { email, password });
  return browser;
};
const setPassword = (token: string, password = fresh, browser = club.browser()) =>
  browser.post("/reset-password", { token, password, password_confirmation: password });

describe("M2 a forgotten password", () => {
  test("M2 M3 a missing address is answered with the words of every form, another text with how an address looks", async () => {
    const answerTo = async (email: string) => {
      const answer = await club.browser().post("/forgotten-password", { email });
      expect(answer.status).toBe(400);
      return textOf(await answer.text());
    };
    expect(await answerTo(" ")).toContain("Email ** This is a required field");
    expect(await answerTo("robin")).toContain("Email : Enter your e-mail address, like name@example.org.");
  });

  test("M2 the link sets a new password once and ends every session, and the owner is told by mail", async () => {
    const { email } = await club.newMember();
    const elsewhere = await loggedIn(email);
    expect(await elsewhere.member()).not.toBeNull();
    expect((await club.browser().post("/forgotten-password", { email })).status).toBe(200);
    const [path = ""] = await club.mailPaths("reset-password", email);
    const page = await club.browser().get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("Cache-Control")).toBe("private, no-store");
    expect(page.headers.get("Referrer-Policy")).toBe("same-origin");

    const reset = await setPassword(tokenOf(path));
    expect({ status: reset.status, location: reset.headers.get("Location") }).toEqual({
      status: 303,
      location: "/login?note=password-set",
    });
    expect(reset.headers.get("Set-Cookie"), "the link opens no session").toBeNull();
    expect(await elsewhere.member(), "other sessions have ended").toBeNull();
    expect(await (await loggedIn(email)).member(), "the old password no longer logs in").toBeNull();
    expect(await (await loggedIn(email, fresh)).member()).not.toBeNull();
    expect(await club.mailCount("password-changed", email)).toBe(1);
    expect((await setPassword(tokenOf(path))).status, "a second time").toBe(410);
    expect((await club.browser().get(path)).status).toBe(410);
  });

  test("S1 known, unknown, suspended and mistyped addresses get the same answer: body, status and headers", async () => {
    const { email } = await club.newMember();
    const suspended = await club.newMember();
    await db.updateTable("members").set({ suspended_at: new Date() }).where("id", "=", suspended.id).execute();
    const answers = await Promise.all(
      [email, "nobody-1@work.example", suspended.email].map(async (address) => {
        const response = await club.browser().post("/forgotten-password", { email: address });
        const words = textOf(await response.text());
        return [response.status, [...response.headers.keys()].join(), words];
      }),
    );
    expect(answers[1]).toEqual([answers[0]?.[0], answers[0]?.[1], String(answers[0]?.[2]).replace("p•••@", "n•••@")]);
    expect(answers[2]).toEqual(answers[0]);
    expect(await club.mailCount("reset-password", suspended.email)).toBe(0);
  });

  test("S1 known and unknown addresses write the same rows before the answer", async () => {
    const { email } = await club.newMember();
    const rows = async () =>
      JSON.stringify([
        (await db.selectFrom("password_reset_requests").selectAll().execute()).length,
        (await db.selectFrom("mails").selectAll().execute()).length,
        (await db.selectFrom("member_tokens").selectAll().execute()).length,
      ]);
    await club.mailPaths("reset-password", email);
    const before = JSON.parse(await rows()) as number[];
    await club.accounts.forgotPassword({ ...visit(), clientAddress: "203.0.113.9" }, email);
    await club.accounts.forgotPassword({ ...visit(), clientAddress: "203.0.113.9" }, "nobody-2@work.example");
    expect(JSON.parse(await rows())).toEqual([(before[0] ?? 0) + 2, before[1], before[2]]);
  });

  test("complaint 12: an address without an account gets a mail that says so, once a day, and no page says it", async () => {
    const email = "stranger@home.example";
    await club.browser().post("/forgotten-password", { email });
    await club.browser().post("/forgotten-password", { email });
    expect(await club.mailCount("no-account", email)).toBe(1);
  });

  test("complaint 12: any verified address of a member can be used", async () => {
    const { id } = await club.newMember();
    const second = `second-${id.slice(-6)}@home.example`;
    await db
      .insertInto("member_emails")
      .values({
        id: crypto.randomUUID(),
        brand_id: club.brand.id,
        member_id: id,
        email: second,
        verified_at: new Date(),
      })
      .execute();
    await club.browser().post("/forgotten-password", { email: second });
    const [path] = await club.mailPaths("reset-password", second);
    expect((await setPassword(tokenOf(path))).status).toBe(303);
    expect((await (await loggedIn(second, fresh)).member())?.id).toBe(id);
  });

  test("S1 a mailbox gets at most three links an hour, and the answer stays the same", async () => {
    const { email } = await club.newMember();
    const answers: number[] = [];
    for (let number = 0; number < 6; number += 1)
      answers.push((await club.browser().post("/forgotten-password", { email })).status);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await club.mailCount("reset-password", email)).toBe(3);
  });

  test("S1 an address that requests many links is told to wait", async () => {
    const outcomes: string[] = [];
    for (let number = 0; number < 22; number += 1) {
      const asked = { ...visit(), clientAddress: "203.0.113.77" };
      outcomes.push((await club.accounts.forgotPassword(asked, `someone-${number}@work.example`)).outcome);
    }
    expect(outcomes.slice(0, 20)).not.toContain("slow-down");
    expect(outcomes.at(-1)).toBe("slow-down");
  });
});

describe("S1 invalid tokens", () => {
  test("S1 an expired token, one of another brand or purpose, and an unknown one get the same answer", async () => {
    const { id, email } = await club.newMember();
    const ask = async () => {
      await club.browser().post("/forgotten-password", { email });
      return tokenOf((await club.mailPaths("reset-password", email))[0]);
    };
    const second = await ask();
    expect((await setPassword(second, fresh, neighbour.browser())).status, "at another brand").toBe(410);
    expect((await club.browser().post("/confirm-email", { token: second })).status, "another purpose").toBe(410);
    expect((await club.browser().post("/undo-email-change", { token: second })).status, "another purpose").toBe(410);
    for (const token of ["", "x".repeat(43), `${second}x`, "' or 1=1 --"])
      expect((await setPassword(token)).status).toBe(410);
    later(61);
    expect((await setPassword(second)).status, "over").toBe(410);
    expect(await db.selectFrom("member_sessions").selectAll().where("member_id", "=", id).execute()).toEqual([]);
  });

  test("S1 of two concurrent posts with one token, one sets the password", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    const statuses = await Promise.all([setPassword(token), setPassword(token), setPassword(token)]);
    expect(statuses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(statuses.filter(({ status }) => status === 410)).toHaveLength(2);
  });

  test("S1 the tables contain no token that a page accepts", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    const tokens = await db.selectFrom("member_tokens").selectAll().execute();
    expect(JSON.stringify(tokens)).not.toContain(token);
    for (const { token_hash } of tokens) expect((await setPassword(token_hash)).status).toBe(410);
  });

  test("Y1 M3 a weak, common or mistyped password is refused, and the link stays valid", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    for (const [password, confirmation] of [
      ["short", "short"],
      ["Password1", "Password1"],
      [fresh, "Quite-another-2027"],
    ] as const) {
      const form = { token, password, password_confirmation: confirmation };
      expect((await club.browser().post("/reset-password", form)).status, password).toBe(400);
    }
    expect((await setPassword(token)).status).toBe(303);
  });
});

describe("M2 changing the password", () => {
  const change = (browser: ReturnType<typeof club.browser>, present: string, password = fresh) =>
    browser.post("/profile/security/password", {
      present_password: present,
      password,
      password_confirmation: password,
    });

  test("M2 it needs the current password, ends the other sessions, and replaces the cookie of this one", async () => {
    const { email } = await club.newMember();
    const [here, elsewhere] = [await loggedIn(email), await loggedIn(email)];
    expect((await change(here, "Wrong-2026")).status).toBe(401);
    const before = here.cookies.get("farthing_session");
    const changed = await change(here, testPassword);
    expect({ status: changed.status, location: changed.headers.get("Location") }).toEqual({
      status: 303,
      location: "/profile/security?note=password",
    });
    expect(here.cookies.get("farthing_session")).not.toBe(before);
    expect(await here.member()).not.toBeNull();
    expect(await elsewhere.member()).toBeNull();
    expect(await club.accounts.memberOf(club.brand, `farthing_session=${before}`), "the old cookie").toBeNull();
    expect(await club.mailCount("password-changed", email)).toBe(1);
  });

  test("S1 changing the password ends reset links that were sent before", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    await change(await loggedIn(email), testPassword);
    expect((await setPassword(token, "Attackers-own-2026")).status).toBe(410);
  });

  test("S1 guesses of the password in an open session are throttled", async () => {
    const { email } = await club.newMember();
    const browser = await loggedIn(email);
    const statuses: number[] = [];
    for (let number = 0; number < 12; number += 1) statuses.push((await change(browser, `Wrong-${number}-Ab`)).status);
    expect(statuses).toContain(429);
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
