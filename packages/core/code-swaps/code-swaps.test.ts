import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { insertCode, insertVariant, NOW } from "../catalogue/catalogue.testing.ts";
import { fillPool } from "../code-pools/operations.server.ts";
import { findSeenCodes } from "../reveals/queries.server.ts";
import { openReveals, type Person } from "../reveals/reveals.testing.ts";
import { revealLimits } from "../reveals/rules.ts";
import { castVote } from "../votes/operations.server.ts";
import { type CodeSwap, swapCode, swapCodeFor, type SwapOutcome } from "./operations.server.ts";
import { countSwaps, findOwnSwaps, listMemberCodes } from "./queries.server.ts";
import { nextSwapAt, SWAP_DAYS } from "./rules.ts";

const { db } = await testDatabase({ max: 25 });
const { brandId, person, makeOffer, makePool, reveal } = await openReveals(db);
const later = (days: number) => new Date(NOW.getTime() + days * 86_400_000);
/** Returns the beginning of a day in London. It is winter. */
const startOfDay = (days: number) => new Date(`${later(days).toISOString().slice(0, 10)}T00:00:00Z`);

type Offer = Awaited<ReturnType<typeof makePool>>;
const swap = (member: Person, offer: Offer, code: string, more: Partial<CodeSwap> = {}): Promise<SwapOutcome> =>
  swapCode(db, {
    ...{ brandId, memberId: member.id, sessionId: member.sessionId },
    ...{ offerPublicId: offer.publicId, variantPublicId: null, code, reason: "cancelled", now: NOW, ...more },
  });

/** Reveals a code of the offer to a member, and returns it. */
async function codeOf(member: Person, offer: Offer, variantPublicId: string | null = null): Promise<string> {
  const outcome = await reveal(member, offer, { variantPublicId });
  return outcome.outcome === "revealed" ? outcome.code : expect.unreachable(outcome.outcome);
}
/** Returns a new offer with this many free codes, and a member with one of their own. */
async function withCode({ free = 1, member }: { free?: number; member?: Person } = {}) {
  const offer = await makePool(free + 1);
  await db.updateTable("offers").set({ ends_at: null }).where("id", "=", offer.id).execute();
  const holder = member ?? (await person());
  return { offer, member: holder, code: await codeOf(holder, offer) };
}
const heldBy = (member: Person, offer: Offer) =>
  db
    .selectFrom("offer_codes")
    .select(["code", "voided_at"])
    .where("offer_id", "=", offer.id)
    .where("member_id", "=", member.id)
    .orderBy("assigned_at")
    .orderBy("id")
    .execute();
const shownTo = async (member: Person, offer: Offer) => {
  const seen = await findSeenCodes(db, { memberId: member.id, offerId: offer.id });
  return seen.map(({ code, codeKind }) => [code, codeKind]);
};

describe("O4 swapping a code", () => {
  test("O4 the old code is void and the new one is the member's, on their page and in their list", async () => {
    const { offer, member, code } = await withCode();
    const outcome = await swap(member, offer, code, { now: later(1) });
    expect(outcome).toEqual({ outcome: "swapped", code: "POOL-1", isRepeat: false });
    expect(await heldBy(member, offer)).toEqual([
      { code: "POOL-0", voided_at: later(1) },
      { code: "POOL-1", voided_at: null },
    ]);
    expect(await shownTo(member, offer)).toEqual([["POOL-1", "pool"]]);
    expect(await codeOf(member, offer)).toBe("POOL-1");
    expect(await findOwnSwaps(db, { memberId: member.id, offerId: offer.id, now: later(1) })).toEqual({
      voidCodes: [{ code: "POOL-0", variant: null, reason: "cancelled", swappedAt: later(1) }],
      swappable: [],
      nextSwapAt: startOfDay(1 + SWAP_DAYS),
    });
  });

  test("O4 a void code is given to nobody again, even where its file is read again", async () => {
    const { offer, member, code } = await withCode();
    await swap(member, offer, code);
    expect(await fillPool(db, { offerId: offer.id, variantId: null, codes: [code], now: NOW })).toBe(0);
    expect(await reveal(await person(), offer)).toEqual({ outcome: "pool-empty" });
  });

  test("O4 twenty presses at once give one code, and a press after it the same one", async () => {
    const { offer, member, code } = await withCode({ free: 30 });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => swap(member, offer, code)));
    expect(outcomes.filter((one) => one.outcome === "swapped" && !one.isRepeat)).toHaveLength(1);
    expect(outcomes.filter((one) => one.outcome === "swapped" && one.isRepeat && one.code === "POOL-1")).toHaveLength(
      19,
    );
    expect(await swap(member, offer, code, { now: later(90) })).toMatchObject({ code: "POOL-1", isRepeat: true });
    expect(await heldBy(member, offer)).toHaveLength(2);
  });

  test("O4 many members who swap and reveal at once get a code each, and no code twice", async () => {
    const offer = await makePool(60);
    const holders = await Promise.all(Array.from({ length: 20 }, person));
    const codes = await Promise.all(holders.map((member) => codeOf(member, offer)));
    const [swapped, revealed] = await Promise.all([
      Promise.all(holders.map((member, at) => swap(member, offer, codes[at] ?? ""))),
      Promise.all(Array.from({ length: 20 }, async () => codeOf(await person(), offer))),
    ]);
    const given = [...codes, ...revealed, ...swapped.map((one) => (one.outcome === "swapped" ? one.code : ""))];
    expect(new Set(given).size).toBe(60);
  });

  test("O4 an empty pool makes nothing void, and the same press works once there are codes again", async () => {
    const { offer, member, code } = await withCode({ free: 0 });
    await insertCode(db, { offerId: offer.id, code: "SHARED" });
    expect(await swap(member, offer, code)).toEqual({ outcome: "pool-empty" });
    expect(await heldBy(member, offer)).toEqual([{ code, voided_at: null }]);
    expect(await shownTo(member, offer)).toEqual([[code, "pool"]]);
    await insertCode(db, { offerId: offer.id, codeKind: "pool", code: "REFILL" });
    expect(await swap(member, offer, code)).toMatchObject({ outcome: "swapped", code: "REFILL" });
  });

  test("O4 ten members ask for the last code: one gets it, and the others keep theirs", async () => {
    const offer = await makePool(11);
    const members = await Promise.all(Array.from({ length: 10 }, person));
    const codes = await Promise.all(members.map((member) => codeOf(member, offer)));
    const outcomes = await Promise.all(members.map((member, at) => swap(member, offer, codes[at] ?? "")));
    expect(outcomes.filter(({ outcome }) => outcome === "swapped")).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === "pool-empty")).toHaveLength(9);
    const valid = await Promise.all(
      members.map(async (member) => (await heldBy(member, offer)).filter(({ voided_at }) => voided_at === null)),
    );
    expect(valid.map((codesOfOne) => codesOfOne.length)).toEqual(members.map(() => 1));
  });

  test("O4 a member swaps one code of an offer in 30 days; an operator swaps more", async () => {
    const { offer, member, code } = await withCode({ free: 9 });
    await swap(member, offer, code);
    const tooSoon = { outcome: "too-soon", until: startOfDay(SWAP_DAYS) };
    expect(await swap(member, offer, "POOL-1", { now: later(SWAP_DAYS - 1) })).toEqual(tooSoon);
    const current = (await listMemberCodes(db, { memberId: member.id })).find(({ voidedAt }) => voidedAt === null);
    const byClub = { memberId: member.id, codeId: current?.id ?? "", reason: "lost", now: later(2) } as const;
    expect(await swapCodeFor(db, byClub)).toMatchObject({ outcome: "swapped", code: "POOL-2" });
    expect(await swapCodeFor(db, byClub), "a second press").toEqual({ outcome: "not-theirs" });
    expect(await swap(member, offer, "POOL-2", { now: later(SWAP_DAYS + 1) })).toMatchObject({ outcome: "too-soon" });
    expect(await swap(member, offer, "POOL-2", { now: later(SWAP_DAYS + 2) })).toMatchObject({ code: "POOL-3" });
    expect(await countSwaps(db, { offerId: offer.id, now: later(SWAP_DAYS + 2) })).toEqual([
      { reason: "cancelled", lately: 1, total: 2, lastAt: later(SWAP_DAYS + 2) },
      { reason: "lost", lately: 0, total: 1, lastAt: later(2) },
    ]);
  });

  test.each([
    ["in winter", "2026-11-30T18:45:00Z", "2026-12-29T23:59:59Z", "2026-12-30T00:00:00Z"],
    ["in summer", "2026-06-01T23:30:00Z", "2026-07-01T22:59:59Z", "2026-07-01T23:00:00Z"],
    ["over the change of the clocks", "2026-10-10T12:00:00Z", "2026-11-08T23:59:59Z", "2026-11-09T00:00:00Z"],
  ])("O4 the limit ends as the day begins that pages name, %s", (_when, swapped, before, next) => {
    expect(nextSwapAt(new Date(swapped), new Date(before))).toEqual(new Date(next));
    expect(nextSwapAt(new Date(swapped), new Date(next))).toBeNull();
  });

  test("O4 S1 a swap counts towards the limit of new codes, and is refused at it", async () => {
    const { offer, member, code } = await withCode();
    for (let seen = 1; seen < revealLimits.unverified[0].codes; seen += 1) await codeOf(member, await makePool(1));
    expect(await swap(member, offer, code)).toMatchObject({ outcome: "too-many" });
    expect(await heldBy(member, offer)).toEqual([{ code, voided_at: null }]);
  });

  test("O4 B4 nobody swaps another's code, a shared one, a free one or one of an offer that is over", async () => {
    const { offer, member, code } = await withCode({ free: 2 });
    await insertCode(db, { offerId: offer.id, code: "SHARED" });
    const stranger = await person();
    await codeOf(stranger, offer);
    for (const other of [code, "SHARED", "POOL-2", "", "NONE"])
      expect(await swap(stranger, offer, other)).toEqual({ outcome: "not-theirs" });
    const foreign = { ...stranger, sessionId: member.sessionId };
    expect(await swap(foreign, offer, "POOL-1"), "another's session").toEqual({ outcome: "not-theirs" });
    expect(await swap(stranger, offer, "POOL-1", { brandId: newId() })).toEqual({ outcome: "not-theirs" });
    await db.updateTable("members").set({ suspended_at: NOW }).where("id", "=", stranger.id).execute();
    expect(await swap(stranger, offer, "POOL-1"), "suspended").toEqual({ outcome: "not-theirs" });
    await db.updateTable("offers").set({ ends_at: NOW }).where("id", "=", offer.id).execute();
    expect(await swap(member, offer, code)).toEqual({ outcome: "not-live" });
    expect(await db.selectFrom("code_swaps").select("id").where("offer_id", "=", offer.id).execute()).toEqual([]);
  });

  test("O2 O4 a code is swapped for one of its variant, and the other variant's stays", async () => {
    const offer = await makeOffer();
    const adult = await insertVariant(db, { offerId: offer.id, label: "Adult", position: 1 });
    const child = await insertVariant(db, { offerId: offer.id, label: "Child", position: 2 });
    for (const code of ["A1", "A2"])
      await insertCode(db, { offerId: offer.id, variantId: adult.id, codeKind: "pool", code });
    for (const code of ["C1", "C2"])
      await insertCode(db, { offerId: offer.id, variantId: child.id, codeKind: "pool", code });
    const member = await person();
    await codeOf(member, offer, adult.publicId);
    await codeOf(member, offer, child.publicId);
    expect(await swap(member, offer, "C1", { variantPublicId: adult.publicId })).toEqual({ outcome: "not-theirs" });
    expect(await swap(member, offer, "C1", { variantPublicId: child.publicId })).toMatchObject({ code: "C2" });
    expect((await shownTo(member, offer)).toSorted(([one], [other]) => (one ?? "").localeCompare(other ?? ""))).toEqual(
      [
        ["A1", "pool"],
        ["C2", "pool"],
      ],
    );
  });

  test("O2 O4 a swap gives no second code for every variant, and says that none is left where only those are", async () => {
    const offer = await makeOffer({ endsAt: null });
    const one = await insertVariant(db, { offerId: offer.id, label: "One", position: 1 });
    const other = await insertVariant(db, { offerId: offer.id, label: "Other", position: 2 });
    const add = (code: string, only: { variantId?: string } = {}) =>
      insertCode(db, { offerId: offer.id, codeKind: "pool", code, ...only });
    await add("ONE-1", { variantId: one.id });
    await add("EVERY-1");
    await add("EVERY-2");
    const member = await person();
    expect(await codeOf(member, offer, one.publicId)).toBe("ONE-1");
    expect(await codeOf(member, offer, other.publicId)).toBe("EVERY-1");
    const swappable = async () =>
      (await findOwnSwaps(db, { memberId: member.id, offerId: offer.id, now: NOW })).swappable;
    const every = { code: "EVERY-1", variant: other.publicId };
    const onlyEvery = [{ code: "EVERY-1", variant: one.publicId }, every];
    expect(await swappable(), "another code for every variant").toEqual(onlyEvery);
    const swapOne = () => swap(member, offer, "ONE-1", { variantPublicId: one.publicId });
    expect(await swapOne()).toEqual({ outcome: "pool-empty" });
    const held = await heldBy(member, offer);
    expect(held.map(({ voided_at }) => voided_at)).toEqual([null, null]);
    await add("ONE-2", { variantId: one.id });
    expect(await swappable()).toEqual(expect.arrayContaining([...onlyEvery, { code: "ONE-1", variant: one.publicId }]));
    expect(await swapOne()).toMatchObject({ outcome: "swapped", code: "ONE-2" });
    const swapEvery = { variantPublicId: other.publicId, now: later(SWAP_DAYS) };
    expect(await swap(member, offer, "EVERY-1", swapEvery)).toMatchObject({ outcome: "swapped", code: "EVERY-2" });
  });

  test("O4 a code that the shop refused counts as a vote that it failed, and no other reason does", async () => {
    for (const reason of ["cancelled", "lost", "refused"] as const) {
      const { offer, member, code } = await withCode();
      const vote = { brandId, memberId: member.id, offerPublicId: offer.publicId, variantPublicId: null, now: NOW };
      await castVote(db, { ...vote, outcome: "worked" });
      await swap(member, offer, code, { reason });
      const votes = await db
        .selectFrom("code_votes")
        .innerJoin("offer_codes", "offer_codes.id", "code_votes.code_id")
        .select(["offer_codes.code", "outcome"])
        .where("code_votes.offer_id", "=", offer.id)
        .execute();
      expect(votes).toEqual([{ code, outcome: reason === "refused" ? "failed" : "worked" }]);
    }
  });
});
