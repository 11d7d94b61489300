import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { findVerificationView } from "./queries.server.ts";
import { MAX_COUNTED_REQUESTS } from "./rules.ts";
import { newProofKind, proofKindStatement, type NewProofKind } from "./proof-kind-schema.ts";
import { addProofKind, changeProofKind, findProofKindRecord, removeProofKind } from "./proof-kind-records.server.ts";
import { submitProof } from "./submit-proof.server.ts";
import { KEY, receivedFile } from "./verification.testing.ts";

const { db } = await testDatabase();
const { id: brandId } = await insertBrand(db);
const typeId = newId();
const [working, retired] = [newId(), newId()];
await db
  .insertInto("member_types")
  .values({ id: typeId, slug: "crew", name: "Crew", member_id_label: "Number", position: 1 })
  .execute();
await db
  .insertInto("member_statuses")
  .values([
    { id: working, member_type_id: typeId, slug: "working", name: "Working", position: 0 },
    { id: retired, member_type_id: typeId, slug: "retired", name: "Retired", position: 1 },
  ])
  .execute();

const kindOf = (slug: string, different: Partial<NewProofKind> = {}): NewProofKind => ({
  ...{ slug, name: `The ${slug}`, help: "Of this year.", shows: ["Your name", "The date"], hides: "Pay." },
  ...{ drawing: "letter", isGeneral: false, position: 5, ...different },
});
const general = kindOf("general", { isGeneral: true });
const [card, letter] = [kindOf("card", { drawing: "card" }), kindOf("letter")];

beforeEach(async () => {
  await db.deleteFrom("members").execute();
  await db.deleteFrom("proof_kinds").execute();
  for (const kind of [general, card, letter]) await addProofKind(db, kind);
});

const record = async (slug: string) => (await findProofKindRecord(db, { slug }))!;
const idOf = async (slug: string) =>
  (await db.selectFrom("proof_kinds").select("id").where("slug", "=", slug).executeTakeFirstOrThrow()).id;
/** Asks for the kind in a list: of everyone, or of a status. */
async function list(slug: string, { status = null as string | null, position = 0 } = {}): Promise<void> {
  await db
    .insertInto("member_type_proofs")
    .values({
      ...{ id: newId(), member_type_id: typeId, member_status_id: status },
      ...{ proof_kind_id: await idOf(slug), position },
    })
    .execute();
}
async function memberOf(statusId: string): Promise<string> {
  const { id } = await insertMember(db, { brandId });
  await db
    .updateTable("members")
    .set({ member_type_id: typeId, member_status_id: statusId })
    .where("id", "=", id)
    .execute();
  return id;
}
const asked = async (memberId: string) =>
  (await findVerificationView(db, { memberId, brandId, now: NOW }))?.kinds.map(({ slug }) => slug);
const send = (memberId: string, proofKind: string | null, to = db) =>
  submitProof(to, { brandId, memberId, proofKind, file: receivedFile(Buffer.from("x")), key: KEY, now: NOW });
const requestsOf = (memberId: string) =>
  db.selectFrom("verification_requests").select(["state", "proof_kind_id"]).where("member_id", "=", memberId).execute();

describe("M4 the lists of proof", () => {
  test("M4 a status's own list replaces that of everyone, which replaces the general kinds; each change holds at once", async () => {
    const [worker, pensioner] = [await memberOf(working), await memberOf(retired)];
    expect([await asked(worker), await asked(pensioner)]).toEqual([["general"], ["general"]]);
    await list("card", { position: 1 });
    await list("letter", { position: 0 });
    expect([await asked(worker), await asked(pensioner)]).toEqual([
      ["letter", "card"],
      ["letter", "card"],
    ]);
    await list("card", { status: retired });
    expect([await asked(worker), await asked(pensioner)]).toEqual([["letter", "card"], ["card"]]);
    await db.deleteFrom("member_type_proofs").where("member_status_id", "=", retired).execute();
    expect(await asked(pensioner)).toEqual(["letter", "card"]);
  });

  test("M4 a kind that is taken out of the list while the form is open is refused, and earlier proof goes on waiting", async () => {
    const member = await memberOf(working);
    await list("card");
    await list("letter", { position: 1 });
    expect((await send(member, "card")).outcome).toBe("submitted");
    await db
      .deleteFrom("member_type_proofs")
      .where("proof_kind_id", "=", await idOf("card"))
      .execute();
    const before = await requestsOf(member);
    for (const kind of ["card", "general", "no_such_kind", ""])
      expect(await send(member, kind), kind).toEqual({ outcome: "not-asked" });
    expect(await requestsOf(member)).toEqual(before);
    expect((await send(member, "letter")).outcome).toBe("submitted");
    // Nothing chosen is a document that an operator looks at.
    expect((await send(member, null)).outcome).toBe("submitted");
  });
});

describe("A2 proof kinds as records", () => {
  test("A2 a kind is added under a short name that is free, and kept as typed", async () => {
    expect(await addProofKind(db, { ...card, name: "Another" })).toBe(false);
    const { slug, ...words } = card;
    expect(await record(slug)).toEqual({ ...words, slug, version: 1, askedBy: [], requests: 0 });
  });

  test("A2 a change counts the version up; one that came too late changes nothing, nor does one that changes nothing", async () => {
    const kind = { ...card, name: "Union card", shows: ["Your name"], drawing: "screen" as const };
    expect(await changeProofKind(db, { slug: "card", version: 1, kind })).toEqual({ outcome: "saved" });
    expect(await record("card")).toMatchObject({ name: "Union card", drawing: "screen", version: 2 });
    expect(await changeProofKind(db, { slug: "card", version: 2, kind })).toEqual({ outcome: "unchanged" });
    const stale = await changeProofKind(db, { slug: "card", version: 1, kind: card });
    expect(stale).toMatchObject({ outcome: "stale", stored: { name: "Union card", version: 2 } });
    expect((await record("card")).version).toBe(2);
    expect(await changeProofKind(db, { slug: "none", version: 1, kind })).toEqual({ outcome: "unknown" });
  });

  test("A2 M4 one kind stays general, whoever changes two at once: members without a list can always send something", async () => {
    await changeProofKind(db, { slug: "card", version: 1, kind: { ...card, isGeneral: true } });
    const results = await Promise.all([
      changeProofKind(db, { slug: "card", version: 2, kind: card }),
      changeProofKind(db, { slug: "general", version: 1, kind: { ...general, isGeneral: false } }),
    ]);
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(["refused", "saved"]);
    const kinds = [await record("card"), await record("general")];
    expect(kinds.filter(({ isGeneral }) => isGeneral)).toHaveLength(1);
  });

  test("A2 a kind that is general, in a list or was sent stays, and its record says where", async () => {
    expect(await removeProofKind(db, { slug: "general" })).toMatchObject({ outcome: "used" });
    await list("card", { status: retired });
    const listed = await removeProofKind(db, { slug: "card" });
    expect(listed).toMatchObject({ outcome: "used", stored: { askedBy: [{ slug: "crew", name: "Crew" }] } });
    await send(await memberOf(retired), "card");
    await db.deleteFrom("member_type_proofs").execute();
    expect(await removeProofKind(db, { slug: "card" })).toMatchObject({
      outcome: "used",
      stored: { askedBy: [], requests: 1 },
    });
    expect(await removeProofKind(db, { slug: "letter" })).toEqual({ outcome: "removed" });
    expect(await removeProofKind(db, { slug: "letter" })).toEqual({ outcome: "unknown" });
    expect(await record("card")).not.toBeNull();
  });

  test("A2 M4 a kind is not removed under proof that is being stored", async () => {
    await list("card");
    const member = await memberOf(working);
    let stored: (() => void) | undefined;
    const sending = db.transaction().execute(async (trx) => {
      await trx
        .insertInto("verification_requests")
        .values({
          ...{ id: newId(), brand_id: brandId, member_id: member, way: "document", is_renewal: false },
          ...{ proof_kind_id: await idOf("card"), state: "submitted", submitted_at: NOW },
        })
        .execute();
      await db.deleteFrom("member_type_proofs").execute();
      await new Promise<void>((resolve) => (stored = resolve));
    });
    await expect.poll(() => stored).toBeDefined();
    const removing = removeProofKind(db, { slug: "card" });
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waits: boolean }>`
          select exists (select from pg_stat_activity where datname = current_database()
            and wait_event_type = 'Lock') as waits`.execute(db);
        return rows[0]?.waits;
      })
      .toBe(true);
    stored?.();
    await sending;
    expect(await removing).toMatchObject({ outcome: "used", stored: { requests: 1 } });
  });

  test("A3 requests of a kind are counted up to a bound, however many there are", async () => {
    const member = await memberOf(working);
    await sql`insert into verification_requests (id, brand_id, member_id, way, proof_kind_id, is_renewal, state, submitted_at, decided_at, decided_by)
      select gen_random_uuid(), ${brandId}, ${member}, 'document', ${await idOf("card")}, false, 'replaced', ${NOW}, ${NOW}, 'the member'
      from generate_series(1, ${MAX_COUNTED_REQUESTS + 5})`.execute(db);
    expect((await record("card")).requests).toBe(MAX_COUNTED_REQUESTS + 1);
  });
});

describe("A2 what is typed", () => {
  const typed = {
    ...{ name: " Union card ", help: "Of this\r\nyear. ", shows: "Your name\r\n\r\n The date \r\n", hides: "" },
    ...{ drawing: "card", isGeneral: "yes", position: "7" },
  };
  test("A2 lines and spaces are put in order", () => {
    expect(proofKindStatement.parse(typed)).toEqual({
      ...{ name: "Union card", help: "Of this year.", shows: ["Your name", "The date"], hides: "" },
      ...{ drawing: "card", isGeneral: true, position: 7 },
    });
    expect(proofKindStatement.parse({ ...typed, isGeneral: undefined }).isGeneral).toBe(false);
  });

  test.each([
    ["name", "   "],
    ["name", "x".repeat(81)],
    ["name", "two\nlines"],
    ["help", "x".repeat(301)],
    ["help", "a bell \u0007"],
    ["shows", " \r\n "],
    ["shows", "Your name\nYour name"],
    ["shows", "x".repeat(81)],
    ["shows", Array.from({ length: 11 }, (_, at) => `Part ${at}`).join("\n")],
    ["hides", "x".repeat(301)],
    ["drawing", "portrait"],
    ["position", "first"],
    ["position", "-1"],
    ["position", "1.5"],
    ["position", "10000"],
    ["slug", "Union card"],
    ["slug", "u"],
    ["slug", "1st_card"],
  ])("A2 %s can't be %j", (field, value) => {
    const read = newProofKind.safeParse({ slug: "union_card", ...typed, [field]: value });
    expect(read.error?.issues.map(({ path }) => path[0])).toEqual([field]);
  });
});
