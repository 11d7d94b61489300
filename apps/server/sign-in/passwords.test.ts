import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, it } from "vitest";
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
  it("M2 the link sets a new password once, ends every session and is told to the owner", async () => {
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
    expect([reset.status, reset.headers.get("Location")]).toEqual([303, "/login?note=password-set"]);
    expect(reset.headers.get("Set-Cookie"), "a link signs nobody in").toBeNull();
    expect(await elsewhere.member(), "whoever was in is out").toBeNull();
    expect(await (await loggedIn(email)).member(), "the old password is over").toBeNull();
    expect(await (await loggedIn(email, fresh)).member()).not.toBeNull();
    expect(await club.mailCount("password-changed", email)).toBe(1);
    expect((await setPassword(tokenOf(path))).status, "a second time").toBe(410);
    expect((await club.browser().get(path)).status).toBe(410);
  });

  it("S1 known, unknown, suspended and mistyped addresses have one answer: body, status and headers", async () => {
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

  it("S1 the address that was typed decides nothing before the answer: known and unknown write the same rows", async () => {
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

  it("complaint 12: whoever has no account at an address reads so in that mailbox, once a day, and nowhere else", async () => {
    const email = "stranger@home.example";
    await club.browser().post("/forgotten-password", { email });
    await club.browser().post("/forgotten-password", { email });
    expect(await club.mailCount("no-account", email)).toBe(1);
  });

  it("complaint 12: any proved address of a person can be used", async () => {
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

  it("S1 four in an hour to one mailbox is too many: it gets three, and the answer stays the same", async () => {
    const { email } = await club.newMember();
    const answers: number[] = [];
    for (let number = 0; number < 6; number += 1)
      answers.push((await club.browser().post("/forgotten-password", { email })).status);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await club.mailCount("reset-password", email)).toBe(3);
  });

  it("S1 whoever asks for many is told to wait", async () => {
    const outcomes: string[] = [];
    for (let number = 0; number < 22; number += 1) {
      const asked = { ...visit(), clientAddress: "203.0.113.77" };
      outcomes.push((await club.accounts.forgotPassword(asked, `someone-${number}@work.example`)).outcome);
    }
    expect(outcomes.slice(0, 20)).not.toContain("slow-down");
    expect(outcomes.at(-1)).toBe("slow-down");
  });
});

describe("S1 tokens that are not good", () => {
  it("S1 over, of another brand, of another purpose, or made up: one answer", async () => {
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

  it("S1 two posts with one token at a time: one sets the password", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    const statuses = await Promise.all([setPassword(token), setPassword(token), setPassword(token)]);
    expect(statuses.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(statuses.filter(({ status }) => status === 410)).toHaveLength(2);
  });

  it("S1 the tables hold no token that a page would take", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    const tokens = await db.selectFrom("member_tokens").selectAll().execute();
    expect(JSON.stringify(tokens)).not.toContain(token);
    for (const { token_hash } of tokens) expect((await setPassword(token_hash)).status).toBe(410);
  });

  it("Y1 M3 a weak, common or unlike password is refused, and the link stays good", async () => {
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

  it("M2 it needs the present one, ends the other sessions, and gives this one another cookie", async () => {
    const { email } = await club.newMember();
    const [here, elsewhere] = [await loggedIn(email), await loggedIn(email)];
    expect((await change(here, "Wrong-2026")).status).toBe(401);
    const before = here.cookies.get("farthing_session");
    const changed = await change(here, testPassword);
    expect([changed.status, changed.headers.get("Location")]).toEqual([303, "/profile/security?note=password"]);
    expect(here.cookies.get("farthing_session")).not.toBe(before);
    expect(await here.member()).not.toBeNull();
    expect(await elsewhere.member()).toBeNull();
    expect(await club.accounts.memberOf(club.brand, `farthing_session=${before}`), "the old cookie").toBeNull();
    expect(await club.mailCount("password-changed", email)).toBe(1);
  });

  it("S1 a reset link that was on its way is worth nothing once the password was changed", async () => {
    const { email } = await club.newMember();
    await club.browser().post("/forgotten-password", { email });
    const token = tokenOf((await club.mailPaths("reset-password", email))[0]);
    await change(await loggedIn(email), testPassword);
    expect((await setPassword(token, "Attackers-own-2026")).status).toBe(410);
  });

  it("S1 who sits at an open browser can't guess the password there", async () => {
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
