import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { findOwnCode } from "@farthing/core/invitations/operations.server.ts";
import { endProgramme } from "@farthing/core/invitations/programmes.server.ts";
import { registrationLimits } from "@farthing/core/registration/rules.ts";
import { invite, report, start, work } from "@farthing/core/referrals/referrals.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SignedInMember } from "../../../server/visit.ts";
import { loadSite, openClub, textOf, type TestClub } from "../../../testing/site.testing.ts";
import { openRegistration, stepOne } from "../registration/registration.testing.ts";

const { db } = await testDatabase();
loadSite();
const { openSchools, details, membersOf } = await openRegistration(db);
let club: TestClub;
let networkId: string;
beforeAll(async () => void ({ id: networkId } = await insertNetwork(db, { slug: "awin" })));
beforeEach(async () => {
  await db.deleteFrom("registration_tries").execute();
  club = await openSchools();
  await start(db, club.brand.id, { startsAt: new Date("2026-01-01T00:00:00Z") });
});

const FRIENDS = "/money/friends";
const code = async (member: SignedInMember) =>
  (await findOwnCode(db, { brandId: club.brand.id, memberId: member.id, now: club.services.now() })).code;
const read = async (path: string, member: SignedInMember | null = null) =>
  textOf(await (await club.get(path, { member })).text());
/** A member who has confirmed their address: only they can invite. */
async function newMember(): Promise<SignedInMember> {
  const member = await club.newMember();
  await db.updateTable("members").set({ email_verified: true }).where("id", "=", member.id).execute();
  return member;
}
const cookiesOf = (answer: Response) => answer.headers.getSetCookie();
const invitationCookie = (answer: Response) =>
  cookiesOf(answer).find((cookie) => cookie.startsWith("farthing_invitation="));

async function clubOf(memberId: string) {
  const brandId = club.brand.id;
  return { brandId, networkId, memberId, shop: await makeShop(db, { brandId, networkId }) };
}

describe("C8 the page of a link", () => {
  test("C8 says what is offered and what has to happen, and names nobody", async () => {
    const member = await newMember();
    await db.updateTable("members").set({ name: "Ada Lovelace" }).where("id", "=", member.id).execute();
    const path = `/join/${await code(member)}`;
    const answer = await club.get(path);
    const html = await answer.text();
    const page = textOf(html);
    for (const text of [
      "A member of Club",
      "£5.00",
      "within 90 days of joining",
      "at least £1.00 of cashback",
      "prove your membership",
    ])
      expect(page).toContain(text);
    for (const secret of ["Ada", "Lovelace", member.id]) expect(html).not.toContain(secret);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    expect(invitationCookie(answer)).toMatch(
      /^farthing_invitation=[a-z2-9]{10}; Max-Age=2592000; Path=\/register; HttpOnly; SameSite=Lax$/,
    );
    await club.post(FRIENDS, { intent: "name", shows_first_name: "on" }, { member });
    const named = await read(path);
    expect(named).toContain("Ada invites you");
    expect(named).not.toContain("Lovelace");
  });

  test("C8 shows a name as text, whatever is in it", async () => {
    const member = await newMember();
    await db
      .updateTable("members")
      .set({ name: `<img/src=x/onerror=alert(1)> "x` })
      .where("id", "=", member.id)
      .execute();
    const path = `/join/${await code(member)}`;
    await club.post(FRIENDS, { intent: "name", shows_first_name: "on" }, { member });
    const html = await (await club.get(path)).text();
    expect(html).not.toContain("<img/src=x");
    expect(html).toContain("&lt;img/src=x/onerror=alert(1)&gt;");
  });

  test("C8 tells members that it is not for them, and sets no cookie for them", async () => {
    const member = await newMember();
    const path = `/join/${await code(member)}`;
    for (const [who, words] of [
      [member, "This is your own link"],
      [await club.newMember(), "You are a member already"],
    ] as const) {
      const answer = await club.get(path, { member: who });
      expect(textOf(await answer.text())).toContain(words);
      expect(invitationCookie(answer)).toBeUndefined();
    }
  });

  test("C8 answers 404 for a code that is unknown, forged or another brand's, and slows down who tries many", async () => {
    const foreign = await openClub(db);
    await start(db, foreign.brand.id);
    const stranger = await foreign.newMember();
    const { code: theirs } = await findOwnCode(db, {
      brandId: foreign.brand.id,
      memberId: stranger.id,
      now: foreign.services.now(),
    });
    for (const forged of [
      "abcdefghjk",
      "x",
      "%00",
      "..%2F..%2Fmoney",
      theirs,
      "'%20or%20true--",
      "<script>",
      "a".repeat(3_000),
    ]) {
      const answer = await club.get(`/join/${encodeURI(forged)}`);
      expect([400, 404], forged).toContain(answer.status);
      expect(invitationCookie(answer)).toBeUndefined();
    }
    let slowed = 0;
    for (let turn = 0; turn <= registrationLimits.invitations.tries; turn += 1)
      slowed += (await club.get("/join/zzzzzzzzzz")).status === 429 ? 1 : 0;
    expect(slowed).toBeGreaterThan(0);
  });

  test("C8 offers to join without a bonus when the programme is over", async () => {
    const member = await newMember();
    const path = `/join/${await code(member)}`;
    await endProgramme(db, { brandId: club.brand.id, at: new Date("2026-01-02T00:00:00Z"), by: "a test" });
    const answer = await club.get(path);
    expect(textOf(await answer.text())).toContain("There is no welcome bonus at the moment");
    expect(invitationCookie(answer)).toBeUndefined();
  });
});

describe("C8 registration through a link", () => {
  const draftOf = () =>
    db
      .selectFrom("registration_drafts")
      .selectAll()
      .where("brand_id", "=", club.brand.id)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .executeTakeFirst();

  test("C8 the cookie of a link, days later and in another tab, credits its owner; a forged or foreign one credits nobody", async () => {
    const member = await newMember();
    const foreign = await openClub(db);
    const stranger = await foreign.newMember();
    const { code: theirs } = await findOwnCode(db, {
      brandId: foreign.brand.id,
      memberId: stranger.id,
      now: foreign.services.now(),
    });
    const opened = await club.get(`/join/${await code(member)}`);
    const cookie = cookiesOf(opened)
      .map((line) => line.split(";")[0])
      .join("; ");
    const form = stepOne();
    expect(textOf(await (await club.get("/register", { headers: { cookie } })).text())).toContain(
      "A welcome bonus of £5.00 waits",
    );
    expect((await club.post("/register", form, { headers: { cookie } })).status).toBe(303);
    expect(await draftOf()).toMatchObject({ inviter_id: member.id, browser_mark: expect.any(Buffer) as Buffer });
    // Step two, with the draft's cookie alone: the link's is not needed any more.
    const sent = await club.post(
      "/register",
      { ...form, email: "friend@mail.example", email_confirmation: "friend@mail.example" },
      { headers: { cookie } },
    );
    const draft =
      cookiesOf(sent)
        .find((line) => line.startsWith("farthing_registration="))
        ?.split(";")[0] ?? "";
    await club.post("/register/details", await details(), { headers: { cookie: draft } });
    const friend = (await membersOf(club)).find(({ email }) => email === "friend@mail.example");
    const referral = await db
      .selectFrom("referrals")
      .selectAll()
      .where("member_id", "=", friend?.id ?? "")
      .executeTakeFirst();
    expect(referral).toMatchObject({ inviter_id: member.id, announced_at: null });
    for (const forged of [
      `farthing_invitation=${theirs}`,
      "farthing_invitation=abcdefghjk",
      "farthing_invitation=%00';--",
    ]) {
      await db.deleteFrom("registration_drafts").execute();
      expect((await club.post("/register", form, { headers: { cookie: forged } })).status).toBe(303);
      expect(await draftOf(), forged).toMatchObject({
        inviter_id: null,
        referral_programme_id: null,
        browser_mark: null,
      });
    }
  });
});

describe("C8 the member's page", () => {
  test("C8 shows the link, what has to happen, and each friend without a name, in every state", async () => {
    const member = await newMember();
    expect(await read(FRIENDS, member)).toContain("Nobody yet");
    const own = await clubOf(member.id);
    const now = new Date(club.services.now());
    const joined = { now: new Date(now.getTime() - 20 * 86_400_000) };
    const waiting = await invite(db, own, joined);
    const earned = await invite(db, own, joined);
    await db
      .updateTable("members")
      .set({ name: "Grace Hopper" })
      .where("id", "in", [waiting.friendId, earned.friendId])
      .execute();
    await report(db, earned.friend, { status: "approved", paidToPublisher: true, purchasedAt: now });
    await work(db);
    const html = await (await club.get(FRIENDS, { member })).text();
    const page = textOf(html);
    for (const text of [
      `/join/${await code(member)}`,
      "2 friends have joined",
      "you have earned £7.00",
      "Friend who joined in",
      "Has joined",
      "Yours",
      "For example: your friend spends £25.00",
    ])
      expect(page).toContain(text);
    for (const secret of ["Grace", "Hopper", waiting.friendId]) expect(html).not.toContain(secret);
    expect(await read("/money", member)).toContain("You have earned £7.00");
    expect(await read(FRIENDS, { ...member, id: waiting.friendId })).toContain("Waits for your purchase");
  });

  test("C8 says that a bonus is being checked, and never why", async () => {
    const member = await newMember();
    const own = await clubOf(member.id);
    const now = new Date(club.services.now());
    const joined = new Date(now.getTime() - 20 * 86_400_000);
    await invite(db, own, { now: joined, email: "box+a@mail.example" });
    const second = await invite(db, own, { now: new Date(joined.getTime() + 1), email: "box+b@mail.example" });
    await report(db, second.friend, { status: "approved", paidToPublisher: true, purchasedAt: now });
    await work(db);
    for (const who of [member, { ...member, id: second.friendId }]) {
      const html = await (await club.get(FRIENDS, { member: who })).text();
      expect(textOf(html)).toContain("We are checking this");
      expect(textOf(html)).not.toMatch(/same_|mailbox|\bhold\b/);
    }
  });

  test("C8 replaces the link, keeps who joined, and refuses what it does not know", async () => {
    const member = await newMember();
    const before = await code(member);
    const answer = await club.post(FRIENDS, { intent: "new-link" }, { member });
    expect(answer.headers.get("location")).toBe(`${FRIENDS}?note=new-link`);
    expect(await code(member)).not.toBe(before);
    expect((await club.get(`/join/${before}`)).status).toBe(404);
    for (const intent of ["", "new-link2", "constructor"])
      expect((await club.post(FRIENDS, { intent }, { member })).status).toBe(400);
  });

  test("C8 says that there is no programme, and after its end what was promised", async () => {
    const member = await newMember();
    await endProgramme(db, { brandId: club.brand.id, at: new Date("2026-01-02T00:00:00Z"), by: "a test" });
    expect(await read(FRIENDS, member)).toContain("No bonus for inviting at the moment");
    expect(await read("/money", member)).not.toContain("Invite a friend");
    const own = await clubOf(member.id);
    await invite(db, own, { now: club.services.now() });
    await work(db);
    expect(await read(FRIENDS, member)).toContain("The offer has ended");
  });
});
