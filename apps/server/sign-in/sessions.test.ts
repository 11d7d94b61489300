import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { describe, expect, test } from "vitest";
import { testPassword } from "./accounts.testing.ts";
import { openAccountsClub } from "./club.testing.ts";

const { db } = await testDatabase();
loadSite();

const clock = { now: new Date() };
const club = await openAccountsClub(db, clock);
const neighbour = await openAccountsClub(db, clock);
const page = "/profile/security";

const loggedIn = async (email: string, at = club) => {
  const browser = at.browser();
  await browser.post("/login", { email, password: testPassword });
  return browser;
};

describe("M2 the list of sessions", () => {
  test("M2 the list describes browsers in words, and any session can sign out any other", async () => {
    const { id, email } = await club.newMember();
    const [here, elsewhere] = [await loggedIn(email), await loggedIn(email)];
    const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
    const other = (await elsewhere.member())?.sessionId ?? "";
    await db.updateTable("member_sessions").set({ user_agent: windows }).where("id", "=", other).execute();
    const words = textOf(await (await here.get(page)).text());
    expect(words).toContain("Firefox on Windows");
    expect(words).toContain("This browser");
    expect((await here.post(page, { intent: "end-session", session: other })).status).toBe(303);
    expect(await elsewhere.member()).toBeNull();
    expect((await here.member())?.id).toBe(id);
  });

  test("M2 a member can sign out everywhere else, and everywhere", async () => {
    const { email } = await club.newMember();
    const [here, there, yonder] = [await loggedIn(email), await loggedIn(email), await loggedIn(email)];
    await here.post(page, { intent: "end-others" });
    expect({ there: await there.member(), yonder: await yonder.member() }).toEqual({ there: null, yonder: null });
    expect(await here.member()).not.toBeNull();
    const back = await loggedIn(email);
    const out = await here.post(page, { intent: "end-all" });
    expect(out.headers.get("Location")).toBe("/login?note=signed-out");
    expect({ here: await here.member(), back: await back.member() }).toEqual({ here: null, back: null });
  });

  test("S1 a session ends thirty days after the login, however often it is replaced; who proves who they are gets thirty more", async () => {
    const login = new Date("2026-03-01T09:00:00Z");
    const days = (count: number) => new Date(login.getTime() + count * 24 * 60 * 60 * 1000);
    const moved = { now: login };
    const own = await openAccountsClub(db, moved);
    const { id, email } = await own.newMember();
    const [replaced, confirmed] = [await loggedIn(email, own), await loggedIn((await own.newMember()).email, own)];
    const ends = async () =>
      (await db.selectFrom("member_sessions").select("expires_at").where("member_id", "=", id).execute()).map(
        ({ expires_at }) => expires_at,
      );
    moved.now = days(29);
    const answer = await replaced.post(page, { intent: "end-others" });
    expect(answer.headers.getSetCookie()[0]).toContain(`Max-Age=${24 * 60 * 60};`);
    expect((await replaced.member())?.id, "the control: it was replaced").toBe(id);
    expect(await ends()).toEqual([days(30)]);
    await confirmed.post("/login/again", { password: testPassword });
    moved.now = days(31);
    expect(await replaced.member()).toBeNull();
    expect(await confirmed.member()).not.toBeNull();
  });

  test("B4 S1 signing out another member's session, another brand's or an unknown one is 404, and the session stays", async () => {
    const mine = await loggedIn((await club.newMember()).email);
    const theirs = await loggedIn((await club.newMember()).email);
    const abroad = await loggedIn((await neighbour.newMember()).email, neighbour);
    const ids = [
      (await theirs.member())?.sessionId,
      (await abroad.member())?.sessionId,
      "nonsense",
      crypto.randomUUID(),
      "",
    ];
    for (const session of ids)
      expect((await mine.post(page, { intent: "end-session", session: session ?? "" })).status).toBe(404);
    expect([await theirs.member(), await abroad.member()]).not.toContain(null);
  });

  test("S1 ten thousand sessions have ten thousand tokens, and the database refuses a duplicate", async () => {
    const { id } = await club.newMember();
    const row = {
      brand_id: club.brand.id,
      member_id: id,
      token: "the-same",
      expires_at: new Date(clock.now.getTime() + 60_000),
    };
    await db
      .insertInto("member_sessions")
      .values({ ...row, id: crypto.randomUUID() })
      .execute();
    await expect(
      db
        .insertInto("member_sessions")
        .values({ ...row, id: crypto.randomUUID() })
        .execute(),
    ).rejects.toThrow(/unique/);
  });

  test("S1 a login from a new browser is reported by mail; the next one from that browser is not", async () => {
    const { email } = await club.newMember();
    const browser = await loggedIn(email);
    await browser.post("/logout", {});
    await browser.post("/login", { email, password: testPassword });
    expect(await browser.member()).not.toBeNull();
    expect(await club.mailCount("new-sign-in", email)).toBe(1);
    await loggedIn(email);
    expect(await club.mailCount("new-sign-in", email)).toBe(2);
  });
});

describe("S1 every page of the account", () => {
  const pages = ["", "/password", "/emails", "/two-step", "/passkeys"].map((path) => page + path);

  test.each(pages)("M2 %s asks visitors to log in, and is never cached", async (path) => {
    const stranger = await club.browser().get(path);
    expect(stranger.headers.get("Location")).toBe(`/login?next=${encodeURIComponent(path)}`);
    const member = await loggedIn((await club.newMember()).email);
    const shown = await member.get(path);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("Cache-Control")).toBe("private, no-store");
    expect((await club.browser().post(path, { intent: "remove" })).headers.get("Location")).toContain("/login");
  });

  test.each([
    ...pages,
    "/login",
    "/login/code",
    "/login/passkey",
    "/login/again",
    "/logout",
    "/forgotten-password",
    "/reset-password",
    "/confirm-email",
    "/undo-email-change",
  ])("S1 a post to %s from another site is refused", async (path) => {
    const browser = await loggedIn((await club.newMember()).email);
    const before = await browser.member();
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: `http://${neighbour.brand.slug}.localhost` },
    ]) {
      const answer = await browser.post(path, { intent: "end-all", email: "x@y.example" }, headers);
      expect(answer.status).toBe(400);
      expect(answer.headers.get("Set-Cookie")).toBeNull();
    }
    expect(await browser.member()).toEqual(before);
  });

  test.each(pages)("S1 a post to %s with an unknown action is 400", async (path) => {
    const member = await loggedIn((await club.newMember()).email);
    expect((await member.post(path, { intent: "make-me-an-owner" })).status).toBe(400);
  });
});
