import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { deleteDueAttachments, openAttachmentOfRequest, openOwnAttachment } from "../attachments/store.server.ts";
import { daysFromNow, NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { acceptAfterAll } from "./accept-after-all.server.ts";
import { decideRequest, type Decision } from "./decide-request.server.ts";
import { endMemberships, revokeMembership, tellOfRenewals } from "./memberships-ending.server.ts";
import { findStandingView, findVerificationView } from "./queries.server.ts";
import { submitProof } from "./submit-proof.server.ts";
import { KEY, receivedFile, submitted } from "./verification.testing.ts";

const { db } = await testDatabase();
let brandId: string;
beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
});

const standing = (memberId: string) =>
  db
    .selectFrom("members")
    .select(["verification", "verified_until as until"])
    .where("id", "=", memberId)
    .executeTakeFirstOrThrow();
const mailsTo = async (memberId: string) =>
  (
    await db
      .selectFrom("mails")
      .select(["kind", "data"])
      .where("member_id", "=", memberId)
      .orderBy("created_at")
      .orderBy("id")
      .execute()
  ).map(({ kind, data }) => ({ kind, ...(data as object) }));
const reject: Decision = { accept: false, reason: "unreadable", note: null };
const decide = (publicId: string, decision: Decision = { accept: true }, now = NOW, by = "ada") =>
  decideRequest(db, { publicId, decision, by, now });
const verifiedUntil = async (until: Date | null) => {
  const { id } = await insertMember(db, { brandId });
  await db
    .updateTable("members")
    .set({ verification: "verified", verified_until: until })
    .where("id", "=", id)
    .execute();
  return id;
};
const send = (memberId: string, now = NOW) =>
  submitProof(db, { brandId, memberId, proofKind: null, file: receivedFile(Buffer.from("x")), key: KEY, now });

test("M4 other pages are told of the proof what its own page shows", async () => {
  const shown = async (memberId: string) => {
    const own = { memberId, brandId, now: NOW };
    const [standingView, view] = [await findStandingView(db, own), await findVerificationView(db, own)];
    const { verification, verifiedUntil, maySubmit, open, refusal } = view!;
    expect(standingView).toEqual({
      verification,
      verifiedUntil,
      maySubmit,
      isSubmitted: open !== null,
      refusedFor: refusal?.reason ?? null,
      isClosing: false,
    });
    return standingView!;
  };
  const { memberId, publicId } = await submitted(db, { brandId });
  expect(await shown(memberId)).toMatchObject({ verification: "submitted", isSubmitted: true, refusedFor: null });
  await decide(publicId, { accept: false, reason: "cut_off", note: null });
  expect(await shown(memberId)).toMatchObject({ verification: "rejected", isSubmitted: false, refusedFor: "cut_off" });
  const again = await send(memberId, daysFromNow(1));
  expect(again.outcome).toBe("submitted");
  expect(await shown(memberId)).toMatchObject({ verification: "submitted", isSubmitted: true, refusedFor: null });
  expect(await shown((await insertMember(db, { brandId })).id)).toMatchObject({ verification: "unverified" });
  expect(await shown(await verifiedUntil(daysFromNow(30)))).toMatchObject({ maySubmit: true, isSubmitted: false });
  const elsewhere = (await insertBrand(db)).id;
  expect(await findStandingView(db, { memberId, brandId: elsewhere, now: NOW })).toBeNull();
});

describe("decisions", () => {
  test("M4 accepting verifies for a year, mails the member, and records who and when", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    expect((await standing(memberId)).verification).toBe("submitted");
    await decide(publicId);
    expect(await standing(memberId)).toEqual({ verification: "verified", until: daysFromNow(365) });
    expect((await mailsTo(memberId)).map(({ kind }) => kind)).toEqual([
      "verification-submitted",
      "verification-accepted",
    ]);
    const request = await db
      .selectFrom("verification_requests")
      .select(["decided_by", "decided_at"])
      .where("public_id", "=", publicId)
      .executeTakeFirstOrThrow();
    expect(request).toEqual({ decided_by: "ada", decided_at: NOW });
  });

  test("M4 the mail of a rejection has the reason, the note and an example of what would be accepted", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    await decide(publicId, { accept: false, reason: "cut_off", note: "The name is missing." });
    expect((await standing(memberId)).verification).toBe("rejected");
    expect((await mailsTo(memberId)).at(-1)).toMatchObject({
      kind: "verification-rejected",
      says: "Part of it is cut off.",
      example: expect.stringContaining("all four corners"),
      note: "The name is missing.",
      stillUntil: null,
    });
  });

  test("M4 when ten operators decide differently at the same time, one decision counts and one mail is sent", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        decide(publicId, index % 2 ? reject : { accept: true }, NOW, `op${index}`),
      ),
    );
    const decided = results.filter(({ outcome }) => outcome === "decided");
    expect(decided).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === "not-open")).toHaveLength(9);
    expect(await mailsTo(memberId)).toHaveLength(2);
    const state = decided[0]?.outcome === "decided" ? decided[0].state : "";
    expect((await standing(memberId)).verification).toBe(state === "accepted" ? "verified" : "rejected");
  });

  test("M4 new proof and a decision at the same time run one after the other, and nothing is decided twice", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    const [, decided] = await Promise.all([send(memberId), decide(publicId)]);
    const states = await db
      .selectFrom("verification_requests")
      .select("state")
      .where("member_id", "=", memberId)
      .orderBy("submitted_at")
      .execute();
    if (decided.outcome === "decided") expect(states.map(({ state }) => state)).toContain("accepted");
    else expect(decided).toEqual({ outcome: "not-open", state: "replaced" });
    expect(states.filter(({ state }) => state === "submitted").length).toBeLessThanOrEqual(1);
  });

  test("M4 ten concurrent submissions leave one open request, and release the files of the others", async () => {
    const { memberId } = await submitted(db, { brandId });
    await Promise.all(Array.from({ length: 10 }, () => send(memberId)));
    const requests = await db
      .selectFrom("verification_requests")
      .select("state")
      .where("member_id", "=", memberId)
      .execute();
    expect(requests.map(({ state }) => state).sort()).toEqual([...Array(10).fill("replaced"), "submitted"]);
    await deleteDueAttachments(db, { now: NOW });
    expect(await db.selectFrom("attachments").select("id").where("member_id", "=", memberId).execute()).toHaveLength(1);
  });
});

describe("renewal", () => {
  test("M4 the old card stays valid until a decision, also after its end, and a rejection then ends it", async () => {
    const memberId = await verifiedUntil(daysFromNow(5));
    const sent = await send(memberId);
    if (sent.outcome !== "submitted") throw new Error(sent.outcome);
    expect((await standing(memberId)).verification).toBe("verified");
    await endMemberships(db, { now: daysFromNow(30) });
    expect((await standing(memberId)).verification).toBe("verified");
    await decide(sent.publicId, reject, daysFromNow(31));
    expect((await mailsTo(memberId)).at(-1), "nothing of an end that has passed").toMatchObject({ stillUntil: null });
    expect((await standing(memberId)).verification).toBe("verified");
    await endMemberships(db, { now: daysFromNow(31) });
    expect((await standing(memberId)).verification).toBe("lapsed");
    expect((await mailsTo(memberId)).at(-1)).toMatchObject({ kind: "renewal-due", hasEnded: true });
  });

  test("M4 a rejection before the end keeps the membership and names its end; accepting adds to the time left", async () => {
    const memberId = await verifiedUntil(daysFromNow(20));
    const first = await send(memberId);
    if (first.outcome !== "submitted") throw new Error(first.outcome);
    await decide(first.publicId, reject);
    expect((await mailsTo(memberId)).at(-1)).toMatchObject({ stillUntil: daysFromNow(20).toISOString() });
    const second = await send(memberId, daysFromNow(1));
    if (second.outcome !== "submitted") throw new Error(second.outcome);
    await decide(second.publicId, { accept: true }, daysFromNow(2));
    expect(await standing(memberId)).toEqual({ verification: "verified", until: daysFromNow(385) });
  });

  test("M4 a membership that was accepted by mistake is ended once, the member is told, and new proof opens it again", async () => {
    const memberId = await verifiedUntil(daysFromNow(200));
    const revoke = (of: string) => revokeMembership(db, { brandId: of, memberId, now: NOW });
    expect(await revoke((await insertBrand(db)).id), "of another brand").toBe(false);
    const both = await Promise.all([revoke(brandId), revoke(brandId)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await standing(memberId)).toEqual({ verification: "lapsed", until: NOW });
    expect(await mailsTo(memberId)).toMatchObject([{ kind: "renewal-due", hasEnded: true, until: NOW.toISOString() }]);
    const sent = await send(memberId);
    if (sent.outcome !== "submitted") throw new Error(sent.outcome);
    await decide(sent.publicId, { accept: true });
    expect((await standing(memberId)).verification).toBe("verified");
  });

  test("M4 a member whose end is far off is not asked for proof", async () => {
    expect(await send(await verifiedUntil(daysFromNow(200)))).toEqual({ outcome: "not-now" });
    expect(await send(await verifiedUntil(null))).toEqual({ outcome: "not-now" });
  });

  test("M4 notice, end and renewal period begin at their exact millisecond", async () => {
    const from = (days: number, ms: number) => new Date(daysFromNow(days).getTime() + ms);
    const until = [from(30, 1), from(30, 0), from(0, 1), from(0, 0)];
    const [notYet, soon, last, over] = (await Promise.all(until.map((end) => verifiedUntil(end)))) as [
      ...[string, string, string, string],
    ];
    await tellOfRenewals(db, { now: NOW });
    await endMemberships(db, { now: NOW });
    const told = async (memberId: string) => (await mailsTo(memberId)).map((mail) => mail["hasEnded" as never]);
    expect(await told(notYet)).toEqual([]);
    expect(await told(soon)).toEqual([false]);
    expect(await told(last)).toEqual([false]);
    expect(await told(over)).toEqual([true]);
    expect((await standing(last)).verification).toBe("verified");
    expect((await standing(over)).verification).toBe("lapsed");
    expect(await send(await verifiedUntil(from(60, 1)))).toEqual({ outcome: "not-now" });
    expect(await send(await verifiedUntil(from(60, 0)))).toMatchObject({ outcome: "submitted" });
  });

  test("M4 a suspended member's membership ends, and no mail asks for proof that they can't send", async () => {
    const memberId = await verifiedUntil(daysFromNow(-1));
    const revoked = await verifiedUntil(daysFromNow(100));
    await db.updateTable("members").set({ suspended_at: NOW }).where("id", "in", [memberId, revoked]).execute();
    await endMemberships(db, { now: NOW });
    expect(await revokeMembership(db, { brandId, memberId: revoked, now: NOW })).toBe(true);
    for (const id of [memberId, revoked]) {
      expect((await standing(id)).verification).toBe("lapsed");
      expect(await mailsTo(id)).toEqual([]);
    }
  });

  test("M4 a member is told of an end once, whichever process is first, and not while proof is pending", async () => {
    const memberId = await verifiedUntil(daysFromNow(29));
    const early = await verifiedUntil(daysFromNow(31));
    const sending = await verifiedUntil(daysFromNow(29));
    await send(sending);
    await Promise.all([1, 2, 3].map(() => tellOfRenewals(db, { now: NOW })));
    expect(await mailsTo(memberId)).toEqual([
      { kind: "renewal-due", hasEnded: false, until: daysFromNow(29).toISOString() },
    ]);
    expect(await mailsTo(early)).toEqual([]);
    expect((await mailsTo(sending)).map(({ kind }) => kind)).toEqual(["verification-submitted"]);
  });

  test("M4 a member is told of an end once, when another process tells them between this one's query and its lock", async () => {
    const until = daysFromNow(28);
    const memberId = await verifiedUntil(until);
    const other = await db.startTransaction().execute();
    // Without the lock on the member that the foreign key takes: as after the other process has let it go.
    await sql`set local session_replication_role = replica`.execute(other);
    await other
      .insertInto("renewal_notices")
      .values({ member_id: memberId, verified_until: until, told_at: NOW })
      .execute();
    const telling = tellOfRenewals(db, { now: NOW });
    await untilWaiting(db);
    await other.commit().execute();
    await telling;
    expect(await mailsTo(memberId)).toEqual([]);
  });
});

describe("a rejection by mistake", () => {
  const afterAll = (publicId: string, now = daysFromNow(1)) => acceptAfterAll(db, { publicId, by: "bea", now });

  test("M4 is taken back once, by one of two operators: the member is verified and gets the mail of an acceptance", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    expect(await afterAll(publicId), "nobody has decided yet").toEqual({ outcome: "not-rejected", state: "submitted" });
    await decide(publicId, reject);
    const outcomes = await Promise.all([afterAll(publicId), afterAll(publicId)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["accepted", "not-rejected"]);
    const until = daysFromNow(366);
    expect(await standing(memberId)).toEqual({ verification: "verified", until });
    expect((await mailsTo(memberId)).slice(2)).toEqual([{ kind: "verification-accepted", until: until.toISOString() }]);
    const view = await findVerificationView(db, { memberId, brandId, now: daysFromNow(1) });
    expect(view?.refusal).toBeNull();
    // The file goes 14 days after the first decision.
    await deleteDueAttachments(db, { now: daysFromNow(14) });
    const left = await db.selectFrom("attachments").select("id").where("member_id", "=", memberId).execute();
    expect(left).toEqual([]);
  });

  test("M4 stays where the member has sent newer proof, which is decided instead, and where the file is gone", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    await decide(publicId, reject);
    const newer = await send(memberId, daysFromNow(1));
    if (newer.outcome !== "submitted") throw new Error(newer.outcome);
    expect(await afterAll(publicId, daysFromNow(2))).toEqual({ outcome: "newer", newerId: newer.publicId });
    await decide(newer.publicId, reject, daysFromNow(2));
    expect(await afterAll(publicId, daysFromNow(3)), "decided or not").toMatchObject({ outcome: "newer" });
    expect((await standing(memberId)).verification).toBe("rejected");
    await deleteDueAttachments(db, { now: daysFromNow(16) });
    expect(await afterAll(newer.publicId, daysFromNow(16))).toEqual({ outcome: "no-file" });
    expect((await mailsTo(memberId)).some(({ kind }) => kind === "verification-accepted")).toBe(false);
  });
});

describe("the file", () => {
  const bytes = randomBytes(700_000);

  test("Y3 is stored encrypted in parts and read back whole, but not with another key or swapped parts", async () => {
    const { memberId, publicId } = await submitted(db, { brandId, bytes });
    const { id } = await db
      .selectFrom("verification_requests")
      .select("id")
      .where("public_id", "=", publicId)
      .executeTakeFirstOrThrow();
    const read = async (key = KEY, oldKeys: string[] = []) => {
      const file = await openAttachmentOfRequest(db, { requestId: id, key, oldKeys });
      const parts: Buffer[] = [];
      for await (const part of file?.parts() ?? []) parts.push(part);
      return Buffer.concat(parts);
    };
    expect((await read()).equals(bytes)).toBe(true);
    const parts = await db
      .selectFrom("attachment_parts")
      .innerJoin("attachments", "attachments.id", "attachment_id")
      .select(["attachment_id", "position", "attachment_parts.bytes"])
      .where("member_id", "=", memberId)
      .orderBy("position")
      .execute();
    expect(Buffer.concat(parts.map((part) => part.bytes)).includes(bytes.subarray(0, 32))).toBe(false);
    await expect(read("f".repeat(64))).rejects.toThrow("unable to authenticate");
    expect((await read("f".repeat(64), [KEY])).equals(bytes)).toBe(true);
    const [first, second] = parts;
    if (!first || !second) throw new Error("Expected several parts");
    await db
      .updateTable("attachment_parts")
      .set({ bytes: second.bytes })
      .where("attachment_id", "=", first.attachment_id)
      .where("position", "=", 0)
      .execute();
    await expect(read()).rejects.toThrow("unable to authenticate");
  });

  test("S1 B4 is readable only by its owner, in their own brand", async () => {
    const { memberId } = await submitted(db, { brandId });
    const { public_id: publicId } = await db
      .selectFrom("attachments")
      .select("public_id")
      .where("member_id", "=", memberId)
      .executeTakeFirstOrThrow();
    const other = await insertBrand(db);
    const { id: stranger } = await insertMember(db, { brandId });
    const open = (options: { memberId: string; brandId: string }) =>
      openOwnAttachment(db, { publicId, key: KEY, ...options });
    expect(await open({ memberId, brandId })).not.toBeNull();
    expect(await open({ memberId: stranger, brandId })).toBeNull();
    expect(await open({ memberId, brandId: other.id })).toBeNull();
  });

  test("M4 is deleted once, 14 days after the decision, with a row that records it", async () => {
    const { memberId, publicId } = await submitted(db, { brandId });
    await decide(publicId);
    const left = () => db.selectFrom("attachments").select("id").where("member_id", "=", memberId).execute();
    await deleteDueAttachments(db, { now: daysFromNow(13) });
    expect(await left()).toHaveLength(1);
    const attachment = (await left())[0]?.id ?? "";
    await Promise.all([1, 2, 3].map(() => deleteDueAttachments(db, { now: daysFromNow(14) })));
    expect(await left()).toEqual([]);
    const parts = await db
      .selectFrom("attachment_parts")
      .select("position")
      .where("attachment_id", "=", attachment)
      .execute();
    expect(parts).toEqual([]);
    const proofs = await db.selectFrom("attachment_deletions").selectAll().where("member_id", "=", memberId).execute();
    expect(proofs).toHaveLength(1);
    expect(proofs[0]).toMatchObject({ why: "decided", size: 9, deleted_at: daysFromNow(14), received_at: NOW });
    expect(proofs[0]?.sha256.equals(receivedFile(Buffer.from("the proof")).sha256)).toBe(true);
  });

  test("M5 is deleted with the account, and that is recorded", async () => {
    const { memberId } = await submitted(db, { brandId });
    await db.deleteFrom("members").where("id", "=", memberId).execute();
    expect(
      await db.selectFrom("attachment_deletions").select("why").where("member_id", "=", memberId).execute(),
    ).toEqual([{ why: "account-closed" }]);
  });

  test("M4 nothing is stored if the file breaks off", async () => {
    const { id: memberId } = await insertMember(db, { brandId });
    await db.updateTable("members").set({ verification: "unverified" }).where("id", "=", memberId).execute();
    const file = {
      ...receivedFile(Buffer.from("x")),
      async *parts() {
        yield Buffer.from("x");
        throw new Error("the disk is gone");
      },
    };
    await expect(submitProof(db, { brandId, memberId, proofKind: null, file, key: KEY, now: NOW })).rejects.toThrow(
      "the disk is gone",
    );
    expect((await standing(memberId)).verification).toBe("unverified");
    expect(await mailsTo(memberId)).toEqual([]);
    expect(await db.selectFrom("attachments").select("id").where("member_id", "=", memberId).execute()).toEqual([]);
  });
});
