import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sumPence } from "../money/money.ts";
import { supersedes, type NetworkStatus } from "../networks/network-transaction.ts";
import { DECLINE_REASONS } from "../networks/decline-reason.ts";
import type { CashbackState } from "./cashback-view.ts";
import { workOutCashback, type Sale } from "./earnings.ts";
import {
  canGo,
  CASHBACK_TRANSITIONS,
  INITIAL_STATES,
  planCashback,
  positionLegs,
  type CashbackNow,
  type CashbackTarget,
} from "./rules.ts";
import { explainEntry } from "./timeline.ts";

const STATES = Object.keys(CASHBACK_TRANSITIONS) as CashbackState[];

describe("C3 the lifecycle", () => {
  test("C3 every state can be reached, and every transition leads to a known state", () => {
    const reached = new Set<CashbackState>(Object.values(INITIAL_STATES));
    for (const state of reached) for (const next of CASHBACK_TRANSITIONS[state]) reached.add(next);
    expect([...reached].sort()).toEqual([...STATES].sort());
  });

  test("C3 every state leads to paid or declined", () => {
    const ends = (state: CashbackState, seen: CashbackState[] = []): boolean =>
      state === "paid" ||
      state === "declined" ||
      (!seen.includes(state) && CASHBACK_TRANSITIONS[state].some((next) => ends(next, [...seen, state])));
    expect(STATES.filter((state) => !ends(state))).toEqual([]);
  });

  test("C3 canGo allows each transition of the table, and no other", () => {
    for (const from of STATES)
      expect(STATES.filter((to) => canGo(from, to))).toEqual(
        STATES.filter((to) => (CASHBACK_TRANSITIONS[from] as readonly CashbackState[]).includes(to)),
      );
    expect(canGo("payable", "paid")).toBe(true);
    expect(canGo("paid", "declined")).toBe(false);
    expect(canGo("payable", "declined")).toBe(false);
  });

  test.each([
    ["tracked", "member_tracked", "network_expected", "club_expected"],
    ["confirmed", "member_confirmed", "network_approved", "club_approved"],
    ["payable", "member_payable", "network_received", "club_earned"],
    ["paid", "member_paid", "network_received", "club_earned"],
  ] as const)("C4 %s money is on %s, %s and %s", (state, member, network, club) => {
    const owners = { memberId: "m", networkId: "n" };
    expect(positionLegs({ state, cashbackPence: 600, commissionPence: 850 }, owners)).toEqual([
      { account: { kind: member, memberId: "m" }, amountPence: 600 },
      { account: { kind: network, networkId: "n" }, amountPence: -850 },
      { account: { kind: club }, amountPence: 250 },
    ]);
    expect(positionLegs({ state: "declined", cashbackPence: 600, commissionPence: 850 }, owners)).toEqual([]);
  });

  test("C4 the legs of every position balance", () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), fc.integer(), fc.integer(), (state, cashbackPence, commissionPence) => {
        expect(
          sumPence(
            positionLegs({ state, cashbackPence, commissionPence }, { memberId: "m", networkId: "n" }).map(
              (leg) => leg.amountPence,
            ),
          ),
        ).toBe(0);
      }),
    );
  });
});

describe("C3 steps planned for a revision", () => {
  const amounts = { salePence: 10_000, cashbackPence: 600, commissionPence: 800 };
  const none = { salePence: 0, cashbackPence: 0, commissionPence: 0 };
  const target = (changes: Partial<CashbackTarget> = {}): CashbackTarget => ({
    ...amounts,
    status: "pending",
    paidToPublisher: false,
    reason: null,
    ...changes,
  });
  const entry = (state: CashbackState, changes: Partial<CashbackNow> = {}): CashbackNow => ({
    ...amounts,
    state,
    reason: null,
    ...changes,
  });
  const steps = (...args: Parameters<typeof planCashback>) =>
    planCashback(...args).map((step) => `${step.change} ${step.state} ${step.cashbackPence}`);

  test.each<[string, CashbackNow | null, Partial<CashbackTarget>, string[]]>([
    ["a new purchase is tracked", null, {}, ["tracked tracked 600"]],
    [
      "a purchase that is first seen as approved and paid becomes payable",
      null,
      { status: "approved", paidToPublisher: true },
      ["tracked tracked 600", "confirmed confirmed 600", "payable payable 600"],
    ],
    [
      "a purchase that is first seen as declined is shown with its reason",
      null,
      { status: "declined", reason: "returned" },
      ["tracked tracked 600", "declined declined 600"],
    ],
    ["a purchase that is first seen as deleted is ignored", null, { status: "deleted" }, []],
    ["an identical revision changes nothing", entry("tracked"), {}, []],
    [
      "a smaller basket is amended",
      entry("tracked"),
      { salePence: 5_000, cashbackPence: 300, commissionPence: 400 },
      ["amended tracked 300"],
    ],
    [
      "an approval can come with another amount",
      entry("tracked"),
      { status: "approved", cashbackPence: 300 },
      ["amended tracked 300", "confirmed confirmed 300"],
    ],
    ["a confirmed purchase does not become tracked again", entry("confirmed"), { status: "pending" }, []],
    [
      "a confirmed purchase can still be declined",
      entry("confirmed"),
      { status: "declined" },
      ["declined declined 600"],
    ],
    ["deleted is declined", entry("tracked"), { status: "deleted" }, ["declined declined 600"]],
    [
      "a declined purchase can be reinstated",
      entry("declined", { reason: "returned" }),
      { status: "approved" },
      ["reinstated tracked 600", "confirmed confirmed 600"],
    ],
    [
      "a reason that arrives later is stored",
      entry("declined", { reason: "not_given" }),
      { status: "declined", reason: "returned" },
      ["amended declined 600"],
    ],
    [
      "a decline after payable becomes a correction",
      entry("payable"),
      { status: "declined" },
      ["corrected payable -600"],
    ],
    ["a decline after paid becomes a correction", entry("paid"), { status: "declined" }, ["corrected payable -600"]],
    [
      "an increase after payable is added once the network has paid it",
      entry("payable"),
      { status: "approved", paidToPublisher: true, cashbackPence: 750 },
      ["corrected payable 150"],
    ],
    [
      "an increase after payable waits for the network's payment",
      entry("payable"),
      { status: "approved", cashbackPence: 750 },
      [],
    ],
    [
      "an increase after payable waits for the network's approval",
      entry("paid"),
      { status: "pending", paidToPublisher: true, cashbackPence: 750 },
      [],
    ],
    [
      "a decrease after payable is taken back at once",
      entry("payable"),
      { status: "pending", cashbackPence: 450 },
      ["corrected payable -150"],
    ],
    [
      "an identical revision after payable changes nothing",
      entry("paid"),
      { status: "approved", paidToPublisher: true },
      [],
    ],
  ])("C3 %s", (_, now, changes, wanted) => expect(steps(now, none, target(changes))).toEqual(wanted));

  // Three figures that nothing derives from each other: what is taken from the wrong one shows.
  const [one, two, three] = [7_000, 330, 41];
  const figures = (salePence: number, cashbackPence: number, commissionPence: number) => ({
    ...{ salePence, cashbackPence, commissionPence },
  });
  const own = figures(one, two, three);
  test.each<[string, CashbackNow | null, Partial<typeof none>, Partial<CashbackTarget>, object[]]>([
    [
      "a pending revision has no reason",
      null,
      {},
      { ...own },
      [{ change: "tracked", state: "tracked", ...own, reason: null }],
    ],
    [
      "a declined transaction that is new is tracked without a reason and declined with it",
      null,
      {},
      { ...own, status: "declined", reason: "returned" },
      [
        { change: "tracked", state: "tracked", ...own, reason: null },
        { change: "declined", state: "declined", ...own, reason: "returned" },
      ],
    ],
    [
      "a first revision with a reason for being pending keeps it",
      null,
      {},
      { ...own, reason: "amended" },
      [{ change: "tracked", state: "tracked", ...own, reason: "amended" }],
    ],
    [
      "a decline keeps the promised amounts, and says if no reason was given",
      entry("confirmed", own),
      {},
      { ...figures(1, 2, 3), status: "declined" },
      [{ change: "declined", state: "declined", ...own, reason: "not_given" }],
    ],
    ...(["salePence", "cashbackPence", "commissionPence"] as const).map(
      (figure): [string, CashbackNow, Partial<typeof none>, Partial<CashbackTarget>, object[]] => [
        `an amended ${figure} alone is an amendment, with its reason`,
        entry("confirmed", own),
        {},
        { ...own, [figure]: own[figure] + 5, status: "approved" },
        [{ change: "amended", state: "confirmed", ...own, [figure]: own[figure] + 5, reason: "amended" }],
      ],
    ),
    [
      "tracked and then approved is confirmed, tracked or amended before",
      entry("tracked", own),
      {},
      { ...own, status: "approved" },
      [{ change: "confirmed", state: "confirmed", ...own, reason: null }],
    ],
    [
      "confirmed and paid by the network is payable",
      entry("confirmed", own),
      {},
      { ...own, status: "approved", paidToPublisher: true },
      [{ change: "payable", state: "payable", ...own, reason: null }],
    ],
    [
      "a pending purchase that the network has paid waits for approval",
      entry("tracked", own),
      {},
      { ...own, paidToPublisher: true },
      [],
    ],
    [
      "a correction is the difference, computed for each figure separately",
      entry("paid", own),
      figures(100, 10, 1),
      { ...figures(8_000, 400, 50), status: "approved", paidToPublisher: true },
      [{ change: "corrected", state: "payable", ...figures(900, 60, 8), reason: "amended" }],
    ],
    [
      "a higher commission alone waits for the network's payment",
      entry("payable", own),
      {},
      { ...own, commissionPence: 42, status: "approved" },
      [],
    ],
    [
      "a correction of the commission alone",
      entry("payable", own),
      {},
      { ...own, commissionPence: 40, status: "approved" },
      [{ change: "corrected", state: "payable", ...figures(0, 0, -1), reason: "amended" }],
    ],
    [
      "a correction of the cashback alone",
      entry("payable", own),
      {},
      { ...own, cashbackPence: 300, status: "approved" },
      [{ change: "corrected", state: "payable", ...figures(0, -30, 0), reason: "amended" }],
    ],
    ["a changed sale that moves no money is not a correction", entry("paid", own), {}, { ...own, salePence: 1 }, []],
    [
      "a decline takes back the rest, with its reason",
      entry("paid", own),
      figures(100, 10, 1),
      { ...own, status: "deleted", reason: "returned" },
      [{ change: "corrected", state: "payable", ...figures(-7_100, -340, -42), reason: "returned" }],
    ],
    [
      "a decline without a reason says that none was given",
      entry("payable", own),
      {},
      { ...own, status: "declined" },
      [{ change: "corrected", state: "payable", ...figures(-one, -two, -three), reason: "not_given" }],
    ],
  ])("C3 %s", (_, now, corrected, changes, planned) => {
    expect(planCashback(now, { ...none, ...corrected }, target(changes))).toEqual(planned);
  });

  test("C3 a correction is made once, and reversed when the retailer changes its mind again", () => {
    const taken = { salePence: -10_000, cashbackPence: -600, commissionPence: -800 };
    expect(steps(entry("paid"), taken, target({ status: "declined" }))).toEqual([]);
    expect(steps(entry("paid"), taken, target({ status: "approved" }))).toEqual([]);
    expect(steps(entry("paid"), taken, target({ status: "approved", paidToPublisher: true }))).toEqual([
      "corrected payable 600",
    ]);
  });

  test("C3 every planned step is a transition of the lifecycle, and planning again returns no step", () => {
    const amount = fc.integer({ min: 0, max: 10_000 });
    const targets = fc.record({
      status: fc.constantFrom<NetworkStatus>("pending", "approved", "declined", "deleted"),
      paidToPublisher: fc.boolean(),
      reason: fc.constantFrom(null, "returned" as const),
      salePence: amount,
      cashbackPence: amount,
      commissionPence: amount,
    });
    fc.assert(
      fc.property(fc.array(targets, { minLength: 1, maxLength: 8 }), (words) => {
        let now: CashbackNow | null = null;
        const corrected = { ...none };
        const apply = (word: CashbackTarget) => {
          const planned = planCashback(now, corrected, word);
          for (const step of planned) {
            if (step.change === "corrected")
              for (const key of ["salePence", "cashbackPence", "commissionPence"] as const) corrected[key] += step[key];
            else {
              const from: CashbackState | undefined = now?.state;
              if (from === undefined) expect(step.state).toBe(INITIAL_STATES.purchase);
              else if (from !== step.state) expect(CASHBACK_TRANSITIONS[from]).toContain(step.state);
              now = { ...step };
            }
          }
          return planned.length;
        };
        for (const word of words) {
          apply(word);
          expect(apply(word)).toBe(0);
        }
      }),
    );
  });
});

describe("C5 what a purchase earns", () => {
  const percent = (groupId: string, rateBp: number, capPence: number | null = null) => ({
    kind: "percent" as const,
    groupId,
    label: "",
    basis: "",
    capPence,
    boostedUntil: null,
    rateBp,
    usualBp: rateBp,
  });
  const fixed = (groupId: string, ratePence: number) => ({
    kind: "fixed" as const,
    groupId,
    label: "",
    basis: "",
    capPence: null,
    boostedUntil: null,
    ratePence,
    usualPence: ratePence,
  });
  const part = (groupId: string | null, saleMinor: number, commissionMinor: number) => ({
    groupId,
    groupCode: null,
    saleMinor,
    commissionMinor,
  });
  const sale = (parts: Sale["parts"], currency = "GBP"): Sale => ({
    currency,
    parts,
    saleMinor: parts.reduce((sum, one) => sum + one.saleMinor, 0),
    commissionMinor: parts.reduce((sum, one) => sum + one.commissionMinor, 0),
  });
  const earn = (one: Sale, rates: Parameters<typeof workOutCashback>[1]["rates"], exchangeRate = 1_000_000) =>
    workOutCashback(one, { rates, memberShareBp: 7_500 }, exchangeRate).cashbackPence;

  test.each<[string, number, number]>([
    [
      "each part earns its group's rate",
      earn(sale([part("1", 10_000, 800), part("2", 5_000, 100)]), [percent("1", 600), percent("2", 150)]),
      675,
    ],
    [
      "a cap counts once for a group, however many parts",
      earn(sale([part("1", 50_000, 900), part("1", 50_000, 900)]), [percent("1", 600, 2_000)]),
      2_000,
    ],
    [
      "a fixed amount counts once",
      earn(sale([part("1", 3_000, 500), part("1", 4_000, 500)]), [fixed("1", 2_500)]),
      2_500,
    ],
    [
      "a group without a rate at the click earns the member's share of its commission",
      earn(sale([part("new", 10_000, 800)]), [percent("1", 600)]),
      600,
    ],
    [
      "without parts, a single rate applies",
      earn({ currency: "GBP", saleMinor: 10_000, commissionMinor: 800, parts: [] }, [percent("1", 600)]),
      600,
    ],
    [
      "without parts, none of several rates can be chosen",
      earn({ currency: "GBP", saleMinor: 10_000, commissionMinor: 800, parts: [] }, [
        percent("1", 600),
        percent("2", 100),
      ]),
      600,
    ],
    ["no commission, no cashback yet", earn(sale([part("1", 10_000, 0)]), [percent("1", 600)]), 0],
    ["fractions of a penny are not paid", earn(sale([part("1", 9_999, 800)]), [percent("1", 750)]), 749],
    [
      "euros are paid in pounds at the stored rate",
      earn(sale([part("1", 10_000, 800)], "EUR"), [percent("1", 600)], 855_000),
      513,
    ],
    ["a refund earns zero, never less", earn(sale([part("1", -10_000, 1)]), [percent("1", 600)]), 0],
  ])("C5 %s", (_, earned, wanted) => expect(earned).toBe(wanted));
});

describe("C3 order of revisions and reasons", () => {
  test("C3 of any two revisions exactly one supersedes the other, in either order", () => {
    const revision = fc.record({
      modifiedAt: fc.constantFrom(new Date(1_000), new Date(2_000)),
      observedAt: fc.constantFrom(new Date(3_000), new Date(4_000)),
      status: fc.constantFrom<NetworkStatus>("pending", "approved", "declined", "deleted"),
      hash: fc.constantFrom("a", "b", "c"),
    });
    fc.assert(
      fc.property(revision, revision, (a, b) => {
        const same =
          a.modifiedAt.getTime() === b.modifiedAt.getTime() &&
          a.observedAt.getTime() === b.observedAt.getTime() &&
          a.hash === b.hash &&
          (a.status === b.status ||
            (a.status !== "deleted" && a.status !== "pending" && b.status !== "deleted" && b.status !== "pending"));
        expect(Number(supersedes(a, b)) + Number(supersedes(b, a))).toBe(same ? 0 : 1);
      }),
    );
  });

  test("C3 a declined purchase always has a sentence with the reason", () => {
    for (const reasonCode of [...Object.keys(DECLINE_REASONS), null, "something new"]) {
      expect(
        explainEntry({
          state: "declined",
          isCorrection: false,
          isOverdue: false,
          reasonCode,
          confirmsAfter: "purchase",
        }),
      ).toMatch(/^The retailer .+\.$/);
    }
    expect(
      explainEntry({
        state: "tracked",
        isCorrection: false,
        isOverdue: false,
        reasonCode: null,
        confirmsAfter: "travel",
      }),
    ).toMatch(/travelled/);
    expect(
      explainEntry({
        state: "tracked",
        isCorrection: false,
        isOverdue: true,
        reasonCode: null,
        confirmsAfter: "purchase",
      }),
    ).toMatch(/longer than usual/);
    expect(
      explainEntry({ state: "paid", isCorrection: false, isOverdue: true, reasonCode: null, confirmsAfter: "stay" }),
    ).toBeNull();
  });
});
