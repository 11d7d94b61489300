import { createHash } from "node:crypto";
import type { ReceivedUpload } from "@farthing/core/attachments/rules.ts";
import { decideRequest } from "@farthing/core/verification-requests/decide-request.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { seedProofs } from "@farthing/core/verification-requests/seed-proofs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, tag, textOf, type TestClub } from "../../../testing/site.testing.ts";
import type { SignedInMember } from "../../../server/visit.ts";

const { db } = await testDatabase();
loadSite();

const ATTACHMENT_KEY = "ab".repeat(32);
const bytes = Buffer.from("a small JPEG, as far as this test is concerned");
let received: ReceivedUpload;

beforeAll(async () => {
  await seedMemberTypes(db);
  await seedProofs(db);
});

function taken(originalName = "payslip.png"): ReceivedUpload {
  return {
    outcome: "received",
    fields: { proof_kind: "payslip" },
    discard: async () => {},
    file: {
      originalName,
      mediaType: "image/jpeg",
      size: bytes.length,
      sha256: createHash("sha256").update(bytes).digest(),
      async *parts() {
        yield bytes.subarray(0, 10);
        yield bytes.subarray(10);
      },
    },
  };
}

async function open(): Promise<{ club: TestClub; member: SignedInMember }> {
  const club = await openClub(db);
  received = taken();
  club.services.attachments = { key: ATTACHMENT_KEY, receive: async () => received };
  return { club, member: await newMember(club) };
}

async function newMember(club: TestClub, status = "employed_permanent"): Promise<SignedInMember> {
  const member = await club.newMember();
  const { id, member_type_id } = await db
    .selectFrom("member_statuses")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select(["member_statuses.id", "member_type_id"])
    .where("member_types.slug", "=", "education")
    .where("member_statuses.slug", "=", status)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("members")
    .set({ member_type_id, member_status_id: id, verification: "unverified" })
    .where("id", "=", member.id)
    .execute();
  return member;
}

const read = async (response: Promise<Response>) => textOf(await (await response).text());
const send = (club: TestClub, member: SignedInMember | null, path = "/verification") => club.post(path, {}, { member });

describe("the page", () => {
  test("M4 visitors log in first and come back", async () => {
    const { club } = await open();
    const login = "/login?next=%2Fverification";
    expect((await club.get("/verification")).headers.get("Location")).toBe(login);
    expect((await send(club, null)).headers.get("Location")).toBe(`${login}&note=not-sent`);
    expect((await send(club, null, "/verification/attachment")).status).toBe(401);
  });

  test("M4 P7 the form works without script: multipart, a file field with the id attachment and help", async () => {
    const { club, member } = await open();
    const response = await club.get("/verification", { member });
    const html = await response.text();
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(tag(html, "body", "")).toMatch(/data-controller="attachments"/);
    expect(tag(html, "form", 'action="/verification"')).toMatch(/method="post"/);
    expect(tag(html, "form", 'action="/verification"')).toMatch(/enctype="multipart\/form-data"/i);
    const field = tag(html, "input", 'id="attachment"');
    expect(field).toMatch(/type="file"/);
    expect(field).toMatch(/required/);
    expect(field).toMatch(/accept="\.jpeg,\.jpg,\.png,\.bmp,\.gif,\.pdf"/);
    expect(field).not.toMatch(/multiple/);
    expect(field).toMatch(/aria-describedby="attachment-help"/);
    expect(html).toMatch(/<label[^>]*for="attachment"/);
  });

  test("M4 the accepted proof follows type and status, and only employed members are offered the work e-mail", async () => {
    const { club, member } = await open();
    const employed = await read(club.get("/verification", { member }));
    expect(employed).toContain("Payslip");
    expect(employed).not.toContain("Pension letter");
    expect(employed).toContain("Fastest: your work or college e-mail");
    const retired = await read(club.get("/verification", { member: await newMember(club, "retired") }));
    expect(retired).toContain("Pension letter");
    expect(retired).not.toContain("Payslip");
    expect(retired).not.toContain("work or college");
    const typeless = await read(club.get("/verification", { member: await club.newMember() }));
    expect(typeless).toContain("Letter from your employer");
  });
});

describe("sending", () => {
  test("M4 the page comes back and says so; the request, the file and the mail are stored", async () => {
    const { club, member } = await open();
    const response = await send(club, member);
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/verification?sent=document");
    const page = await read(club.get("/verification?sent=document", { member }));
    expect(page).toContain("We have it, thank you");
    expect(page).toContain("Submitted");
    expect(page).toContain("payslip.png");
    const mails = await db.selectFrom("mails").select("kind").where("member_id", "=", member.id).execute();
    expect(mails).toEqual([{ kind: "verification-submitted" }]);
  });

  test.each([
    ["too-large", 413, "File is too large"],
    ["too-small", 400, "File is too small"],
    ["invalid-type", 415, "File is of invalid type"],
    ["pdf-active", 422, "The PDF holds more than pages"],
  ] as const)(
    "M4 Y3 %s is answered %i with the message, on the page and to its script",
    async (problem, status, words) => {
      const { club, member } = await open();
      received = { outcome: "refused", problem };
      const response = await send(club, member);
      expect(response.status).toBe(status);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
      const html = await response.text();
      expect(html).toMatch(/role="alert"/);
      expect(textOf(html)).toContain(words);
      const scripted = await send(club, member, "/verification/attachment");
      expect(scripted.status).toBe(status);
      expect(await scripted.json()).toMatchObject({ title: words });
    },
  );

  test("M4 A2 a kind that operators take out of the list while the form is open is refused in words; earlier proof stays, and the page shows the new list", async () => {
    const { club, member } = await open();
    expect((await send(club, member)).status).toBe(303);
    const requests = () =>
      db.selectFrom("verification_requests").selectAll().where("member_id", "=", member.id).execute();
    const files = () => db.selectFrom("attachments").selectAll().where("member_id", "=", member.id).execute();
    const before = [await requests(), await files()];
    const { id: kindId } = await db
      .selectFrom("proof_kinds")
      .select("id")
      .where("slug", "=", "payslip")
      .executeTakeFirstOrThrow();
    const lists = await db
      .deleteFrom("member_type_proofs")
      .where("proof_kind_id", "=", kindId)
      .returningAll()
      .execute();
    const refused = await send(club, member);
    expect(refused.status).toBe(409);
    const page = await refused.text();
    expect(page).toMatch(/role="alert"/);
    const kinds = [...page.matchAll(/name="proof_kind"[^>]*value="(\w+)"/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(["work_id", "employer_letter", "staff_portal"]);
    expect(textOf(page)).toContain("We don’t ask for this proof any more");
    expect(textOf(page)).toContain("payslip.png");
    const scripted = await send(club, member, "/verification/attachment");
    expect(scripted.status).toBe(409);
    expect(await scripted.json()).toMatchObject({ advice: expect.stringContaining("Choose another kind of proof") });
    expect([await requests(), await files()]).toEqual(before);
    // A form in which nothing is chosen sends a document of no kind.
    received = { ...taken(), fields: { proof_kind: "" } } as ReceivedUpload;
    expect((await send(club, member)).status).toBe(303);
    await db.insertInto("member_type_proofs").values(lists).execute();
  });

  test("S1 the twenty-first upload within an hour is not read", async () => {
    const { club, member } = await open();
    received = { outcome: "refused", problem: "unreadable" };
    const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await send(club, member)).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  test("M4 a post from another site is refused", async () => {
    const { club, member } = await open();
    const response = await club.post("/verification", {}, { member, headers: { Origin: "https://evil.example" } });
    expect(response.status).toBe(400);
  });

  test("M4 after a rejection the page says why and what is accepted, and takes another file", async () => {
    const { club, member } = await open();
    await send(club, member);
    const { public_id } = await db
      .selectFrom("verification_requests")
      .select("public_id")
      .where("member_id", "=", member.id)
      .executeTakeFirstOrThrow();
    await decideRequest(db, {
      publicId: public_id,
      decision: { accept: false, reason: "out_of_date", note: "It is from 2019." },
      by: "ada",
      now: club.services.now(),
    });
    const page = await read(club.get("/verification", { member }));
    expect(page).toContain("Not accepted on");
    expect(page).toContain("It is too old, or its date has passed.");
    expect(page).toContain("It is from 2019.");
    expect(page).toContain("A payslip or letter dated within the last three months");
    expect((await send(club, member)).status).toBe(303);
  });
});

describe("the member's own file", () => {
  async function sent() {
    const { club, member } = await open();
    received = taken('my "päy"\u202e\r\nslip.png');
    await send(club, member);
    const { public_id } = await db
      .selectFrom("attachments")
      .select("public_id")
      .where("member_id", "=", member.id)
      .executeTakeFirstOrThrow();
    return { club, member, path: `/verification/attachment/${public_id}` };
  }

  test("M4 Y3 S1 it arrives complete, as a download that never replaces the page", async () => {
    const { club, member, path } = await sent();
    const response = await club.get(path, { member });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(response.headers.get("Content-Type")).toBe("image/jpeg");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(response.headers.get("Content-Security-Policy")).toContain("sandbox");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const disposition = response.headers.get("Content-Disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[ -~]*"; filename\*=UTF-8''[\w%.~-]*\.jpg$/);
    expect(disposition).not.toMatch(/[\r\n]/);
  });

  test.each([
    ['a"b.jpg', "a_b.jpg", "a%22b.jpg"],
    ["a\\b.jpg", "a_b.jpg", "a%5Cb.jpg"],
    ["a%22b.jpg", "a_22b.jpg", "a%2522b.jpg"],
    ["a'(b)*.jpg", "a'(b)*.jpg", "a%27%28b%29%2a.jpg"],
    ["a;b, c.jpg", "a;b, c.jpg", "a%3Bb%2C%20c.jpg"],
    ["é – £.jpg", "_ _ _.jpg", "%C3%A9%20%E2%80%93%20%C2%A3.jpg"],
    ["scan.png", "scan.jpg", "scan.jpg"],
    ["scan", "scan.jpg", "scan.jpg"],
  ])("S1 the name %j is kept, and none of its characters ends the header's quotes", async (name, plain, encoded) => {
    const { club, member, path } = await sent();
    await db.updateTable("attachments").set({ original_name: name }).where("member_id", "=", member.id).execute();
    const response = await club.get(path, { member });
    expect(response.headers.get("Content-Disposition")).toBe(
      `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    );
    await response.body?.cancel();
  });

  test("S1 B4 IDOR: another member, another brand's member, a visitor and an unknown id find nothing", async () => {
    const { club, member, path } = await sent();
    const other = await open();
    const answers = [
      await club.get(path, { member: await club.newMember() }),
      await other.club.get(path, { member: other.member }),
      // The same session carried to another brand's host.
      await other.club.get(path, { member }),
      await club.get(path),
      await club.get("/verification/attachment/aaaaaaaaaaaaaaaa", { member }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain("a small JPEG");
    }
  });
});

describe("the work e-mail", () => {
  const tokenOf = async (member: SignedInMember) => {
    const { data } = await db
      .selectFrom("mails")
      .select("data")
      .where("member_id", "=", member.id)
      .where("kind", "=", "work-email-link")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    return new URL((data as { path: string }).path, "http://x").searchParams.get("token") ?? "";
  };
  const ask = (club: TestClub, member: SignedInMember | null, work_email: string) =>
    club.post("/verification/work-email", { work_email }, { member });

  test("M4 the address receives a link; opening it spends nothing, and its button verifies at once, without a login, and works once", async () => {
    const { club, member } = await open();
    const asked = await ask(club, member, " Ada@Elm-Road.SCH.example ");
    expect(asked.headers.get("Location")).toBe("/verification?sent=work-email");
    const token = await tokenOf(member);
    for (let times = 0; times < 3; times++) {
      const page = await club.get(`/verification/work-email?token=${token}`);
      expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(await read(Promise.resolve(page))).toContain("ada@elm-road.sch.example");
    }
    const confirmed = await club.post("/verification/work-email", { token });
    expect(confirmed.status).toBe(200);
    expect(confirmed.headers.get("Set-Cookie")).toBeNull();
    expect(await read(Promise.resolve(confirmed))).toContain("You are verified");
    expect((await club.post("/verification/work-email", { token })).status).toBe(410);
    expect(await read(club.get(`/verification/work-email?token=${token}`))).toContain("This link is over");
    expect(await read(club.get("/verification", { member }))).toContain("Verified");
  });

  test("B4 a link of one brand does not work at another", async () => {
    const { club, member } = await open();
    await ask(club, member, "ada@elm-road.sch.example");
    const token = await tokenOf(member);
    const other = await openClub(db);
    expect((await other.post("/verification/work-email", { token })).status).toBe(410);
    expect((await club.post("/verification/work-email", { token })).status).toBe(200);
  });

  test.each([
    ["ada@mail.example", 422],
    ["ada@sch.example.evil.example", 422],
    ["ada@evilsch.example", 422],
    ["ada@x@sch.example", 400],
    ["", 400],
    ["ada@elm.sch.example\r\nBcc: eve@evil.example", 400],
  ])("S1 %j is answered %i and sends nothing", async (address, status) => {
    const { club, member } = await open();
    const response = await ask(club, member, address);
    expect(response.status).toBe(status);
    expect(await db.selectFrom("mails").select("id").where("member_id", "=", member.id).execute()).toEqual([]);
  });

  test("S1 a sixth link within a day is refused, and so is a visitor", async () => {
    const { club, member } = await open();
    const statuses: number[] = [];
    for (const name of ["a", "b", "c", "d", "e", "f"])
      statuses.push((await ask(club, member, `${name}@elm.sch.example`)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    expect((await ask(club, null, "g@elm.sch.example")).headers.get("Location")).toContain("/login");
  });
});
