import { newId } from "@farthing/db/uuid.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { HOLD_MS } from "../bank-details/bank-account.ts";
import { makeClick, reportedSale, type ClubForTests } from "../cashback/cashback.testing.ts";
import { checkCashback } from "../cashback/check.server.ts";
import { recordReportedTransaction } from "../cashback/operations.server.ts";
import { makeShop } from "../clicks/clicks.testing.ts";
import { findBalance, findMemberBalances } from "../ledger/balances.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { signIn } from "../payouts/payouts.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { findStandingView } from "../verification-requests/queries.server.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { checkClosures } from "./check.server.ts";
import { advanceClosures, finishClosures, payClosure, settleLateCashback } from "./close-member.server.ts";
import { cancelClosure, changePayee, requestClosure } from "./operations.server.ts";
import { findClosureView, findOpenClosure, listOpenClosures } from "./queries.server.ts";
import { CLOSURE_TRANSITIONS, closureDays, daysAfter, type MoneyChoices } from "./rules.ts";

const { db } = await testDatabase({ max: 8 });
const keys = ["a key"] as const;
const now = new Date("2026-11-20T10:00:00Z");
const over = daysAfter(now, closureDays.cancel);
const payee = { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" };
let networkId: string;

beforeAll(async () => {
  networkId = (await insertNetwork(db, { slug: "awin" })).id;
});

async function open() {
  const brandId = (await insertBrand(db)).id;
  const memberId = (await insertVerifiedMember(db, { brandId })).id;
  const club: ClubForTests = { brandId, networkId, memberId, shop: await makeShop(db, { brandId, networkId }) };
  const { email } = await db.selectFrom("members").select("email").where("id", "=", memberId).executeTakeFirstOrThrow();
  /** A purchase with £6.00 of cashback. */
  const earn = async (state: "pending" | "payable") => {
    const sale = reportedSale(club, await makeClick(db, club), {
      minute: 1,
      ...(state === "payable" ? { status: "approved" as const, paidToPublisher: true } : {}),
    });
    await recordReportedTransaction(db, { networkId, reported: sale, now });
    return (changes: Partial<typeof sale>, minute: number) => {
      const at = new Date(sale.modifiedAt.getTime() + minute * 60_000);
      return recordReportedTransaction(db, {
        networkId,
        reported: { ...sale, ...changes, modifiedAt: at, observedAt: at },
        now,
      });
    };
  };
  const request = (choices: Partial<MoneyChoices> = {}) =>
    requestClosure(db, {
      brandId,
      memberId,
      pendingChoice: "wait",
      payableChoice: "pay-out",
      payee,
      keys,
      now,
      ...choices,
    });
  const closure = () =>
    db
      .selectFrom("closures")
      .selectAll()
      .where("member_id", "=", memberId)
      .orderBy("requested_at")
      .executeTakeFirstOrThrow();
  const pay = async (amountPence: number, at = over) =>
    payClosure(db, {
      publicId: (await closure()).public_id,
      amountPence,
      accountEnding: () => "9911",
      by: "tester",
      now: at,
    });
  const mails = async () =>
    (await db.selectFrom("mails").select("kind").where("member_id", "=", memberId).orderBy("id").execute()).map(
      ({ kind }) => kind,
    );
  const change = async (account: typeof payee, at = now) =>
    changePayee(db, { brandId, memberId, sessionId: await signIn(db, club), payee: account, keys, now: at });
  return { brandId, memberId, club, email, earn, request, closure, pay, mails, change };
}

async function booksAreRight() {
  expect([...(await checkLedger(db)).faults, ...(await checkCashback(db)), ...(await checkClosures(db))]).toEqual([]);
}

test("M5 nothing happens during the cooling-off week, and a closure that waits for money can still be cancelled", async () => {
  const { brandId, memberId, earn, request, closure, mails } = await open();
  await earn("pending");
  expect(await request()).toEqual({ outcome: "requested" });
  expect(await request()).toEqual({ outcome: "already" });
  expect(await mails()).toEqual(["closure-requested"]);
  await advanceClosures(db, { now: new Date(over.getTime() - 1) });
  await advanceClosures(db, { now: over });
  expect((await closure()).state, "a shop has still to decide").toBe("requested");
  expect(await cancelClosure(db, { brandId, memberId, now: over })).toBe("cancelled");
  expect(await closure()).toMatchObject({ state: "cancelled", payee: null });
  expect(await request(), "and asked for again").toEqual({ outcome: "requested" });
});

test("M5 payable money is paid before the account closes, and is posted once", async () => {
  const { memberId, earn, request, closure, pay } = await open();
  await earn("payable");
  await request();
  expect(await advanceClosures(db, { now: over })).toBeGreaterThan(0);
  expect((await closure()).state).toBe("awaiting_payout");
  const [listed] = (await listOpenClosures(db, { keys })).filter(({ state }) => state === "awaiting_payout");
  expect(listed).toMatchObject({ payablePence: 600, payee });
  expect(await pay(500), "the bank was told another sum").toEqual({ outcome: "other-amount", payablePence: 600 });
  const twice = await Promise.all([pay(600), pay(600)]);
  expect(twice.map(({ outcome }) => outcome).sort()).toEqual(["not-awaiting", "paid"]);
  expect(await closure()).toMatchObject({ state: "closed", paid_pence: 600, paid_by: "tester", given_up_pence: 0 });
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_payable: 0, member_paid: 600 });
  await booksAreRight();
});

test("M5 a closure is open from the request until the account is closed or the member stays", async () => {
  const [leaving, staying] = [await open(), await open()];
  const openClosure = async ({ brandId, memberId }: { brandId: string; memberId: string }) => {
    const found = await findOpenClosure(db, { memberId });
    expect((await findStandingView(db, { brandId, memberId, now }))?.isClosing).toBe(found !== null);
    return found;
  };
  expect(await openClosure(leaving)).toBeNull();
  await leaving.earn("payable");
  await leaving.request();
  expect(await openClosure(leaving)).toEqual({ cancellableUntil: (await leaving.closure()).cancellable_until });
  await advanceClosures(db, { now: over });
  expect((await leaving.closure()).state).toBe("awaiting_payout");
  expect(await openClosure(leaving)).toEqual({ cancellableUntil: (await leaving.closure()).cancellable_until });
  await leaving.pay(600);
  expect(await openClosure(leaving)).toBeNull();
  await staying.request();
  expect(await openClosure(staying)).not.toBeNull();
  await cancelClosure(db, { ...staying, now });
  expect(await openClosure(staying)).toBeNull();
});

test("M5 bank details are encrypted, required where there is money, and erased a month after the payment", async () => {
  const { brandId, memberId, earn, request, closure, pay, change } = await open();
  await earn("payable");
  const bare = { brandId, memberId, pendingChoice: "wait", payableChoice: "pay-out", payee: null, keys, now } as const;
  expect(await requestClosure(db, bare)).toEqual({ outcome: "needs-payee" });
  await request();
  expect((await closure()).payee).not.toMatch(/55779911|Ada/);
  await change({ ...payee, accountNumber: "11111111" });
  expect((await findClosureView(db, { memberId, keys, now })).open?.accountEnding).toBe("1111");
  await advanceClosures(db, { now: over });
  await pay(600);
  await finishClosures(db, { now: daysAfter(over, 29) });
  expect((await closure()).payee).not.toBeNull();
  await finishClosures(db, { now: daysAfter(over, 30) });
  expect((await closure()).payee).toBeNull();
});

test("M5 a member whose closing an operator starts reads that we ask for an account, and not that they named one", async () => {
  const { brandId, memberId, earn } = await open();
  await earn("payable");
  const choices = { pendingChoice: "wait", payableChoice: "pay-out", payee: null, asksForPayeeLater: true } as const;
  expect(await requestClosure(db, { brandId, memberId, ...choices, keys, now })).toEqual({ outcome: "requested" });
  const { data } = await db
    .selectFrom("mails")
    .select("data")
    .where("member_id", "=", memberId)
    .executeTakeFirstOrThrow();
  expect(data).toMatchObject({ money: [expect.stringContaining("£6.00 is yours: we ask you for a bank account")] });
  expect(JSON.stringify(data)).not.toContain("you named");
});

test("M5 money that arrives without a bank account to pay it to waits, and the member is asked by mail", async () => {
  const { earn, request, closure, pay, mails, change } = await open();
  await request();
  await earn("payable");
  await advanceClosures(db, { now: over });
  await advanceClosures(db, { now: over });
  expect(await mails()).toEqual(["closure-requested", "closure-bank-details"]);
  expect(await pay(600)).toEqual({ outcome: "no-payee" });
  await change(payee, over);
  expect(await pay(600, new Date(over.getTime() + HOLD_MS))).toMatchObject({
    outcome: "paid",
    paidPence: 600,
    isClosed: true,
  });
  expect((await closure()).state).toBe("closed");
});

test("C4 R1 concurrent closures and reports neither deadlock nor lose a penny", async () => {
  for (let round = 0; round < 10; round++) {
    const { memberId, earn, request, closure, pay } = await open();
    await earn("payable");
    const later = [await earn("pending"), await earn("pending")];
    await request({ pendingChoice: "give-up" });
    const paidFor = { status: "approved", paidToPublisher: true } as const;
    await Promise.all([advanceClosures(db, { now: over }), later[0]?.(paidFor, 5), earn("payable")]);
    await advanceClosures(db, { now: over });
    const { member_payable } = await findMemberBalances(db, { memberId });
    await Promise.all([
      pay(member_payable),
      pay(member_payable),
      later[1]?.(paidFor, 5),
      settleLateCashback(db, { now: over }),
    ]);
    if ((await closure()).state === "awaiting_payout")
      await pay((await findMemberBalances(db, { memberId })).member_payable);
    await settleLateCashback(db, { now: over });
    const { paid_pence, given_up_pence, state } = await closure();
    expect(state).toBe("closed");
    expect((paid_pence ?? 0) + given_up_pence).toBe(2400);
  }
  await booksAreRight();
});

test("M5 money that is given up, or arrives after leaving, goes to the club and is counted", async () => {
  const { memberId, earn, request, closure } = await open();
  const before = await findBalance(db, { account: { kind: "club_given_up" } });
  const later = await earn("pending");
  await earn("payable");
  await request({ pendingChoice: "give-up", payableChoice: "give-up" });
  await advanceClosures(db, { now: over });
  expect(await closure()).toMatchObject({ state: "closed", given_up_pence: 600, payee: null });
  await later({ status: "approved", paidToPublisher: true }, 5);
  await settleLateCashback(db, { now: over });
  await settleLateCashback(db, { now: over });
  expect((await closure()).given_up_pence).toBe(1200);
  expect((await findBalance(db, { account: { kind: "club_given_up" } })) - before).toBe(1200);
  expect(await findMemberBalances(db, { memberId })).toMatchObject({ member_payable: 0, member_paid: 0 });
  await booksAreRight();
});

test("M5 closing erases the person: sessions end, nothing signs in, the address is free, and only the last mail is sent", async () => {
  const { brandId, memberId, email, request, mails } = await open();
  await db
    .insertInto("member_sessions")
    .values({ id: newId(), brand_id: brandId, member_id: memberId, token: newId(), expires_at: daysAfter(now, 30) })
    .execute();
  await db
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: brandId,
      member_id: memberId,
      account_id: memberId,
      provider_id: "credential",
      password: "x",
    })
    .execute();
  await request();
  await advanceClosures(db, { now: over });
  const member = await db.selectFrom("members").selectAll().where("id", "=", memberId).executeTakeFirstOrThrow();
  expect(JSON.stringify(member)).not.toMatch(/Robin/);
  expect(member).toMatchObject({ verification: "unverified", closed_at: over, email_verified: false });
  for (const table of ["member_sessions", "member_credentials", "member_emails"] as const)
    expect(await db.selectFrom(table).select("id").where("member_id", "=", memberId).execute(), table).toEqual([]);
  expect(await mails()).toEqual(["closure-done"]);
  await expect(
    insertVerifiedMember(db, { brandId, email }),
    "a new registration with the same address",
  ).resolves.toBeTruthy();
  await db
    .updateTable("mails")
    .set({ state: "sent", next_try_at: null, settled_at: over })
    .where("member_id", "=", memberId)
    .execute();
  await finishClosures(db, { now: over });
  expect(await mails(), "the last mail is forgotten once it is sent").toEqual([]);
});

test("M5 an account that can't be closed holds up nobody else's, at any step, and is reported by its member's id", async () => {
  const [broken, other] = [await open(), await open()];
  const late = await Promise.all([broken, other].map(({ earn }) => earn("pending")));
  for (const { request } of [broken, other]) await request({ pendingChoice: "give-up" });
  /** Runs the step while this one row of the broken account can't be written. */
  const fails = async (step: () => Promise<number>, allowed: string) => {
    await sql
      .raw(
        `alter table closures add constraint broken check (member_id <> '${broken.memberId}' or ${allowed}) not valid`,
      )
      .execute(db);
    const error = await step().catch((thrown: unknown) => thrown);
    await sql`alter table closures drop constraint broken`.execute(db);
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual([
      `Error: The closure of member ${broken.memberId} failed.`,
    ]);
  };
  await fails(() => advanceClosures(db, { now: over }), "state = 'requested'");
  expect([(await broken.closure()).state, (await other.closure()).state]).toEqual(["requested", "closed"]);
  await advanceClosures(db, { now: over });
  for (const report of late) await report({ status: "approved", paidToPublisher: true }, 5);
  await fails(() => settleLateCashback(db, { now: over }), "given_up_pence = 0");
  expect([(await broken.closure()).given_up_pence, (await other.closure()).given_up_pence]).toEqual([0, 600]);
  await settleLateCashback(db, { now: over });
  const ids = [broken.memberId, other.memberId];
  const sent = { state: "sent", next_try_at: null, settled_at: over };
  await db.updateTable("mails").set(sent).where("member_id", "in", ids).execute();
  await fails(() => finishClosures(db, { now: over }), "erased_at is null");
  expect([(await broken.closure()).erased_at, (await other.closure()).erased_at]).toEqual([null, over]);
  await finishClosures(db, { now: over });
  await booksAreRight();
});

test("M5 the database refuses every transition that the rules do not have", async () => {
  const states = Object.keys(CLOSURE_TRANSITIONS) as (keyof typeof CLOSURE_TRANSITIONS)[];
  for (const from of states)
    for (const to of states.filter(
      (state) => state !== from && !(CLOSURE_TRANSITIONS[from] as readonly string[]).includes(state),
    )) {
      const { request, closure } = await open();
      await request();
      const move = async (state: string) => {
        const { id, version } = await closure();
        const stamps = {
          due_at: now,
          ...(state === "closed" ? { closed_at: now } : {}),
          ...(state === "cancelled" ? { cancelled_at: now } : {}),
        };
        await db
          .updateTable("closures")
          .set({ state, version: version + 1, ...stamps })
          .where("id", "=", id)
          .execute();
      };
      if (from !== "requested") await move(from);
      await expect(move(to), `${from} to ${to}`).rejects.toThrow(/cannot go/);
    }
});

test("C4 the books balance for any order of reports and closures, and earned money is paid, given up or still there", async () => {
  const word = fc.record({
    says: fc.constantFrom("pending", "approved", "paid", "declined"),
    which: fc.nat(5),
    pounds: fc.integer({ min: 0, max: 300 }),
  });
  const plan = fc.record({
    before: fc.array(word, { maxLength: 6 }),
    during: fc.array(word, { maxLength: 4 }),
    after: fc.array(word, { maxLength: 4 }),
    pendingChoice: fc.constantFrom("wait" as const, "give-up" as const),
    payableChoice: fc.constantFrom("pay-out" as const, "give-up" as const),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ before, during, after, pendingChoice, payableChoice }) => {
      const { memberId, club, request, closure, pay } = await open();
      const sales = new Map<number, ReturnType<typeof reportedSale>>();
      let minute = 0;
      const hear = async ({ says, which, pounds }: typeof word extends fc.Arbitrary<infer T> ? T : never) => {
        minute += 1;
        const known = sales.get(which) ?? reportedSale(club, await makeClick(db, club));
        sales.set(which, known);
        const amounts = { saleMinor: pounds * 100, commissionMinor: pounds * 8 };
        const at = new Date(known.purchasedAt.getTime() + minute * 60_000);
        await recordReportedTransaction(db, {
          networkId,
          reported: {
            ...known,
            ...amounts,
            parts: [{ groupId: "101", groupCode: "DEFAULT", ...amounts }],
            status: says === "paid" ? "approved" : (says as "pending"),
            paidToPublisher: says === "paid",
            modifiedAt: at,
            observedAt: at,
          },
          now,
        });
      };
      for (const one of before) await hear(one);
      await request({ pendingChoice, payableChoice });
      for (const one of during) await hear(one);
      await advanceClosures(db, { now: over });
      if ((await closure()).state === "awaiting_payout")
        await pay((await findMemberBalances(db, { memberId })).member_payable);
      for (const one of after) await hear(one);
      await settleLateCashback(db, { now: over });
      const { given_up_pence, paid_pence, state } = await closure();
      const balances = await findMemberBalances(db, { memberId });
      const earned = await db
        .selectFrom("cashback_entries")
        .select(({ fn }) => fn.sum<number | null>("cashback_pence").as("pence"))
        .where("member_id", "=", memberId)
        .where("state", "in", ["payable", "paid"])
        .executeTakeFirstOrThrow();
      expect(Number(earned.pence ?? 0)).toBe((paid_pence ?? 0) + given_up_pence + balances.member_payable);
      expect(balances.member_paid).toBe(paid_pence ?? 0);
      if (state === "closed") expect(balances.member_payable).toBeLessThanOrEqual(0);
      await booksAreRight();
    }),
    { numRuns: 30 },
  );
});

test("M5 a closed account counts as erased only when its last mail is sent, whose address is kept until then", async () => {
  const { request, closure, mails } = await open();
  await request();
  await advanceClosures(db, { now: over });
  const { member_id: memberId } = await closure();
  await finishClosures(db, { now: daysAfter(over, 1) });
  expect(await closure()).toMatchObject({ state: "closed", erased_at: null });
  expect(await mails()).toEqual(["closure-done"]);
  await db
    .updateTable("mails")
    .set({ state: "sent", next_try_at: null, settled_at: over })
    .where("member_id", "=", memberId)
    .execute();
  await finishClosures(db, { now: daysAfter(over, 2) });
  expect((await closure()).erased_at).toEqual(daysAfter(over, 2));
  expect(await mails()).toEqual([]);
});
