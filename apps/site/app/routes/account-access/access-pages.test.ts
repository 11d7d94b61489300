import { findAccessRequests } from "@farthing/core/account-access/queries.server.ts";
import { askForAccess } from "@farthing/core/account-access/request-access.server.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

const MINUTE = 60_000;
const clock = { now: NOW };
let club: TestClub;
const operator = { id: newId(), name: "Ada <b>" };
beforeAll(async () => {
  club = await openClub(db, { now: () => clock.now });
  await db.updateTable("brands").set({ is_default: true }).where("id", "=", club.brand.id).execute();
  const account = { email: "ada@club.example", role: "support", created_at: NOW, updated_at: NOW };
  await db
    .insertInto("operators")
    .values({ ...operator, ...account })
    .execute();
});
afterEach(() => {
  clock.now = NOW;
  expect(club.errors).toEqual([]);
});

/** A member whom the operator has asked, and who has just logged in. */
async function asked({ loggedInAt = NOW } = {}) {
  const member = { ...(await club.newMember()), authenticatedAt: loggedInAt };
  const reason = "your claim <i>of</i> May looks wrong";
  const result = await askForAccess(db, { memberId: member.id, operator, reason, now: NOW });
  const publicId = result.outcome === "asked" ? result.publicId : "";
  const page = `/profile/access/${publicId}`;
  const standing = async () => (await findAccessRequests(db, { memberId: member.id, now: clock.now }))[0]?.standing;
  return {
    member,
    publicId,
    page,
    standing,
    read: async (path: string) => textOf(await (await club.get(path, { member })).text()),
    post: (path: string, form: Record<string, string>) => club.post(path, form, { member }),
  };
}

describe("A3 the member decides who acts as them", () => {
  test("A3 the profile says that somebody asks, and leads to who, why and what they never see", async () => {
    const { read, page, member } = await asked();
    const profile = await (await club.get("/profile", { member })).text();
    expect(textOf(profile)).toContain("Ada &lt;b&gt; asks to look at your account");
    expect(profile).toContain(`href="${page}"`);
    const text = await read(page);
    expect(text).toContain("May Ada &lt;b&gt; look at your account?");
    expect(text).toContain("your claim &lt;i&gt;of&lt;/i&gt; May looks wrong");
    expect(text).toMatch(/can.t take money out/);
  });

  test("A3 a yes asks who it is where the login is a while ago; a no never does", async () => {
    const { member, page, post, standing } = await asked({ loggedInAt: new Date(NOW.getTime() - 31 * MINUTE) });
    const again = `/login/again?next=${encodeURIComponent(page)}`;
    const opened = await club.get(page, { member });
    expect([opened.status, opened.headers.get("Location")]).toEqual([303, again]);
    const refused = await post(page, { answer: "yes" });
    const andBack = `/login/again?next=${encodeURIComponent(`${page}?note=not-saved`)}`;
    expect([refused.status, refused.headers.get("Location")]).toEqual([303, andBack]);
    expect(await standing()).toBe("asked");
    const no = await post(page, { answer: "no" });
    expect([no.status, no.headers.get("Location")]).toEqual([303, "/profile/access?note=no"]);
    expect(await standing()).toBe("refused");
  });

  test("A3 after a yes the member sees it and takes it back, without the password", async () => {
    const { post, page, read, standing, publicId } = await asked();
    expect((await post(page, { answer: "yes" })).headers.get("Location")).toBe("/profile/access?note=yes");
    expect(await standing()).toBe("allowed");
    expect(await read("/profile")).toContain("Ada &lt;b&gt; may look at your account");
    clock.now = new Date(NOW.getTime() + 60 * MINUTE);
    expect(await read("/profile/access?note=yes")).toContain("Take it back : Ada &lt;b&gt;");
    const ended = await post("/profile/access", { end: publicId });
    expect([ended.status, ended.headers.get("Location")]).toEqual([303, "/profile/access?note=ended"]);
    expect(await standing()).toBe("withdrawn");
    expect((await post("/profile/access", { end: publicId })).status, "twice: it is as they wish").toBe(303);
    expect(await read("/profile")).not.toContain("Ada &lt;b&gt;");
  });

  test("A3 an answer that comes too late is told so, and changes nothing", async () => {
    const { post, page, read, standing } = await asked({ loggedInAt: new Date(NOW.getTime() + 24 * 60 * MINUTE) });
    clock.now = new Date(NOW.getTime() + 24 * 60 * MINUTE);
    const late = await post(page, { answer: "yes" });
    expect(late.status).toBe(409);
    expect(textOf(await late.text())).toContain("There is nothing to answer");
    expect(await standing()).toBe("lapsed");
    expect(await read(page)).toContain("the question is over");
  });

  test("A3 the history says who looked, when, and how much", async () => {
    const { publicId, read } = await asked();
    const session = { operator_session_id: newId(), session_hash: Buffer.alloc(32, publicId.length) };
    await db
      .updateTable("account_access_requests")
      .set({ state: "running", answered_at: NOW, started_at: NOW, ends_at: new Date(NOW.getTime() + 30 * MINUTE) })
      .set({ ...session, pages_seen: 4, changes_made: 1 })
      .where("public_id", "=", publicId)
      .execute();
    const text = await read("/profile/access");
    expect(text).toContain("Ada &lt;b&gt; looked at your account on 20 November at 12:00");
    expect(text).toContain("They opened 4 pages and sent 1 form.");
    expect(textOf(await (await club.get("/profile/access", { member: await club.newMember() })).text())).toContain(
      "Nobody has asked",
    );
  });

  test("A3 B4 somebody else's question is unknown, and odd posts change nothing", async () => {
    const { page, publicId, standing, post } = await asked();
    const member = { ...(await club.newMember()), authenticatedAt: NOW };
    expect((await club.get(page, { member })).status).toBe(404);
    for (const answer of ["yes", "no"]) expect((await club.post(page, { answer }, { member })).status).toBe(404);
    expect((await club.post("/profile/access", { end: publicId }, { member })).status).toBe(404);
    for (const form of [{}, { answer: "maybe" }]) expect((await post(page, form)).status).toBe(400);
    for (const end of ["", "x", "a".repeat(22) + "\n"])
      expect((await post("/profile/access", { end })).status).toBe(400);
    expect(await standing()).toBe("asked");
  });
});

test("A3 T2 the page that an operator sees names them, and marks itself neither as a member's nor a visitor's", async () => {
  const member = await club.newMember();
  const acting = {
    ...{ publicId: "x".repeat(22), memberId: member.id, endsAt: new Date(NOW.getTime() + 90_000) },
    operator: { ...operator, email: "ada@club.example" },
  };
  const page = await (await club.get("/profile", { member, acting })).text();
  expect(textOf(page)).toContain("Ada &lt;b&gt; is acting as Ada Tester : 2 minutes left.");
  expect(page).not.toMatch(/<html[^>]* data-visit=/);
  expect(await (await club.get("/profile", { member })).text(), "the control").toMatch(
    /<html[^>]* data-visit="member"/,
  );
});
