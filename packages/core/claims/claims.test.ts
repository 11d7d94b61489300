import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { makeClick, reportedSale } from "../cashback/cashback.testing.ts";
import { creditClaimedSales, recordReportedTransaction } from "../cashback/operations.server.ts";
import { findClaimRecord } from "./find-record.server.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { memberList, type ListedMember, type MemberSort } from "../members/list-members.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { KEY, receivedFile } from "../verification-requests/verification.testing.ts";
import { announceClaims } from "./announce-claims.server.ts";
import {
  claim,
  claimForm,
  claimRow,
  CLICKED,
  clickOf,
  daysAfter,
  madeClaim,
  makeClaimClub,
  memoryFiler,
  OPEN,
  workOnce,
} from "./claims.testing.ts";
import { addEvidence, appealClaim, makeClaim, withdrawClaim } from "./operations.server.ts";
import { setClaimRule } from "./claim-rules.server.ts";
import { decideClaim, makePack, packFile, retryClaim } from "./operators.server.ts";
import { dismissProposal, proposeClaims } from "./proposals.server.ts";
import { claimList, type ClaimSort, type ListedClaim } from "./list-claims.server.ts";
import { findClaim, findClaimsPanel, listClaims } from "./queries.server.ts";
import { canGo, claimStates } from "./rules.ts";
import { dueClaims } from "./work-claims.server.ts";
import { newId } from "@farthing/db/uuid.ts";

const { db } = await testDatabase();
// The worker takes what is due in the whole database.
beforeEach(async () => void (await db.deleteFrom("claims").execute()));
const file = (content = "an order confirmation") => receivedFile(Buffer.from(content), { originalName: "order.jpg" });
const stateOf = async (id: string) => (await claimRow(db, id)).state;
const slugOf = async (id: string) =>
  (await db.selectFrom("networks").select("slug").where("id", "=", id).executeTakeFirstOrThrow()).slug;
const entriesOf = (memberId: string) =>
  db.selectFrom("cashback_entries").selectAll().where("member_id", "=", memberId).execute();

/** Ways in which a network writes the order number AB-123. */
const UNPLAIN = ["AB–123", "#ab\u2011123\u00a0", "\ufeffAB\u2212123"];

describe("C7 making a claim", () => {
  test("C7 a hundred same posts at once make one claim", async () => {
    const club = await makeClaimClub(db);
    const made = await Promise.all(Array.from({ length: 100 }, () => claim(db, club)));
    expect(made.filter(({ outcome }) => outcome === "made")).toHaveLength(1);
    expect(made.filter(({ outcome }) => outcome === "already")).toHaveLength(99);
    expect(await listClaims(db, { memberId: club.memberId, now: OPEN })).toHaveLength(1);
  });

  test("C7 the same order is one claim, however it is written, and whichever visit is named", async () => {
    const club = await makeClaimClub(db);
    const first = await madeClaim(db, club, { form: { orderReference: "ab-1" } });
    const other = await clickOf(db, club);
    const again = await claim(db, { ...club, ...other }, { form: { orderReference: "#AB-1" } });
    expect(again).toMatchObject({ outcome: "already", publicId: first });
  });

  test("C7 a member claims only own visits and purchases", async () => {
    const club = await makeClaimClub(db);
    const stranger = (await insertVerifiedMember(db, { brandId: club.brandId })).id;
    expect(await claim(db, club, { memberId: stranger })).toEqual({ outcome: "unknown" });
    const elsewhere = await insertBrand(db);
    const wrongBrand = { brandId: elsewhere.id, memberId: club.memberId, about: { clickNumber: club.clickNumber } };
    expect(await makeClaim(db, { ...wrongBrand, form: claimForm(), now: OPEN })).toEqual({ outcome: "unknown" });
    await recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: reportedSale(club, club.reference),
      now: OPEN,
    });
    const [entry] = await entriesOf(club.memberId);
    const about = { entryId: entry!.id };
    expect(await claim(db, club, { memberId: stranger, about })).toEqual({ outcome: "unknown" });
    expect(await claim(db, club, { about })).toMatchObject({ outcome: "made" });
  });

  test("C7 nobody reads, withdraws, appeals or adds to another member's claim", async () => {
    const club = await makeClaimClub(db);
    const publicId = await madeClaim(db, club);
    const stranger = {
      brandId: club.brandId,
      memberId: (await insertVerifiedMember(db, { brandId: club.brandId })).id,
      now: OPEN,
    };
    expect(await findClaim(db, { ...stranger, publicId })).toBeNull();
    expect(await withdrawClaim(db, { ...stranger, publicId })).toBe("unknown");
    expect(await appealClaim(db, { ...stranger, publicId, words: "mine" })).toBe("unknown");
    expect(await addEvidence(db, { ...stranger, publicId, file: file(), key: KEY })).toBe("unknown");
    expect(await stateOf(publicId)).toBe("open");
  });

  test("C7 what has tracked, is too late or promised nothing is not claimed", async () => {
    const club = await makeClaimClub(db);
    expect(await claim(db, club, { now: daysAfter(91) })).toEqual({ outcome: "late" });
    await recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: reportedSale(club, club.reference),
      now: OPEN,
    });
    expect(await claim(db, club, { form: { orderReference: "order-1" } })).toMatchObject({ outcome: "tracked" });
    expect(await claim(db, club, { form: { orderReference: "ORDER-2" } })).toMatchObject({ outcome: "made" });
  });

  test.each(UNPLAIN)("C7 an order that tracked as %j is not claimed as AB-123", async (orderReference) => {
    const club = await makeClaimClub(db);
    const reported = reportedSale(club, club.reference, { orderReference });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: OPEN });
    expect(await claim(db, club, { form: { orderReference: "AB-123" } })).toMatchObject({ outcome: "tracked" });
  });

  test.each([
    ["AB–123", "AB-123"],
    [` ${"x".repeat(59)} yz`, "x".repeat(59)],
    ["Nº 5", "ORDER-1"],
    ["ÄÖ-77", "ORDER-1"],
    [null, "ORDER-1"],
  ])(
    "C7 a purchase that was reported as order %j is claimed as %s, the member's own where it has none",
    async (reported, order) => {
      const club = await makeClaimClub(db);
      await recordReportedTransaction(db, {
        networkId: club.networkId,
        reported: reportedSale(club, club.reference, { orderReference: reported }),
        now: OPEN,
      });
      const [entry] = await entriesOf(club.memberId);
      const publicId = await madeClaim(db, club, { about: { entryId: entry!.id } });
      expect((await claimRow(db, publicId)).order_reference).toBe(order);
    },
  );

  test("C7 twenty claims may be under way", async () => {
    const club = await makeClaimClub(db);
    for (let order = 1; order <= 20; order++) await madeClaim(db, club, { form: { orderReference: `N-${order}` } });
    expect(await claim(db, club, { form: { orderReference: "N-21" } })).toEqual({ outcome: "too-many" });
  });

  test("C7 SQL has the transitions of the rules, and no others", async () => {
    const club = await makeClaimClub(db);
    const id = await madeClaim(db, club);
    const facts = sql`filings = 1, decided_at = now(), reason_code = 'other'`;
    for (const from of claimStates)
      for (const to of claimStates.filter((state) => state !== from)) {
        const went = await db
          .transaction()
          .execute(async (trx) => {
            await sql`alter table claims disable trigger claims_lifecycle`.execute(trx);
            await sql`update claims set state = ${from}, ${facts} where public_id = ${id}`.execute(trx);
            await sql`alter table claims enable trigger claims_lifecycle`.execute(trx);
            await sql`update claims set state = ${to}, version = version + 1 where public_id = ${id}`.execute(trx);
            throw new Error("went");
          })
          .catch((error: Error) => error.message === "went");
        expect(went, `${from} to ${to}`).toBe(canGo(from, to));
      }
  });
});

describe("C7 filing with a network", () => {
  test("C7 files once, asks until it is decided, and credits what the report then brings", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, answers, network } = memoryFiler();
    const id = await madeClaim(db, club);
    expect(await workOnce(db, filer, OPEN)).toEqual([]);
    expect(await stateOf(id)).toBe("filed");
    const [sent] = filed.values();
    expect(sent).toMatchObject({
      kind: "untracked",
      orderReference: "ORDER-1",
      clickReference: club.reference,
      saleMinor: 10_000,
    });
    expect(JSON.stringify(sent)).not.toContain(club.memberId);
    await workOnce(db, filer, daysAfter(11));
    answers.set("ORDER-1", { state: "accepted" });
    await workOnce(db, filer, daysAfter(12));
    expect(await stateOf(id)).toBe("accepted");
    expect(await entriesOf(club.memberId), "no money moves before the report").toEqual([]);
    const sale = reportedSale(club, null);
    const recorded = await recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: sale,
      now: daysAfter(13),
    });
    expect(recorded).toMatchObject({ heldBecause: null, changes: ["tracked"] });
    expect(await entriesOf(club.memberId)).toMatchObject([{ state: "tracked", cashback_pence: 600 }]);
    expect(await stateOf(id)).toBe("credited");
    expect(network.filings).toBe(1);
  });

  test("C7 a filing whose answer was lost, or whose worker died, is not filed twice", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, network } = memoryFiler();
    const id = await madeClaim(db, club);
    network.mode = "loses-answers";
    expect(await workOnce(db, filer, OPEN)).toHaveLength(1);
    network.mode = "up";
    await workOnce(db, filer, daysAfter(10.1));
    expect(await stateOf(id)).toBe("filed");
    expect([network.filings, filed.size]).toEqual([1, 1]);
  });

  test("C7 a network that is down gives up nothing for a weekend, then an operator retries", async () => {
    const club = await makeClaimClub(db);
    const { filer, network } = memoryFiler();
    const id = await madeClaim(db, club);
    network.mode = "down";
    for (let hour = 0; hour < 72; hour += 1) await workOnce(db, filer, daysAfter(10 + hour / 24));
    expect((await claimRow(db, id)).given_up_at).toBeNull();
    for (let day = 13; day < 30; day += 1) await workOnce(db, filer, daysAfter(day));
    expect((await claimRow(db, id)).given_up_at).not.toBeNull();
    expect(await dueClaims.countBuried(db)).toBe(1);
    network.mode = "up";
    expect(await retryClaim(db, { publicId: id, now: daysAfter(31) })).toBe(true);
    await workOnce(db, filer, daysAfter(31));
    expect(await stateOf(id)).toBe("filed");
  });

  test("C7 what the network refuses as it is waits for a person", async () => {
    const club = await makeClaimClub(db);
    const { filer, network } = memoryFiler();
    const id = await madeClaim(db, club);
    network.mode = "refuses";
    expect(await workOnce(db, filer, OPEN)).toEqual([]);
    expect(await claimRow(db, id)).toMatchObject({
      state: "open",
      awaits_pack: true,
      last_error: expect.stringContaining("refused"),
    });
  });

  test("C7 the retailer asks for more, the member adds it, and the decline can be appealed once", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, answers } = memoryFiler();
    const id = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId: id };
    await workOnce(db, filer, OPEN);
    answers.set("ORDER-1", { state: "incomplete", answer: "The invoice" });
    await workOnce(db, filer, daysAfter(11));
    expect(await findClaim(db, { ...own, now: daysAfter(11) })).toMatchObject({
      state: "incomplete",
      asked: "The invoice",
    });
    expect(await addEvidence(db, { ...own, file: file(), key: KEY, now: daysAfter(12) })).toBe("added");
    await workOnce(db, filer, daysAfter(12));
    expect(await stateOf(id), "the same question is not asked again").toBe("filed");
    answers.set("ORDER-1", { state: "declined", answer: "Not ours" });
    await workOnce(db, filer, daysAfter(14));
    expect(await findClaim(db, { ...own, now: daysAfter(14) })).toMatchObject({
      state: "declined",
      answer: "The retailer wrote: “Not ours”",
    });
    expect(await appealClaim(db, { ...own, words: "It is", now: daysAfter(14 + 30) })).toBe("too-late");
    expect(await appealClaim(db, { ...own, words: "It is", now: daysAfter(15) })).toBe("appealed");
    expect(await withdrawClaim(db, { ...own, now: daysAfter(15) }), "the network has heard of it").toBe("too-late");
    answers.clear();
    await workOnce(db, filer, daysAfter(15));
    expect([...filed.values()].map(({ kind }) => kind)).toEqual(["untracked", "declined"]);
    expect(JSON.stringify([...filed.values()]), "the member's own words stay here").not.toContain("It is");
    answers.set("ORDER-1", { state: "declined", answer: "We cannot trace it", reason: "not_found" });
    await workOnce(db, filer, daysAfter(16));
    expect(await findClaim(db, { ...own, now: daysAfter(16) })).toMatchObject({
      answer: "The retailer told us it could not find the order. It wrote: “We cannot trace it”",
    });
    expect(await findClaim(db, { ...own, now: daysAfter(16) })).toMatchObject({ state: "declined", appealUntil: null });
    expect(await appealClaim(db, { ...own, words: "again", now: daysAfter(16) })).toBe("too-late");
  });
});

describe("C7 a claim that an operator asks about before it is sent", () => {
  const ask = (publicId: string, now: Date) =>
    decideClaim(db, { publicId, decision: { state: "incomplete", asked: "The invoice" }, by: "op", now });
  const decline = (publicId: string, now: Date) =>
    decideClaim(db, { publicId, decision: { state: "declined", reason: "disputed", note: null }, by: "op", now });

  test("C7 one that the network refused is sent when the member has added what was missing", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, network } = memoryFiler();
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId };
    network.mode = "refuses";
    await workOnce(db, filer, OPEN);
    await ask(publicId, OPEN);
    await workOnce(db, filer, OPEN);
    expect(await addEvidence(db, { ...own, file: file(), key: KEY, now: daysAfter(11) })).toBe("added");
    expect(await stateOf(publicId), "not with the shop yet").toBe("open");
    network.mode = "up";
    await workOnce(db, filer, daysAfter(11));
    expect([await stateOf(publicId), filed.size]).toEqual(["filed", 1]);
  });

  test("C7 one that its network has and answers for is not asked about: the next answer would end the question", async () => {
    const club = await makeClaimClub(db);
    const { filer } = memoryFiler();
    const publicId = await madeClaim(db, club);
    await workOnce(db, filer, OPEN);
    expect(await stateOf(publicId)).toBe("filed");
    expect((await findClaimRecord(db, { publicId, now: OPEN }))?.may.ask).toBe(false);
    expect(await ask(publicId, OPEN)).toEqual({ outcome: "with-network" });
    expect(await stateOf(publicId)).toBe("filed");
    const givenUp = { given_up_at: OPEN, last_error: "no answer" };
    await db.updateTable("claims").set(givenUp).where("public_id", "=", publicId).execute();
    expect((await findClaimRecord(db, { publicId, now: OPEN }))?.may.ask, "nobody asks the network any more").toBe(
      true,
    );
    expect(await ask(publicId, OPEN)).toEqual({ outcome: "decided" });
  });

  test("C7 one that an earlier version took for sent is sent", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, network } = memoryFiler();
    const publicId = await madeClaim(db, club);
    network.mode = "refuses";
    await workOnce(db, filer, OPEN);
    const asFiled = { state: "filed", version: 2, awaits_pack: false, next_step_at: OPEN };
    await db.updateTable("claims").set(asFiled).where("public_id", "=", publicId).execute();
    network.mode = "up";
    await workOnce(db, filer, OPEN);
    expect(filed.size).toBe(1);
  });

  test("C7 one that the network refused runs out after 30 days without an answer", async () => {
    const club = await makeClaimClub(db);
    const { filer, network } = memoryFiler();
    const publicId = await madeClaim(db, club);
    network.mode = "refuses";
    await workOnce(db, filer, OPEN);
    await ask(publicId, OPEN);
    await workOnce(db, filer, daysAfter(39.9));
    expect(await stateOf(publicId)).toBe("incomplete");
    await workOnce(db, filer, daysAfter(40.1));
    expect(await stateOf(publicId)).toBe("expired");
  });

  test("C7 one whose network asks at once is with the network, and stays there when the member has answered", async () => {
    const club = await makeClaimClub(db);
    const { filer, answers } = memoryFiler();
    answers.set("ORDER-1", { state: "incomplete", answer: "The invoice" });
    const publicId = await madeClaim(db, club);
    await workOnce(db, filer, OPEN);
    expect(await stateOf(publicId)).toBe("incomplete");
    await addEvidence(db, {
      ...{ brandId: club.brandId, memberId: club.memberId, publicId },
      ...{ file: file(), key: KEY, now: daysAfter(11) },
    });
    expect(await stateOf(publicId)).toBe("filed");
  });

  test("C7 an appeal at a network without an API goes into a pack when the member has answered", async () => {
    const club = await makeClaimClub(db, `awin-${newId().slice(-6)}`);
    const network = await slugOf(club.networkId);
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId };
    await workOnce(db, null, OPEN);
    await makePack(db, { network, by: "op", now: OPEN });
    await decline(publicId, daysAfter(11));
    await appealClaim(db, { ...own, words: "It is", now: daysAfter(12) });
    await workOnce(db, null, daysAfter(12));
    await ask(publicId, daysAfter(12));
    await workOnce(db, null, daysAfter(12));
    await addEvidence(db, { ...own, file: file(), key: KEY, now: daysAfter(13) });
    await workOnce(db, null, daysAfter(13));
    const pack = await makePack(db, { network, by: "op", now: daysAfter(13) });
    expect(pack).toMatchObject({ claims: 1 });
    expect((await packFile(db, { packNumber: pack!.packNumber! }))!.text).toContain(",declined,");
    expect(await stateOf(publicId)).toBe("filed");
  });

  test("C7 an appeal is not declined by the answer to the claim before it", async () => {
    const club = await makeClaimClub(db);
    const { filer, filed, answers } = memoryFiler();
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId };
    await workOnce(db, filer, OPEN);
    answers.set("ORDER-1", { state: "declined", answer: "Not ours" });
    await workOnce(db, filer, daysAfter(11));
    await appealClaim(db, { ...own, words: "It is", now: daysAfter(12) });
    await ask(publicId, daysAfter(12));
    await workOnce(db, filer, daysAfter(12));
    expect(await stateOf(publicId)).toBe("incomplete");
    await addEvidence(db, { ...own, file: file(), key: KEY, now: daysAfter(13) });
    answers.clear();
    await workOnce(db, filer, daysAfter(13));
    expect(await stateOf(publicId)).toBe("filed");
    expect([...filed.values()].map(({ kind }) => kind)).toEqual(["untracked", "declined"]);
  });
});

describe("C7 a claim that is early, or needs evidence", () => {
  test("C7 one that is early opens by itself when nothing tracked", async () => {
    const club = await makeClaimClub(db);
    const { filer } = memoryFiler();
    const id = await madeClaim(db, club, { now: daysAfter(1) });
    expect(await stateOf(id)).toBe("waiting");
    await workOnce(db, filer, daysAfter(2.9));
    expect(await stateOf(id)).toBe("waiting");
    await workOnce(db, filer, daysAfter(3));
    await workOnce(db, filer, daysAfter(3));
    expect(await stateOf(id)).toBe("filed");
  });

  test("C7 one that is early ends when the purchase tracks, also where the network names no order", async () => {
    for (const orderReference of ["ORDER-1", null]) {
      const club = await makeClaimClub(db);
      const id = await madeClaim(db, club, { now: daysAfter(1) });
      const reported = reportedSale(club, club.reference, { orderReference });
      await recordReportedTransaction(db, { networkId: club.networkId, reported, now: daysAfter(2) });
      expect(await stateOf(id)).toBe("credited");
    }
  });

  test.each(UNPLAIN)("C7 a claim about AB-123 ends when the purchase tracks as %j", async (orderReference) => {
    const club = await makeClaimClub(db);
    const id = await madeClaim(db, club, { form: { orderReference: "AB-123" }, now: daysAfter(1) });
    const reported = reportedSale(club, club.reference, { orderReference });
    await recordReportedTransaction(db, { networkId: club.networkId, reported, now: daysAfter(2) });
    expect(await stateOf(id)).toBe("credited");
  });

  test("C7 another order of the same visit ends nothing, and a sale that is declined at once neither", async () => {
    const club = await makeClaimClub(db);
    const id = await madeClaim(db, club);
    const record = (reported: ReturnType<typeof reportedSale>) =>
      recordReportedTransaction(db, { networkId: club.networkId, reported, now: OPEN });
    await record(reportedSale(club, club.reference, { orderReference: "ORDER-9" }));
    await record(reportedSale(club, club.reference, { status: "declined", reason: "other" }));
    expect(await stateOf(id)).toBe("open");
  });

  test("C7 the evidence that a retailer wants is waited for, and a claim without it runs out after 30 days", async () => {
    const club = await makeClaimClub(db);
    await setClaimRule(db, {
      ...{ slug: club.shop.retailerSlug, seen: null },
      rule: { opensAfterDays: 5, closesAfterDays: 60, needsEvidence: true },
    });
    const [one, two] = [await madeClaim(db, club), await madeClaim(db, club, { form: { orderReference: "B" } })];
    const own = { brandId: club.brandId, memberId: club.memberId, now: OPEN };
    expect([await stateOf(one), await stateOf(two)]).toEqual(["incomplete", "incomplete"]);
    expect(await addEvidence(db, { ...own, publicId: one, file: file(), key: KEY })).toBe("added");
    const { filer } = memoryFiler();
    for (const now of [OPEN, daysAfter(39.9)]) await workOnce(db, filer, now);
    expect([await stateOf(one), await stateOf(two)]).toEqual(["filed", "incomplete"]);
    await workOnce(db, filer, daysAfter(40.1));
    expect(await stateOf(two)).toBe("expired");
    expect(await addEvidence(db, { ...own, publicId: two, file: file(), key: KEY })).toBe("over");
    expect(
      await claim(db, club, { form: { orderReference: "B" }, now: daysAfter(41) }),
      "there is time for another",
    ).toMatchObject({ outcome: "made" });
  });

  test("C7 a file that is sent again because no answer came is there once, also sent twice at the same moment", async () => {
    const club = await makeClaimClub(db);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId: await madeClaim(db, club), now: OPEN };
    const files = () => db.selectFrom("attachments").select("id").where("member_id", "=", club.memberId).execute();
    const send = () => addEvidence(db, { ...own, file: file(), key: KEY });
    expect(await Promise.all([send(), send(), send()])).toEqual(["added", "added", "added"]);
    expect(await files()).toHaveLength(1);
    expect(await addEvidence(db, { ...own, file: file("another"), key: KEY })).toBe("added");
    expect(await files()).toHaveLength(2);
  });

  test("C7 five files at most, also at once; their deletion is planned at the end and called off by an appeal", async () => {
    const club = await makeClaimClub(db);
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId, now: OPEN };
    const added = await Promise.all(
      Array.from({ length: 8 }, (_, number) => addEvidence(db, { ...own, file: file(`page ${number}`), key: KEY })),
    );
    expect(added.filter((outcome) => outcome === "added")).toHaveLength(5);
    const kept = () =>
      db.selectFrom("attachments").select("delete_after").where("member_id", "=", club.memberId).execute();
    await decideClaim(db, {
      publicId,
      decision: { state: "declined", reason: "disputed", note: null },
      by: "op",
      now: OPEN,
    });
    expect(new Set((await kept()).map(({ delete_after }) => delete_after?.getTime()))).toEqual(
      new Set([daysAfter(10 + 44).getTime()]),
    );
    expect(await appealClaim(db, { ...own, words: "look again" })).toBe("appealed");
    expect((await kept()).every(({ delete_after }) => delete_after === null)).toBe(true);
  });

  test("C7 what is asked can be added to a claim that has five files, and five more after each question, twenty in all", async () => {
    const club = await makeClaimClub(db);
    const publicId = await madeClaim(db, club);
    let now = OPEN;
    let files = 0;
    const own = { brandId: club.brandId, memberId: club.memberId, publicId };
    const add = () => addEvidence(db, { ...own, file: file(`page ${files++}`), key: KEY, now });
    const canAdd = async () => (await findClaim(db, { ...own, now }))!.canAddFiles;
    const fill = async (most: number) => {
      for (let left = most; left > 0; left--) expect([await canAdd(), await add()]).toEqual([true, "added"]);
      expect([await canAdd(), await add()]).toEqual([false, "too-many"]);
    };
    await fill(5);
    for (let question = 1; question <= 3; question++) {
      now = daysAfter(10 + question);
      await decideClaim(db, { publicId, decision: { state: "incomplete", asked: `page ${question}` }, by: "op", now });
      await fill(5);
      expect(await stateOf(publicId)).toBe("open");
    }
    now = daysAfter(20);
    await decideClaim(db, { publicId, decision: { state: "incomplete", asked: "the last page" }, by: "op", now });
    expect([await canAdd(), await add()]).toEqual([false, "too-many"]);
  });
});

describe("C7 a sale without its click", () => {
  const report = (club: Awaited<ReturnType<typeof makeClaimClub>>, changes: Parameters<typeof reportedSale>[2] = {}) =>
    recordReportedTransaction(db, {
      networkId: club.networkId,
      reported: reportedSale(club, null, changes),
      now: OPEN,
    });
  const filedClaim = async (
    club: Awaited<ReturnType<typeof makeClaimClub>>,
    options: Parameters<typeof claim>[2] = {},
  ) => {
    const id = await madeClaim(db, club, options);
    await workOnce(db, memoryFiler().filer, OPEN);
    expect(await stateOf(id)).toBe("filed");
    return id;
  };

  test("C7 nobody is credited by an order that a claim names and the network has not heard of", async () => {
    const club = await makeClaimClub(db);
    await madeClaim(db, club);
    expect(await report(club)).toMatchObject({ heldBecause: "no_reference" });
  });

  test("C7 one that arrived before the claim was filed is credited afterwards, once", async () => {
    const club = await makeClaimClub(db);
    expect(await report(club)).toMatchObject({ heldBecause: "no_reference" });
    const id = await filedClaim(club);
    expect(await creditClaimedSales(db, { now: OPEN })).toBe(1);
    expect(await creditClaimedSales(db, { now: OPEN })).toBe(0);
    expect(await entriesOf(club.memberId)).toHaveLength(1);
    expect(await stateOf(id)).toBe("credited");
  });

  test.each(UNPLAIN)(
    "C7 a sale of order %j is the claim's about AB-123, also where it came first",
    async (orderReference) => {
      const [first, then] = [await makeClaimClub(db), await makeClaimClub(db)];
      expect(await report(first, { orderReference })).toMatchObject({ heldBecause: "no_reference" });
      const ids = [];
      for (const club of [first, then]) ids.push(await filedClaim(club, { form: { orderReference: "AB-123" } }));
      expect(await report(then, { orderReference })).toMatchObject({ heldBecause: null });
      expect(await creditClaimedSales(db, { now: OPEN })).toBe(1);
      expect(await creditClaimedSales(db, { now: OPEN })).toBe(0);
      for (const club of [first, then]) expect(await entriesOf(club.memberId)).toHaveLength(1);
      expect(await Promise.all(ids.map(stateOf))).toEqual(["credited", "credited"]);
    },
  );

  test.each([
    ["another order", { orderReference: "ORDER-7" }],
    ["an order with another dash within", { orderReference: "ORDER–-1" }],
    ["no order", { orderReference: null }],
    ["a day that is far off", { purchasedAt: new Date("2026-10-06T12:00:00Z") }],
    ["another programme", { networkProgrammeId: "999" }],
  ])("C7 nobody is credited for %s", async (_, changes) => {
    const club = await makeClaimClub(db);
    await filedClaim(club);
    expect((await report(club, changes)).heldBecause).not.toBeNull();
    expect(await entriesOf(club.memberId)).toEqual([]);
  });

  test("C7 two claims that name the order hold the sale, until one of them is declined", async () => {
    const club = await makeClaimClub(db);
    const id = await filedClaim(club);
    const rival = (await insertVerifiedMember(db, { brandId: club.brandId })).id;
    const theirs = { ...club, memberId: rival };
    const rivalClub = { ...theirs, ...(await clickOf(db, theirs)) };
    const rivalId = await madeClaim(db, rivalClub);
    expect(await report(club)).toMatchObject({ heldBecause: "claims_conflict" });
    await creditClaimedSales(db, { now: OPEN });
    expect([await entriesOf(club.memberId), await entriesOf(rival)]).toEqual([[], []]);
    await decideClaim(db, {
      publicId: rivalId,
      decision: { state: "declined", reason: "disputed", note: null },
      by: "op",
      now: OPEN,
    });
    expect(await creditClaimedSales(db, { now: OPEN })).toBe(1);
    expect([await stateOf(id), (await entriesOf(rival)).length]).toEqual(["credited", 0]);
  });

  test("C7 a sale that one claim names is credited, however many that several claims name wait before it", async () => {
    for (let sale = 0; sale < 2; sale++) {
      const club = await makeClaimClub(db);
      await filedClaim(club);
      const theirs = { ...club, memberId: (await insertVerifiedMember(db, { brandId: club.brandId })).id };
      await filedClaim({ ...theirs, ...(await clickOf(db, theirs)) });
      expect(await report(club)).toMatchObject({ heldBecause: "claims_conflict" });
    }
    const club = await makeClaimClub(db);
    expect(await report(club)).toMatchObject({ heldBecause: "no_reference" });
    await filedClaim(club);
    expect(await creditClaimedSales(db, { now: OPEN, batch: 1 })).toBe(1);
    expect(await entriesOf(club.memberId)).toHaveLength(1);
  });

  describe("C7 whose claim the network's answer names", () => {
    const SALE = "sale-7";
    /** A filed claim whose network says that it is about the sale, and has not decided yet. */
    const namedClaim = async (club: Awaited<ReturnType<typeof makeClaimClub>>) => {
      const network = memoryFiler();
      const id = await madeClaim(db, club);
      await workOnce(db, network.filer, OPEN);
      network.answers.set("ORDER-1", { networkTransactionId: SALE });
      await workOnce(db, network.filer, daysAfter(11));
      expect(await stateOf(id)).toBe("filed");
      return { id, network };
    };

    test.each([
      ["under another order number", { orderReference: "M-4711" }, "no_reference"],
      ["without an order number", { orderReference: null }, "no_reference"],
      ["on a day that is far off", { purchasedAt: new Date("2026-10-09T12:00:00Z") }, "no_reference"],
      ["with a reference that nobody knows", { clickReference: "somebody-elses-click" }, "unknown_reference"],
      ["under a programme that is not known", { networkProgrammeId: "999" }, "no_reference"],
    ])("C7 it is credited %s, once, whether the report or the answer comes first", async (_, changes, held) => {
      for (const reportFirst of [true, false]) {
        const club = await makeClaimClub(db);
        const list = () => report(club, { networkTransactionId: SALE, ...changes });
        if (reportFirst) expect(await list()).toMatchObject({ heldBecause: held });
        const { id, network } = await namedClaim(club);
        if (reportFirst) expect(await creditClaimedSales(db, { now: daysAfter(11) })).toBe(1);
        else expect(await list()).toMatchObject({ heldBecause: null, changes: ["tracked"] });
        expect(await creditClaimedSales(db, { now: daysAfter(11) })).toBe(0);
        expect(await list()).toMatchObject({ changes: [] });
        await workOnce(db, network.filer, daysAfter(12));
        expect(await entriesOf(club.memberId)).toMatchObject([{ state: "tracked", cashback_pence: 600 }]);
        expect(await stateOf(id)).toBe("credited");
      }
    });

    test("C7 it decides between two claims that name the order, and an answer that leaves it out unties nothing", async () => {
      const other = await makeClaimClub(db);
      const { id, network } = await namedClaim(other);
      const theirs = { ...other, memberId: (await insertVerifiedMember(db, { brandId: other.brandId })).id };
      await madeClaim(db, { ...theirs, ...(await clickOf(db, theirs)) });
      network.answers.clear();
      await workOnce(db, network.filer, daysAfter(14));
      expect(await report(other, { networkTransactionId: SALE })).toMatchObject({ heldBecause: null });
      expect([await stateOf(id), (await entriesOf(theirs.memberId)).length]).toEqual(["credited", 0]);
    });

    test("C7 a sale that is credited already, that two answers name, or that is another retailer's stays as it is", async () => {
      const club = await makeClaimClub(db);
      const { memberId } = await insertVerifiedMember(db, { brandId: club.brandId }).then(({ id }) => ({
        memberId: id,
      }));
      const owner = { ...club, memberId, ...(await clickOf(db, { ...club, memberId })) };
      const reported = reportedSale(owner, owner.reference, { networkTransactionId: SALE, orderReference: "MINE" });
      await recordReportedTransaction(db, { networkId: club.networkId, reported, now: OPEN });
      await namedClaim(club);
      expect(await creditClaimedSales(db, { now: OPEN })).toBe(0);
      expect([(await entriesOf(memberId)).length, (await entriesOf(club.memberId)).length]).toEqual([1, 0]);

      const two = await makeClaimClub(db);
      await namedClaim(two);
      const second = { ...two, memberId: (await insertVerifiedMember(db, { brandId: two.brandId })).id };
      await namedClaim({ ...second, ...(await clickOf(db, second)) });
      expect(await report(two, { networkTransactionId: SALE })).toMatchObject({ heldBecause: "claims_conflict" });
    });
  });

  test("C7 an order that arrives in two sales is one claim's", async () => {
    const club = await makeClaimClub(db);
    await filedClaim(club);
    await report(club, { saleMinor: 6_000, commissionMinor: 480 });
    expect(await report(club, { saleMinor: 4_000, commissionMinor: 320 })).toMatchObject({ heldBecause: null });
    expect(await entriesOf(club.memberId)).toHaveLength(2);
  });

  test("C7 a declined purchase that is accepted again fulfils its appeal, and a higher amount a claim about it", async () => {
    for (const [before, after] of [
      [{ status: "declined", reason: "other" }, { status: "pending" }],
      [{ saleMinor: 5_000, commissionMinor: 400 }, {}],
    ] as const) {
      const club = await makeClaimClub(db);
      const sale = (changes: object) =>
        reportedSale(club, club.reference, { networkTransactionId: `t-${club.clickNumber}`, ...changes });
      const record = (reported: ReturnType<typeof sale>) =>
        recordReportedTransaction(db, { networkId: club.networkId, reported, now: OPEN });
      await record(sale(before));
      const [entry] = await entriesOf(club.memberId);
      const id = await madeClaim(db, club, { about: { entryId: entry!.id } });
      await record(sale({ ...after, minute: 5 }));
      expect(await stateOf(id)).toBe("credited");
    }
  });
});

describe("C7 networks without an API", () => {
  test("C7 packs take each claim once, at the same time too, and say nothing of the member", async () => {
    const club = await makeClaimClub(db, `awin-${newId().slice(-6)}`);
    const ids = [
      await madeClaim(db, club, { form: { orderReference: "=HYPERLINK(1)" } }),
      await madeClaim(db, club, { form: { orderReference: "B" } }),
    ];
    await workOnce(db, null, OPEN);
    const packs = await Promise.all(
      [1, 2, 3].map(async () => makePack(db, { network: await slugOf(club.networkId), by: "op", now: OPEN })),
    );
    expect(packs.map((pack) => pack!.claims).toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
    expect(await Promise.all(ids.map(stateOf))).toEqual(["filed", "filed"]);
    const { packNumber } = packs.find((pack) => pack!.packNumber !== null)!;
    const written = await packFile(db, { packNumber: packNumber! });
    expect(await packFile(db, { packNumber: packNumber! }), "the same whenever it is asked for").toEqual(written);
    const [header, first, second, end] = written!.text.split("\r\n");
    expect(header).toContain("order_reference");
    expect(first).toContain("'=HYPERLINK(1)");
    expect(second).toContain(`${club.reference},`);
    expect(end).toBe("");
    const member = await db.selectFrom("members").selectAll().where("id", "=", club.memberId).executeTakeFirstOrThrow();
    for (const secret of [member.id, member.email, member.name, member.member_number])
      expect(written!.text).not.toContain(secret);
    await workOnce(db, null, daysAfter(40));
    expect(await stateOf(ids[0]!), "an operator records the answer").toBe("filed");
    expect(
      await decideClaim(db, { publicId: ids[0]!, decision: { state: "accepted", note: null }, by: "op", now: OPEN }),
    ).toEqual({ outcome: "decided" });
  });

  test.each([
    { rates: "a cap", tiers: [{ groupId: "1", rateBp: 600, capPence: 300 }], minor: 800, pounds: "8.00" },
    {
      rates: "a first rate of zero",
      tiers: [
        { groupId: "1", rateBp: 0 },
        { groupId: "2", fixedPence: 450 },
      ],
      minor: 600,
      pounds: "6.00",
    },
  ])("C5 C7 an API and a pack name the commission that the retailer pays: $rates", async ({ tiers, minor, pounds }) => {
    const club = await makeClaimClub(db, `awin-${newId().slice(-6)}`);
    const clicked = async () => {
      const reference = await makeClick(db, club, { createdAt: CLICKED, tiers, memberShareBp: 7500 });
      const click = db.selectFrom("clicks").select("click_number").where("reference", "=", reference);
      return { clickNumber: (await click.executeTakeFirstOrThrow()).click_number };
    };
    await madeClaim(db, club, { about: await clicked(), form: { orderReference: "BY-PACK" } });
    await workOnce(db, null, OPEN);
    const pack = await makePack(db, { network: await slugOf(club.networkId), by: "op", now: OPEN });
    const [, line] = (await packFile(db, { packNumber: pack!.packNumber! }))!.text.split("\r\n");
    expect(line!.split(",").at(-1)).toBe(pounds);

    const { filer, filed } = memoryFiler();
    await madeClaim(db, club, { about: await clicked(), form: { orderReference: "BY-API" } });
    await workOnce(db, filer, OPEN);
    expect([...filed.values()].map(({ expectedCommissionMinor }) => expectedCommissionMinor)).toEqual([minor]);
  });

  test("C7 one that the network's API refused goes by pack, and so does its one appeal, under a reference of its own", async () => {
    const club = await makeClaimClub(db, `impact-${newId().slice(-6)}`);
    const slug = await slugOf(club.networkId);
    const { filer, network } = memoryFiler();
    network.mode = "refuses";
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId, words: "It is" };
    const send = async (now: Date) => {
      await workOnce(db, filer, now);
      return (await makePack(db, { network: slug, by: "op", now }))!.packNumber!;
    };
    const lines = async (packNumber: number) => (await packFile(db, { packNumber }))!.text.split("\r\n").slice(1, -1);
    const decline = (now: Date) =>
      decideClaim(db, { publicId, decision: { state: "declined", reason: "disputed", note: null }, by: "op", now });
    const first = await send(OPEN);
    const written = await lines(first);
    expect(written).toEqual([expect.stringContaining(",untracked,")]);
    await decline(daysAfter(11));
    expect(await appealClaim(db, { ...own, now: daysAfter(12) })).toBe("appealed");
    const second = await lines(await send(daysAfter(12)));
    expect(second).toEqual([expect.stringContaining(",declined,")]);
    expect(second[0]!.split(",")[0]).not.toBe(written[0]!.split(",")[0]);
    expect(await lines(first), "the same whenever it is asked for").toEqual(written);
    await decline(daysAfter(13));
    expect(await appealClaim(db, { ...own, now: daysAfter(14) })).toBe("too-late");
  });

  test("C7 a claim that was never sent cannot be accepted, and a rival is left out of the pack", async () => {
    const club = await makeClaimClub(db, `awin-${newId().slice(-6)}`);
    const id = await madeClaim(db, club);
    const rival = { ...club, memberId: (await insertVerifiedMember(db, { brandId: club.brandId })).id };
    const rivalId = await madeClaim(db, { ...rival, ...(await clickOf(db, rival)) });
    expect(
      await decideClaim(db, { publicId: id, decision: { state: "accepted", note: null }, by: "op", now: OPEN }),
    ).toMatchObject({ outcome: "not-now" });
    await workOnce(db, null, OPEN);
    const pack = await makePack(db, { network: await slugOf(club.networkId), by: "op", now: OPEN });
    expect(pack!.packNumber).toBeNull();
    expect(pack!.leftOut.toSorted()).toEqual([id, rivalId].toSorted());
    expect(await makePack(db, { network: "nowhere", by: "op", now: OPEN })).toBeNull();
  });
});

describe("C7 what members are told", () => {
  test("C7 each state is told once in one mail, and not where cashback mails are refused", async () => {
    const club = await makeClaimClub(db);
    const keys = ["a key for links in mails"] as const;
    const id = await madeClaim(db, club);
    const mails = async () =>
      (
        await db
          .selectFrom("mails")
          .select(["kind", "data"])
          .where("member_id", "=", club.memberId)
          .orderBy("id")
          .execute()
      ).map(({ data }) => (data as { state: string }).state);
    await announceClaims(db, { keys: [...keys], now: OPEN });
    await announceClaims(db, { keys: [...keys], now: OPEN });
    expect(await mails()).toEqual(["open"]);
    await workOnce(db, memoryFiler().filer, OPEN);
    await decideClaim(db, { publicId: id, decision: { state: "accepted", note: null }, by: "op", now: OPEN });
    await announceClaims(db, { keys: [...keys], now: OPEN });
    expect(await mails(), "what happened at once is one mail").toEqual(["open", "accepted"]);
    const choice = {
      id: newId(),
      brand_id: club.brandId,
      member_id: club.memberId,
      kind: "cashback-confirmed",
      is_wanted: false,
      way: "page",
      chosen_at: OPEN,
    };
    await db.insertInto("mail_choices").values(choice).execute();
    await decideClaim(db, {
      publicId: id,
      decision: { state: "declined", reason: "other", note: "No" },
      by: "op",
      now: OPEN,
    });
    await announceClaims(db, { keys: [...keys], now: OPEN });
    expect(await mails()).toEqual(["open", "accepted"]);
  });

  test("C7 A3 operators find a claim by its order number however its dashes and spaces are typed", async () => {
    const club = await makeClaimClub(db);
    const publicId = await madeClaim(db, club, { form: { orderReference: "AB-12 34" } });
    const list = { sort: "made", isDescending: true, after: null, before: null, size: 5 } as const;
    for (const q of ["ab-12 34", "#AB\u201312\u00a034", " ab\u2011\u200b12 34 "]) {
      const { rows } = await findListPage<ListedClaim, ClaimSort>(db, claimList({ q }), list);
      expect(
        rows.map((row) => row.publicId),
        q,
      ).toEqual([publicId]);
      const state = { sort: "joined", isDescending: true, after: null, before: null, size: 50 } as const;
      const members = await findListPage<ListedMember, MemberSort>(db, memberList({ q }), state);
      expect(
        members.rows.map(({ id }) => id),
        q,
      ).toEqual([club.memberId]);
    }
  });

  test("C7 it is called an appeal from the appeal on, and before that a claim, wherever it is told", async () => {
    const club = await makeClaimClub(db);
    const { filer, answers, network } = memoryFiler();
    const publicId = await madeClaim(db, club);
    const own = { brandId: club.brandId, memberId: club.memberId, publicId };
    const list = { sort: "made", isDescending: true, after: null, before: null, size: 5 } as const;
    const isAppeal = async (now: Date) => {
      await announceClaims(db, { keys: ["a key for links in mails"], now });
      const mail = db.selectFrom("mails").select("data").where("member_id", "=", club.memberId).orderBy("id", "desc");
      const { data } = await mail.limit(1).executeTakeFirstOrThrow();
      const { rows } = await findListPage<ListedClaim, ClaimSort>(db, claimList({ q: publicId }), list);
      const told = new Set([
        (await findClaim(db, { ...own, now }))!.isAppeal,
        (data as { isAppeal: boolean }).isAppeal,
        rows[0]!.isAppeal,
      ]);
      expect(told.size, "the same everywhere").toBe(1);
      return [...told][0];
    };
    const ask = (now: Date) =>
      decideClaim(db, { publicId, decision: { state: "incomplete", asked: "The invoice" }, by: "op", now });
    network.mode = "down";
    await workOnce(db, filer, OPEN);
    expect(await isAppeal(OPEN), "the network did not answer").toBe(false);
    network.mode = "up";
    answers.set("ORDER-1", { state: "declined", answer: "Not ours" });
    await workOnce(db, filer, daysAfter(11));
    expect(await stateOf(publicId)).toBe("declined");
    expect(await isAppeal(daysAfter(11)), "the claim is declined").toBe(false);
    await appealClaim(db, { ...own, words: "It is", now: daysAfter(12) });
    expect(await isAppeal(daysAfter(12))).toBe(true);
    await ask(daysAfter(12));
    expect(await isAppeal(daysAfter(12)), "something is missing").toBe(true);
    await addEvidence(db, { ...own, file: file(), key: KEY, now: daysAfter(13) });
    await workOnce(db, filer, daysAfter(13));
    expect(await stateOf(publicId)).toBe("declined");
    expect(await isAppeal(daysAfter(13)), "the appeal is declined").toBe(true);
  });

  test("C7 a push that names a visit and is never confirmed asks its member, once, and moves nothing", async () => {
    const club = await makeClaimClub(db);
    const push = (body: string, networkId = club.networkId) =>
      db
        .insertInto("network_events")
        .values({
          id: newId(),
          network_id: networkId,
          dedupe_key: Buffer.from(newId().replaceAll("-", "")),
          network_transaction_id: "1",
          content_type: "x",
          raw: Buffer.from(body),
          status: "unconfirmed",
          next_attempt_at: OPEN,
          received_at: OPEN,
          handled_at: OPEN,
        })
        .execute();
    await push(`{"SubId1":"${club.reference}","x":"\u0000ÿ"}`);
    await push("nothing of ours AAAAAAAAAAAAAAAAAAAAAA");
    expect(await proposeClaims(db, { now: OPEN })).toBe(1);
    expect(await proposeClaims(db, { now: OPEN })).toBe(0);
    const own = { memberId: club.memberId, clickNumber: club.clickNumber, now: OPEN };
    expect((await findClaimsPanel(db, own)).proposals).toMatchObject([{ clickNumber: club.clickNumber }]);
    const stranger = (await insertVerifiedMember(db, { brandId: club.brandId })).id;
    expect(await dismissProposal(db, { ...own, memberId: stranger })).toBe(false);
    expect(await dismissProposal(db, own)).toBe(true);
    expect((await findClaimsPanel(db, own)).proposals).toEqual([]);
    expect(await entriesOf(club.memberId)).toEqual([]);
  });
});
