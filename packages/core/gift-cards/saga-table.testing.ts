import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ClubForTests } from "../cashback/cashback.testing.ts";
import { findMemberBalances } from "../ledger/balances.server.ts";
import type { DisputeState } from "../payments/dispute-rules.ts";
import { CardProviderUnavailableError } from "../payments/provider.ts";
import { earn, signIn } from "../payouts/payouts.testing.ts";
import { requestGiftCard } from "./take-cashback.server.ts";
import { readPayment } from "../payments/read-payment.server.ts";
import { settleOverduePayment } from "../payments/overdue-payments.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { advanceLine, type SagaParts } from "./advance-line.server.ts";
import { openCard } from "./card-seal.ts";
import { dueLines } from "./due-lines.server.ts";
import { IssuerUnavailableError } from "./issuer.ts";
import { memoryCards, type MemoryCards } from "./memory-cards.testing.ts";
import { memoryIssuer, product, type MemoryIssuer } from "./memory-issuer.testing.ts";
import { payOrder, placeOrder, type PlacedOrder } from "./place-order.server.ts";
import { resolveLine } from "./resolve-line.server.ts";
import type { LineState } from "./rules.ts";
import { faulty, Killed, type FaultAt, type Service } from "./saga-faults.testing.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

export const sagaKeys = ["a key of tests that is long enough"] as const;
const HOUR_MS = 3_600_000;
const LEASE_MS = 120_000;
/** Far beyond every deadline of the saga. */
const END_MS = 20 * 24 * HOUR_MS;

export interface World {
  db: Db;
  partner: { id: string; name: string; publicId: string };
  member: { id: string; brandId: string };
  /** Where members earn the cashback that they take as gift cards. */
  club: ClubForTests;
}

export interface Scenario {
  name: string;
  /** Face values, by product of the issuer. */
  cards: readonly [productId: string, facePence: number][];
  isMember?: boolean;
  /** The member pays with cashback: there is no card payment, and the money goes back into the balance. */
  isPayout?: boolean;
  /** What happens before the order is paid, or after the lines are paid. */
  beforePaying?: (world: MemoryIssuer) => void;
  /** Runs whenever the clock moves; `hours` since the order was paid. */
  asTimePasses?: (world: MemoryIssuer, hours: number) => void;
  /** The buyer never pays. */
  isUnpaid?: boolean;
  /** What the buyer's bank does after the order is paid: hours since, and the dispute's state from then on. */
  disputes?: readonly [hours: number, state: DisputeState][];
  /** What an operator does with held lines, once. */
  resolves?: "issue" | "refund";
  /** What each line may become; by default a card or a refund. */
  ends?: readonly LineState[];
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "two cards",
    cards: [
      ["fixed", 2500],
      ["fixed", 1000],
    ],
  },
  { name: "a member's card with cashback", cards: [["cashback", 2500]], isMember: true },
  {
    name: "one of two is out of stock at payment",
    cards: [
      ["fixed", 2500],
      ["other", 1000],
    ],
    beforePaying: (world) => void world.refusals.set("other", "out-of-stock"),
  },
  {
    name: "the stock check lies",
    cards: [["other", 1000]],
    beforePaying(world) {
      world.stockLies = true;
      world.refusals.set("other", "out-of-stock");
    },
  },
  {
    name: "the amount is gone at the issuer",
    cards: [["other", 1000]],
    beforePaying(world) {
      world.stockLies = true;
      world.products.set("other", product("other", { amounts: { kind: "fixed", amountsPence: [5000] } }));
    },
  },
  {
    name: "the float is empty for an hour",
    cards: [["fixed", 2500]],
    beforePaying: (world) => void (world.floatPence = 0),
    asTimePasses: (world, hours) => void (world.floatPence = hours >= 1 ? 10_000_000 : 0),
  },
  { name: "the float stays empty", cards: [["fixed", 2500]], beforePaying: (world) => void (world.floatPence = 0) },
  {
    name: "an order that is pending for three hours",
    cards: [["fixed", 2500]],
    beforePaying: (world) => void (world.pendingMs = 3 * HOUR_MS),
  },
  {
    name: "an order that is pending for 30 hours",
    cards: [["fixed", 2500]],
    beforePaying: (world) => void (world.pendingMs = 30 * HOUR_MS),
  },
  {
    name: "a pending card that can't be reversed",
    cards: [["final", 1000]],
    beforePaying: (world) => void (world.pendingMs = 30 * HOUR_MS),
  },
  {
    name: "held and released",
    cards: [["large", 25_000]],
    resolves: "issue",
  },
  {
    name: "held and refused",
    cards: [["large", 25_000]],
    resolves: "refund",
  },
  {
    name: "disputed while the card is pending, and lost",
    cards: [["fixed", 2500]],
    beforePaying: (world) => void (world.pendingMs = 30 * HOUR_MS),
    disputes: [
      [0.5, "needs_response"],
      [200, "lost"],
    ],
    ends: ["issued", "refunded", "charged_back"],
  },
  {
    name: "disputed while held, and lost",
    cards: [["large", 25_000]],
    disputes: [
      [10, "needs_response"],
      [100, "lost"],
    ],
    ends: ["refunded", "charged_back"],
  },
  {
    name: "disputed while held, and won",
    cards: [["large", 25_000]],
    disputes: [
      [10, "needs_response"],
      [100, "won"],
    ],
    ends: ["refunded"],
  },
  {
    name: "disputed after the card, and lost",
    cards: [["cashback", 2500]],
    isMember: true,
    disputes: [[60, "lost"]],
    // With a fault, the line may still be on its way when the dispute is lost, or be refunded before it is opened.
    ends: ["issued", "refunded", "charged_back"],
  },
  { name: "cashback as a card", cards: [["cashback", 2500]], isMember: true, isPayout: true },
  {
    name: "cashback as a card that is out of stock after all",
    cards: [["other", 1000]],
    isMember: true,
    isPayout: true,
    beforePaying(world) {
      world.stockLies = true;
      world.refusals.set("other", "out-of-stock");
    },
    ends: ["refunded"],
  },
  {
    name: "cashback as a card that is pending for 30 hours",
    cards: [["fixed", 2500]],
    isMember: true,
    isPayout: true,
    beforePaying: (world) => void (world.pendingMs = 30 * HOUR_MS),
  },
  {
    name: "cashback as a pending card that can't be reversed",
    cards: [["final", 1000]],
    isMember: true,
    isPayout: true,
    beforePaying: (world) => void (world.pendingMs = 30 * HOUR_MS),
  },
  {
    name: "cashback as a card while the float stays empty",
    cards: [["fixed", 2500]],
    isMember: true,
    isPayout: true,
    beforePaying: (world) => void (world.floatPence = 0),
  },
  {
    name: "cashback as a card that is held and refused",
    cards: [["large", 25_000]],
    isMember: true,
    isPayout: true,
    resolves: "refund",
    ends: ["refunded"],
  },
  { name: "never paid", cards: [["fixed", 2500]], isUnpaid: true, ends: ["cancelled"] },
];

export interface Outcome {
  calls: Service[];
  states: LineState[];
  /** Sentences; empty where there is one card or one refund per line, and nothing else. */
  faults: string[];
  /** Cards that nobody got and we paid for. */
  lost: number;
}

/** Adds the products that the scenarios sell. */
export async function addProducts(db: Db): Promise<void> {
  const { issuer } = openIssuer(() => new Date());
  await syncCatalogue(db, issuer, { now: new Date("2026-11-20T09:00:00Z") });
  await sql`update gift_card_products set reward_kind = 'cashback', fee_pence = 50 where issuer_product_id = 'cashback'`.execute(
    db,
  );
}

function openIssuer(now: () => Date): MemoryIssuer {
  const products = [
    product("fixed"),
    product("other"),
    product("cashback"),
    product("large", { amounts: { kind: "fixed", amountsPence: [25_000] } }),
    product("final", { isReversible: false }),
  ];
  return memoryIssuer(products, now);
}

/** Runs one order from the checkout to the end of its saga, with at most one fault. */
export async function runCell(world: World, scenario: Scenario, plan: FaultAt | null): Promise<Outcome> {
  const { db } = world;
  const start = new Date("2026-11-20T10:00:00Z").getTime();
  let at = start;
  const now = () => new Date(at);
  const memory = openIssuer(now);
  const cards = memoryCards(now);
  const calls: Service[] = [];
  const services = faulty(
    { calls, plan, now, meanwhile: () => finish(false) },
    { db, issuer: memory.issuer, cards: cards.provider },
  );
  const accounts = { live: services.cards, test: services.cards };
  const parts: SagaParts = {
    db: services.db,
    issuers: new Map([["memory", services.issuer]]),
    cards: accounts,
    keys: sagaKeys,
    now,
  };
  const session = {
    id: newId(),
    partner: { ...world.partner },
    reference: null,
    mode: "live" as const,
    price: null,
  };
  await insertSession(db, session.id, world.partner.id);

  const { rows: products } = await sql<{ id: string; publicId: string }>`
    select issuer_product_id as id, public_id as "publicId" from gift_card_products`.execute(db);
  const publicIds = new Map(products.map(({ id, publicId }) => [id, publicId]));
  const order = {
    session,
    member: scenario.isMember ? world.member : null,
    buyerMark: randomBytes(32),
    email: "visitor@example.org",
    cards: scenario.cards.map(([id, facePence]) => ({ productPublicId: publicIds.get(id) ?? "", facePence })),
    idempotencyKey: newId(),
  };
  let placed: PlacedOrder | null = null;
  let orderId = "";
  let hasPaid = false;
  let paidIntent = "";
  const disputes = [...(scenario.disputes ?? [])];
  let hasResolved = false;

  /** The buyer and the provider's webhooks: whatever fails is done again, as a page and a webhook are. */
  async function again<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isExpected(error) || tries > 2000) throw error;
        at += 10 * 60_000;
      }
    }
  }

  /** Does what the buyer's bank does until now, and what the provider's webhooks make of it. */
  async function disputeUntilNow(): Promise<boolean> {
    const [next] = disputes;
    if (!next || paidIntent === "" || at < start + next[0] * HOUR_MS) return false;
    disputes.shift();
    // Banks open no dispute of what was given back.
    if (!cards.disputes.has(paidIntent) && (cards.payments.get(paidIntent)?.refundedPence ?? 0) > 0) return true;
    cards.dispute(paidIntent, next[1]);
    await again(() =>
      readPayment(parts.db, services.cards, { providerPaymentId: paidIntent, about: "dispute", now: now() }),
    );
    return true;
  }

  /** Runs workers until nothing is due for the rest of time. */
  async function finish(isMain: boolean): Promise<void> {
    if (orderId === "") return;
    while (at < start + END_MS) {
      scenario.asTimePasses?.(memory, (at - start) / HOUR_MS);
      if (await disputeUntilNow()) continue;
      if (isMain && !hasPaid && !scenario.isUnpaid) await endLeftPayment();
      const mine = sql`work.order_id = ${orderId}`;
      const due = await dueLines.claim(db, { now: now(), leaseMs: LEASE_MS, max: 10 }, mine);
      for (const lease of due) {
        try {
          const step = await advanceLine(parts, lease.id);
          if (step.outcome === "waiting") await dueLines.fail(db, lease, { now: now(), error: step.why });
          if (step.outcome === "over") await dueLines.settle(db, lease, { next_step_at: null });
        } catch (error) {
          if (!isExpected(error)) throw error;
          // A killed worker leaves its lease behind.
          if (!(error instanceof Killed)) await dueLines.fail(db, lease, { now: now(), error: String(error) });
        }
      }
      if (due.length > 0) continue;
      const held = scenario.resolves && !hasResolved ? await heldLines(db, orderId) : [];
      if (held.length > 0 && scenario.resolves) {
        hasResolved = true;
        for (const publicId of held)
          await resolveLine(db, { publicId, decision: scenario.resolves, by: "operator", now: now() });
        continue;
      }
      const next = await dueLines.nextDue(db, mine);
      const news = paidIntent === "" ? undefined : disputes[0];
      if (!next && !news) return;
      const newsAt = news ? start + news[0] * HOUR_MS : Infinity;
      at = Math.max(at + 1, Math.min(next?.getTime() ?? Infinity, newsAt));
      // The late call's own lease is the last that ends: it must not wait for itself.
      if (!isMain && at > start + 6 * 24 * HOUR_MS) return;
    }
  }

  /** Ends a payment that was begun and left a day ago, as the payments' worker does. */
  async function endLeftPayment(): Promise<void> {
    const left = await db
      .selectFrom("gift_card_orders as orders")
      // As rows of the saga find it: the order may not have been told of its payment.
      .innerJoin("payments as payment", (join) =>
        join
          .onRef("payment.session_id", "=", "orders.session_id")
          .on("payment.idempotency_key", "=", sql<string>`'gift-card-' || orders.id`),
      )
      .select([
        "payment.id",
        "payment.public_id",
        "payment.provider_payment_id",
        "payment.version",
        "payment.changed_at",
      ])
      .where("orders.id", "=", orderId)
      .where("payment.state", "=", "awaiting_payment")
      .executeTakeFirst();
    if (!left?.provider_payment_id || at < left.changed_at.getTime() + 24 * HOUR_MS) return;
    const payment = {
      ...{ id: left.id, publicId: left.public_id, providerPaymentId: left.provider_payment_id, mode: "live" as const },
      ...{ version: left.version, changedAt: left.changed_at, attempts: 0, until: new Date(at + LEASE_MS) },
    };
    await again(() => settleOverduePayment(parts.db, services.cards, { payment, now: now() }));
  }

  if (scenario.isPayout) {
    const payable = await earnCashback(world);
    const request = { ...world.member, ...payable, ...order.cards[0], idempotencyKey: newId() };
    orderId = await again(() => takeCashback(parts, request));
    scenario.beforePaying?.(memory);
    await finish(true);
    const outcome = { db, orderId, memory, cards, ends: scenario.ends ?? ["issued", "refunded"] };
    return {
      calls,
      ...(await judge({ ...outcome, totalPence: 0, balance: { ...payable, memberId: world.member.id } })),
    };
  }
  placed = (await again(async () => {
    const answer = await placeOrder(parts.db, parts.issuers, { ...order, now: now() });
    if (answer.outcome === "issuer-unavailable") throw new IssuerUnavailableError("checkout");
    if (answer.outcome !== "placed") throw new Error(`The order was answered with ${answer.outcome}.`);
    return answer;
  })) as PlacedOrder;
  const row = await db
    .selectFrom("gift_card_orders")
    .select("id")
    .where("public_id", "=", placed.publicId)
    .executeTakeFirstOrThrow();
  orderId = row.id;
  const orderPublicId = placed.publicId;
  if (!scenario.isUnpaid) {
    const started = await again(() => payOrder(parts.db, services.cards, { session, orderPublicId, now: now() }));
    if (started.outcome === "started") {
      scenario.beforePaying?.(memory);
      const providerPaymentId = `pi_${started.publicId}`;
      cards.pay(providerPaymentId);
      hasPaid = true;
      paidIntent = providerPaymentId;
      await again(() => settlePayment(parts.db, services.cards, { providerPaymentId, now: now() }));
    }
  }
  await finish(true);
  return {
    calls,
    ...(await judge({
      db,
      orderId,
      memory,
      cards,
      totalPence: placed.totalPence,
      ends: hasPaid ? (scenario.ends ?? ["issued", "refunded"]) : ["cancelled"],
    })),
  };
}

/** Makes £325.20 of cashback payable to the member, with a session of theirs. */
async function earnCashback({ db, club, member }: World): Promise<{ sessionId: string; payablePence: number }> {
  for (const pounds of [20, 400, 5000]) await earn(db, { ...club, memberId: member.id }, { pounds });
  return { sessionId: await signIn(db, { brandId: member.brandId, memberId: member.id }), payablePence: 32_520 };
}

/** Takes cashback as a card, as the page does. Returns the order's id. */
async function takeCashback(
  parts: SagaParts,
  request: World["member"] & {
    sessionId: string;
    productPublicId?: string;
    facePence?: number;
    idempotencyKey: string;
  },
): Promise<string> {
  const { id: memberId, brandId, sessionId, productPublicId = "", facePence = 0, idempotencyKey } = request;
  const asked = await requestGiftCard(
    parts.db,
    { issuers: parts.issuers, keys: parts.keys },
    {
      ...{ memberId, brandId, sessionId, productPublicId, facePence, idempotencyKey },
      shownPence: 50_000,
      now: parts.now(),
    },
  );
  if (asked.outcome === "issuer-unavailable") throw new IssuerUnavailableError("checkout");
  if (asked.outcome !== "requested") throw new Error(`The request was answered with ${asked.outcome}.`);
  const { id } = await parts.db
    .selectFrom("gift_card_orders as orders")
    .innerJoin("payouts as payout", "payout.id", "orders.payout_id")
    .select("orders.id")
    .where("payout.public_id", "=", asked.publicId)
    .executeTakeFirstOrThrow();
  return id;
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof Killed ||
    error instanceof IssuerUnavailableError ||
    error instanceof CardProviderUnavailableError ||
    error instanceof DatabaseUnavailableError
  );
}

async function insertSession(db: Db, id: string, partnerId: string): Promise<void> {
  await db
    .insertInto("widget_sessions")
    .values({
      id,
      partner_id: partnerId,
      origin: "https://shop.example",
      bearer_hash: randomBytes(32),
      opened_at: new Date("2026-11-20T10:00:00Z"),
      expires_at: new Date("2026-12-20T10:00:00Z"),
    })
    .execute();
}

async function heldLines(db: Db, orderId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("gift_card_lines")
    .select("public_id")
    .where("order_id", "=", orderId)
    .where("state", "=", "held")
    .execute();
  return rows.map(({ public_id }) => public_id);
}

/** Compares the outcome of an order with what the issuer, the card provider and the ledger have. */
async function judge({
  db,
  orderId,
  memory,
  cards,
  totalPence,
  ends,
  balance = null,
}: {
  db: Db;
  orderId: string;
  memory: MemoryIssuer;
  cards: MemoryCards;
  totalPence: number;
  ends: readonly LineState[];
  /** What the member had before they paid with it; null: a card payment. */
  balance?: { memberId: string; payablePence: number } | null;
}): Promise<Omit<Outcome, "calls">> {
  const lines = await db
    .selectFrom("gift_card_lines")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("line_number")
    .execute();
  const faults: string[] = [];
  let refundedPence = 0;
  let lost = 0;
  const [dispute] = cards.disputes.values();
  for (const line of lines) {
    const about = `line ${line.line_number} (${line.state}, ${line.card_state}, ${line.last_error ?? ""})`;
    const reference = `gc-${line.public_id}`;
    const live = memory.live(reference);
    if (!ends.includes(line.state as LineState)) faults.push(`${about} is not over`);
    if (line.state === "issued") {
      if (live !== 1) faults.push(`${about} has ${live} cards`);
      const code = openCard(line.sealed_card ?? "", line.id, sagaKeys).code;
      if (code !== memory.cards.get(reference)?.code) faults.push(`${about} has another card's code`);
      if (dispute?.state === "lost" && (line.lost_to_dispute_at === null || line.cashback_state !== "none"))
        faults.push(`${about} is not noted as lost`);
    } else if (line.card_state === "lost") lost += 1;
    else if (live !== 0) faults.push(`${about} has ${live} cards beside its refund`);
    if (line.state === "refunded") refundedPence += line.price_pence + line.fee_pence;
  }
  const taken = [...cards.payments.values()].filter(({ status }) => status === "taken");
  const isPaid = lines.some(({ state }) => state !== "cancelled");
  if (taken.length !== (isPaid && !balance ? 1 : 0)) faults.push(`The buyer was charged ${taken.length} times`);
  const [payment] = taken;
  if (payment && payment.amountPence !== totalPence) faults.push(`The buyer was charged ${payment.amountPence}`);
  if (payment && dispute?.state === "lost" && payment.refundedPence > 0) faults.push("The buyer was paid twice");
  if (payment && payment.refundedPence !== refundedPence)
    faults.push(`The buyer got ${payment.refundedPence} back instead of ${refundedPence}`);
  const { rows: mails } = await sql<{ kind: string }>`
    select kind from mails where data->>'order' = (select public_id from gift_card_orders where id = ${orderId})`.execute(
    db,
  );
  for (const kind of ["gift-card-receipt", "gift-card-delay"]) {
    const count = mails.filter((mail) => mail.kind === kind).length;
    if (count > 1 || (kind === "gift-card-receipt" && count === 0 && isPaid)) faults.push(`${count} mails ${kind}`);
  }
  const { rows } = await sql<{ held: number; float: number; sum: number }>`
    select coalesce(sum(amount_pence) filter (where account_kind = 'payment_held'), 0)::bigint as held,
      coalesce(sum(amount_pence) filter (where account_kind = 'issuer_float'), 0)::bigint as float,
      coalesce(sum(amount_pence), 0)::bigint as sum
    from ledger_transfers transfer join ledger_entries entry on entry.transfer_id = transfer.id
      join ledger_accounts account on account.id = entry.account_id
    where transfer.cause_id = any(${lines.map(({ id }) => id)})
      or transfer.cause_id = (select payment_id from gift_card_orders where id = ${orderId})
      or transfer.cause_id in (select dispute.id from payment_disputes dispute
        join gift_card_orders orders on orders.payment_id = dispute.payment_id where orders.id = ${orderId})`.execute(
    db,
  );
  const { held = 0, float = 0, sum = 0 } = rows[0] ?? {};
  const cost = [...memory.cards.values()]
    .filter(({ isReversed }) => !isReversed)
    .reduce((total, one) => total + one.costPence, 0);
  if (balance) faults.push(...(await judgeBalance(db, lines, balance)));
  if (sum !== 0) faults.push(`The ledger does not balance: ${sum}`);
  if (held !== 0) faults.push(`${held} pence are still held`);
  if (float !== cost) faults.push(`The ledger has ${float} pence from the float, and the issuer took ${cost}`);
  return { states: lines.map(({ state }) => state as LineState), faults, lost };
}

/** A card that was made was taken out of the balance once; one that was not is back in it. */
async function judgeBalance(
  db: Db,
  lines: readonly {
    state: string;
    price_pence: number;
    fee_pence: number;
    cashback_pence: number;
    cashback_state: string;
  }[],
  { memberId, payablePence }: { memberId: string; payablePence: number },
): Promise<string[]> {
  const spent = lines.reduce((sum, line) => sum + (line.state === "issued" ? line.price_pence + line.fee_pence : 0), 0);
  const earned = lines.reduce((sum, line) => sum + (line.cashback_state === "payable" ? line.cashback_pence : 0), 0);
  const has = await findMemberBalances(db, { memberId });
  const wanted = { member_payable: payablePence - spent + earned, member_in_transit: 0, member_paid: spent };
  return Object.entries(wanted)
    .filter(([kind, pence]) => has[kind as keyof typeof wanted] !== pence)
    .map(([kind, pence]) => `${kind} is ${has[kind as keyof typeof wanted]} instead of ${pence}`);
}
