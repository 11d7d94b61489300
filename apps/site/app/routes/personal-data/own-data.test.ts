import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { makeClick, reportedSale, type ClubForTests } from "@farthing/core/cashback/cashback.testing.ts";
import { recordReportedTransaction } from "@farthing/core/cashback/operations.server.ts";
import { makeShop } from "@farthing/core/clicks/clicks.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { openPayee } from "@farthing/core/closures/payee-seal.ts";
import { alwaysSentWords } from "@farthing/core/mail-choices/always-sent.ts";
import { findMailChoices } from "@farthing/core/mail-choices/member-choices.server.ts";
import { signUnsubscription } from "@farthing/core/mail-choices/unsubscribe-token.ts";
import { openArchive } from "@farthing/core/personal-data/archive.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { SignedInMember } from "../../../server/visit.ts";
import { loadSite, openClub, tag, textOf, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();
let networkId: string;

beforeAll(async () => {
  await seedMemberTypes(db);
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

/** A club of two types, with a member who has just logged in. */
async function open(): Promise<{ club: TestClub; member: SignedInMember }> {
  const club = await openClub(db);
  for (const [position, slug] of ["education", "student"].entries()) {
    const { id } = await db.selectFrom("member_types").select("id").where("slug", "=", slug).executeTakeFirstOrThrow();
    await db
      .insertInto("brand_member_types")
      .values({ brand_id: club.brand.id, member_type_id: id, position })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return { club, member: await newMember(club) };
}

async function newMember(club: TestClub): Promise<SignedInMember> {
  const member = await club.newMember();
  const status = await db
    .selectFrom("member_statuses")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select(["member_statuses.id", "member_type_id"])
    .where("member_types.slug", "=", "education")
    .where("member_statuses.slug", "=", "retired")
    .executeTakeFirstOrThrow();
  await db
    .updateTable("members")
    .set({
      name: "Ada Tester",
      email_verified: true,
      verification: "verified",
      date_of_birth: "1980-07-31",
      residence: "GB",
      member_type_id: status.member_type_id,
      member_status_id: status.id,
    })
    .where("id", "=", member.id)
    .execute();
  return { ...member, authenticatedAt: club.services.now() };
}

const stale = (member: SignedInMember): SignedInMember => ({
  ...member,
  authenticatedAt: new Date(member.authenticatedAt!.getTime() - 3_600_000),
});
const row = (id: string) => db.selectFrom("members").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const closureOf = (id: string) =>
  db.selectFrom("closures").selectAll().where("member_id", "=", id).orderBy("requested_at", "desc").executeTakeFirst();
const read = async (response: Response) => textOf(await response.text());

async function earn(club: TestClub, member: SignedInMember, isPayable: boolean): Promise<void> {
  const shop = await makeShop(db, { brandId: club.brand.id, networkId });
  const one: ClubForTests = { brandId: club.brand.id, networkId, memberId: member.id, shop };
  const reported = reportedSale(one, await makeClick(db, one), {
    minute: 1,
    ...(isPayable ? { status: "approved" as const, paidToPublisher: true } : {}),
  });
  await recordReportedTransaction(db, { networkId, reported, now: club.services.now() });
}

const pages = ["/profile/details", "/profile/notifications", "/profile/privacy", "/profile/privacy/close"];
const posts = [...pages, "/profile/privacy/export"].filter((path) => path !== "/profile/privacy");

describe("who may", () => {
  test("B4 S1 visitors, and members of another brand without a session of this one, log in first; nothing is stored", async () => {
    const { club } = await open();
    for (const path of pages) {
      const response = await club.get(path);
      expect(response.headers.get("Location"), path).toBe(`/login?next=${encodeURIComponent(path)}`);
      expect(response.headers.get("Cache-Control"), path).toBe("private, no-store");
    }
    for (const path of posts) {
      const response = await club.post(path, { intent: "close", sure: "yes" });
      expect(response.status, path).toBe(303);
      expect(response.headers.get("Location"), path).toMatch(/^\/login\?next=/);
    }
  });

  test("S1 CSRF: a post of another origin changes nothing", async () => {
    const { club, member } = await open();
    // The archive is no page: the server refuses foreign posts to it, as to all (foreign-posts.ts), and it
    // changes nothing.
    for (const path of posts.filter((one) => !one.endsWith("/export"))) {
      const response = await club.post(
        path,
        { intent: "close", sure: "yes", payable: "give-up" },
        { member, headers: { Origin: "https://evil.example" } },
      );
      expect(response.status, path).toBeGreaterThanOrEqual(400);
    }
    expect(await closureOf(member.id)).toBeUndefined();
    expect(
      (await findMailChoices(db, { brandId: club.brand.id, memberId: member.id })).filter(({ chosenAt }) => chosenAt),
    ).toEqual([]);
  });

  test("B4 a member of another brand is unknown here: their details are not found and not changed", async () => {
    const [here, there] = [await open(), await open()];
    const response = await here.club.get("/profile/details", { member: there.member });
    expect(response.status).toBe(404);
    await here.club.post("/profile/notifications", {}, { member: there.member });
    expect(
      (await findMailChoices(db, { brandId: there.club.brand.id, memberId: there.member.id })).some(
        ({ chosenAt }) => chosenAt,
      ),
    ).toBe(false);
    await here.club.post("/profile/privacy/close", { intent: "close", sure: "yes" }, { member: there.member });
    expect(await closureOf(there.member.id)).toBeUndefined();
    const archive = await here.club.post("/profile/privacy/export", {}, { member: there.member });
    expect(archive.headers.get("Content-Type"), "no archive of another brand's member").not.toBe("application/zip");
  });
});

describe("details", () => {
  const details = {
    name: "Ada Tester",
    residence: "GB",
    member_type: "education",
    member_status: "retired",
    intent: "",
  };
  const send = (club: TestClub, member: SignedInMember, form: Record<string, string>) =>
    club.post("/profile/details", { ...details, ...form }, { member });

  test("M5 the page shows the stored details; a date of birth that is set has no field", async () => {
    const { club, member } = await open();
    const response = await club.get("/profile/details", { member });
    const html = await response.text();
    expect(tag(html, "input", 'name="name"')).toContain('value="Ada Tester"');
    expect(html).toContain("31 July 1980");
    expect(tag(html, "select", 'name="dob_day"')).toBe("");
    expect(html).toMatch(/data-controller="profiles"/);
  });

  test("M5 a new place of residence is recorded and needs no proof", async () => {
    const { club, member } = await open();
    const response = await send(club, member, { residence: "JE" });
    expect(response.headers.get("Location")).toBe("/profile/details?saved=yes");
    expect(await row(member.id)).toMatchObject({ residence: "JE", verified_until: null });
    const changes = await db.selectFrom("detail_changes").selectAll().where("member_id", "=", member.id).execute();
    expect(changes).toMatchObject([{ field: "residence", from_text: "United Kingdom", to_text: "Jersey" }]);
    expect((await send(club, member, { residence: "JE" })).headers.get("Location")).toContain("saved=same");
  });

  test("M4 M5 a new status, type or name needs proof again; the card stays valid for a month", async () => {
    for (const change of [{ member_status: "employed_permanent", job: true }, { name: "Ada Changed" }]) {
      const { club, member } = await open();
      const job = await db
        .selectFrom("job_roles")
        .innerJoin("job_categories", "job_categories.id", "job_category_id")
        .innerJoin("member_types", "member_types.id", "member_type_id")
        .select("job_roles.public_number")
        .where("member_types.slug", "=", "education")
        .executeTakeFirstOrThrow();
      const { job: needsJob, ...form } = { job: false, ...change };
      const fields = await db
        .selectFrom("additional_fields")
        .innerJoin("member_types", "member_types.id", "member_type_id")
        .select(["additional_fields.name", "input_kind", "choices"])
        .where("member_types.slug", "=", "education")
        .execute();
      const answers = Object.fromEntries(
        fields.map(({ name, input_kind, choices }) => [
          `additional_${name}`,
          input_kind === "select"
            ? (choices[0] ?? "")
            : input_kind === "month"
              ? "2027-07"
              : input_kind === "email"
                ? "a@b.example"
                : input_kind === "date"
                  ? "01-01-27"
                  : "Something",
        ]),
      );
      const response = await send(club, member, {
        ...answers,
        ...(form as Record<string, string>),
        ...(needsJob ? { job_role: String(job.public_number) } : {}),
      });
      expect(response.headers.get("Location"), JSON.stringify(change)).toBe("/profile/details?saved=proof");
      const changed = await row(member.id);
      expect(changed.verification).toBe("verified");
      expect(changed.verified_until).toEqual(new Date(club.services.now().getTime() + 30 * 86_400_000));
      expect(await read(await club.get("/profile", { member }))).toContain("Time to renew");
    }
  });

  test("M5 S2 invalid answers come back with what was typed, and a date of birth in the post is ignored", async () => {
    const { club, member } = await open();
    const bad = await send(club, member, { name: "", residence: "FR", member_status: "no_such" });
    expect(bad.status).toBe(400);
    expect(await read(bad)).toContain("** This is a required field");
    await send(club, member, { dob_day: "1", dob_month: "1", dob_year: "1999", residence: "IM" });
    expect(await row(member.id)).toMatchObject({ date_of_birth: "1980-07-31", residence: "IM" });
  });
});

describe("notifications", () => {
  const wanted = async (club: TestClub, member: SignedInMember) =>
    (await findMailChoices(db, { brandId: club.brand.id, memberId: member.id }))
      .filter(({ isWanted }) => isWanted)
      .map(({ kind }) => kind);
  const link = (club: TestClub, member: SignedInMember, keys = club.services.unsubscribeKeys) =>
    `/unsubscribe?token=${signUnsubscription({ brandId: club.brand.id, memberId: member.id, subject: "cashback" }, keys)}`;

  test("M9 boxes that are not ticked are off; news is off until ticked", async () => {
    const { club, member } = await open();
    const html = await (await club.get("/profile/notifications", { member })).text();
    expect(tag(html, "input", 'name="cashback-paid"')).toContain("checked");
    expect(tag(html, "input", 'name="news"')).not.toContain("checked");
    expect(textOf(html), "what can't be turned off").toContain(`${alwaysSentWords()}. Never advertising.`);
    await club.post("/profile/notifications", { "cashback-paid": "yes", news: "yes" }, { member });
    expect(await wanted(club, member)).toEqual(["cashback-paid", "news"]);
  });

  test("M9 a mail program's own post (RFC 8058) stops the mails without a login; opening the link stops nothing", async () => {
    const { club, member } = await open();
    const page = await club.get(link(club, member));
    expect(page.headers.get("Cache-Control")).toContain("no-store");
    expect(await read(page)).toContain("Stop e-mails about your cashback?");
    expect(await wanted(club, member)).toHaveLength(6);
    const answer = await club.post(link(club, member), { "List-Unsubscribe": "One-Click" });
    expect(answer.status).toBe(200);
    expect(await wanted(club, member)).toEqual(["rate-alerts", "friends", "gift-cards"]);
  });

  test("S1 B4 a forged link, and one of another brand, stop nothing", async () => {
    const [here, there] = [await open(), await open()];
    expect((await here.club.post(link(here.club, here.member, ["another key"]), {})).status).toBe(404);
    expect((await there.club.post(link(here.club, here.member), {})).status).toBe(404);
    expect((await here.club.get("/unsubscribe")).status).toBe(404);
    expect(await wanted(here.club, here.member)).toHaveLength(6);
  });
});

describe("a copy of everything", () => {
  const take = (club: TestClub, member: SignedInMember) => club.post("/profile/privacy/export", {}, { member });

  test("M5 after a fresh proof of identity: a zip with the member's own data, and nobody else's", async () => {
    const { club, member } = await open();
    const other = await newMember(club);
    await db.updateTable("members").set({ name: "Sentinel" }).where("id", "=", other.id).execute();
    await earn(club, member, true);
    await earn(club, other, true);
    expect(await read(await club.get("/profile/privacy", { member }))).toContain(
      "We ask for your password first if you logged in a while ago.",
    );
    const again = await take(club, stale(member));
    expect(again.headers.get("Location")).toBe("/login/again?next=%2Fprofile%2Fprivacy%3Fnote%3Dready");
    const response = await take(club, member);
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="[\w-]+\.zip"$/);
    const files = openArchive(new Uint8Array(await response.arrayBuffer()));
    const text = Object.values(files).join("\n");
    expect(text).toContain("Ada Tester");
    expect(text).not.toContain("Sentinel");
    expect(JSON.parse(files["json/cashback.json"] ?? "")).toHaveLength(1);
    expect((await club.get("/profile/privacy/export", { member })).headers.get("Location")).toBe("/profile/privacy");
  });

  test("M5 the sixth archive in a day has to wait until tomorrow", async () => {
    const { club, member } = await open();
    for (let time = 0; time < 5; time++) await (await take(club, member)).arrayBuffer();
    expect((await take(club, member)).headers.get("Location")).toBe("/profile/privacy?note=too-many");
    expect(await read(await club.get("/profile/privacy?note=too-many", { member }))).toContain("come back tomorrow");
  });
});

describe("leaving", () => {
  const path = "/profile/privacy/close";
  const bank = { payee_name: "Ada Tester", sort_code: "20-00-00", account_number: "55779911" };
  const close = (club: TestClub, member: SignedInMember, form: Record<string, string>) =>
    club.post(path, { intent: "close", sure: "yes", ...form }, { member });

  test("M5 it needs a fresh proof of identity, a confirmation box and, where there is money, bank details", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    expect((await club.get(path, { member: stale(member) })).headers.get("Location")).toContain("/login/again");
    const asked = await close(club, stale(member), bank);
    expect(asked.headers.get("Location")).toBe(`/login/again?next=${encodeURIComponent(`${path}?note=not-saved`)}`);
    expect(await read(await club.get(`${path}?note=not-saved`, { member }))).toContain("Nothing was saved.");
    const page = await read(await club.get(path, { member }));
    expect(page).toContain("£6.00 is yours");
    const unsure = await close(club, member, { ...bank, sure: "", sort_code: "", account_number: "" });
    expect(unsure.status).toBe(400);
    expect((await read(unsure)).match(/ \*\* This is a required field/g)?.length).toBeGreaterThanOrEqual(3);
    expect(await read(await close(club, member, { ...bank, sort_code: "12" }))).toContain("A sort code has six digits");
    expect(await closureOf(member.id)).toBeUndefined();
    expect((await close(club, member, bank)).headers.get("Location")).toBe(path);
    expect(await closureOf(member.id)).toMatchObject({ state: "requested", payable_choice: "pay-out" });
  });

  test("M5 C6 the last payout can go to the account that withdrawals go to, without its number being typed or shown again", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    await club.post("/money/bank-details", bank, { member });
    const page = await (await club.get(path, { member })).text();
    expect(textOf(page)).toContain("My account ending in 9911");
    expect(page).not.toContain("55779911");
    const saved = { account: "saved", account_ending: "9911" };
    await club.post("/money/bank-details", { ...bank, account_number: "66374958", sort_code: "089999" }, { member });
    const outdated = await close(club, member, saved);
    expect(outdated.status).toBe(400);
    expect(await read(outdated)).toContain("Your bank details have changed since");
    expect(await closureOf(member.id)).toBeUndefined();
    expect((await close(club, member, { ...saved, account_ending: "4958" })).headers.get("Location")).toBe(path);
    const { payee } = (await closureOf(member.id))!;
    expect(openPayee(payee!, member.id, club.services.payeeKeys)).toEqual({
      name: "Ada Tester",
      sortCode: "089999",
      accountNumber: "66374958",
    });
  });

  test("M5 C6 another account is taken where the member chooses one, and nobody without saved details can name them", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    expect((await close(club, member, { account: "saved", account_ending: "" })).status).toBe(400);
    await club.post("/money/bank-details", bank, { member });
    const other = {
      ...bank,
      account: "other",
      account_ending: "9911",
      account_number: "66374958",
      sort_code: "089999",
    };
    await close(club, member, other);
    expect(await read(await club.get(path, { member }))).toContain("ending in 4958");
  });

  test("M5 what was chosen and typed is still there when the server refuses it", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    await earn(club, member, false);
    await club.post("/money/bank-details", bank, { member });
    const form = { ...bank, account: "other", pending: "give-up", sort_code: "20-00-0", payee_name: "A. Tester" };
    const page = await (await close(club, member, form)).text();
    for (const id of ["pending-give-up", "payable-pay-out", "account-other"])
      expect(tag(page, "input", `id="${id}"`), id).toContain("checked");
    expect(tag(page, "input", 'name="payee_name"')).toContain('value="A. Tester"');
    expect(tag(page, "input", 'name="sort_code"')).toContain('value="20-00-0"');
    expect(await closureOf(member.id)).toBeUndefined();
  });

  test("M5 the page shows the state without account numbers, and the closure can be cancelled without a password", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    await earn(club, member, false);
    await close(club, member, { ...bank, pending: "give-up" });
    const page = await read(await club.get(path, { member: stale(member) }));
    expect(page).toContain("ending in 9911");
    expect(page).not.toContain("55779911");
    expect(await read(await club.get("/profile", { member }))).toContain("We are closing your account");
    const response = await club.post(path, { intent: "stay" }, { member: stale(member) });
    expect(response.headers.get("Location")).toBe("/profile/privacy?note=stays");
    expect(await closureOf(member.id)).toMatchObject({ state: "cancelled", payee: null });
  });

  test("M5 C6 the page says until when nothing is paid to a changed account, and that an e-mail can stop it", async () => {
    const { club, member } = await open();
    await earn(club, member, true);
    await close(club, member, bank);
    const before = await read(await club.get(path, { member }));
    expect(before).not.toContain("nothing is paid there before");
    const changed = { ...bank, intent: "payee", sort_code: "08-99-99", account_number: "66374958" };
    expect((await club.post(path, changed, { member })).headers.get("Location")).toBe(path);
    const page = await read(await club.get(path, { member }));
    expect(page).toContain("ending in 4958");
    expect(page).toContain("nothing is paid there before");
    const kinds = await db.selectFrom("mails").select("kind").where("member_id", "=", member.id).execute();
    expect(kinds.map(({ kind }) => kind)).toContain("bank-details-changed");
  });

  test("M5 IDOR: a member can neither close, nor keep open, nor see another's account: nothing in a form names one", async () => {
    const { club, member } = await open();
    const other = await newMember(club);
    await close(club, member, { member: other.id, member_id: other.id });
    expect(await closureOf(other.id)).toBeUndefined();
    await club.post(path, { intent: "stay", member_id: member.id }, { member: other });
    expect(await closureOf(member.id)).toMatchObject({ state: "requested" });
    const id = newId();
    expect((await club.post(path, { intent: "open-sesame", id }, { member })).status).toBe(400);
  });
});
