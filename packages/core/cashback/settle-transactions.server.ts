import type { Trx } from "@farthing/db/client.ts";
import { settleClaims } from "../claimed-orders/claimed-orders.server.ts";
import { rateSnapshotSchema, type RateSnapshot } from "../clicks/rate-snapshot.ts";
import { isDeclineReason } from "../networks/decline-reason.ts";
import type { NetworkStatus, TransactionPart } from "../networks/network-transaction.ts";
import type { StoredTransaction } from "../networks/stored-transaction.ts";
import { lockEntries, takeSteps, type CashbackEntry, type EntryChange, type NewEntry } from "./entries.server.ts";
import { workOutCashback } from "./earnings.ts";
import { reviewExpectations } from "./expectations.server.ts";
import {
  planCashback,
  type CashbackAmounts,
  type CashbackChangeKind,
  type CashbackNow,
  type CashbackStep,
} from "./rules.ts";

/** A transaction with what its members' cashback has to become. */
interface Plan {
  transaction: StoredTransaction;
  /** The transaction's entries before the first step. */
  before: CashbackEntry[];
  owners: Omit<NewEntry, "step">;
  /** The entry of the purchase; null until it is tracked. */
  purchase: CashbackEntry | null;
  steps: CashbackStep[];
}

/**
 * Brings members' cashback in line with credited transactions, which are locked (C3). The first steps of all are taken together, then the second ones.
 * Returns the changes, in order, by the transaction's id.
 */
export async function settleTransactions(
  trx: Trx,
  transactions: readonly StoredTransaction[],
  now: Date,
): Promise<Map<string, CashbackChangeKind[]>> {
  if (transactions.length === 0) return new Map();
  const plans = await makePlans(trx, transactions);
  const rounds = Math.max(...plans.map(({ steps }) => steps.length));
  for (let round = 0; round < rounds; round++) await takeRound(trx, plans, round, now);
  // Also without a step: the network may have set the day on which it decides.
  const entryIds = plans.flatMap(({ purchase }) => purchase?.id ?? []);
  if (entryIds.length > 0) await reviewExpectations(trx, { entryIds, now });
  const sales = plans.flatMap((plan) =>
    gainOf(plan) > 0 ? [{ transaction: plan.transaction, purchaseId: plan.purchase!.id }] : [],
  );
  await settleClaims(trx, { sales, now });
  return new Map(
    plans.map(({ owners, steps }) => [owners.networkTransactionId, steps.map((step) => step.change)] as const),
  );
}

async function makePlans(trx: Trx, transactions: readonly StoredTransaction[]): Promise<Plan[]> {
  const clicks = await trx
    .selectFrom("clicks")
    .select(["id", "brand_id", "member_id", "retailer_id", "rate_snapshot"])
    .where("id", "in", [...new Set(transactions.map(({ click_id }) => click_id!))])
    .execute();
  const clickOf = new Map(clicks.map((click) => [click.id, click]));
  const networkTransactionIds = transactions.map(({ id }) => id);
  const entriesOf = Map.groupBy(
    await lockEntries(trx, { networkTransactionIds }),
    (entry) => entry.network_transaction_id,
  );
  return transactions.map((transaction) => {
    const click = clickOf.get(transaction.click_id!);
    if (!click) throw new Error(`Network transaction ${transaction.id} is credited to a click that does not exist.`);
    const snapshot = rateSnapshotSchema.parse(click.rate_snapshot);
    const amounts = workOutCashback(
      {
        currency: transaction.currency,
        saleMinor: transaction.sale_minor,
        commissionMinor: transaction.commission_minor,
        parts: transaction.parts as TransactionPart[],
      },
      snapshot,
      transaction.exchange_rate_micros!,
    );
    const entries = entriesOf.get(transaction.id) ?? [];
    const purchase = entries.find((entry) => entry.entry_kind === "purchase") ?? null;
    const steps = planCashback(
      purchase && nowOf(purchase),
      sumAmounts(entries.filter((entry) => entry.entry_kind === "correction")),
      {
        ...amounts,
        status: transaction.status as NetworkStatus,
        paidToPublisher: transaction.paid_to_publisher,
        reason: reasonOf(transaction.reason_code),
      },
    );
    const owners = {
      brandId: click.brand_id,
      memberId: click.member_id,
      retailerId: click.retailer_id,
      clickId: click.id,
      networkId: transaction.network_id,
      networkTransactionId: transaction.id,
      purchasedAt: transaction.purchased_at,
      ...expectedDates(transaction.purchased_at, snapshot),
    };
    return { transaction, before: entries, owners, purchase, steps };
  });
}

/** Returns by how many pence the steps raised what the member gets for a sale; zero where it is declined. */
function gainOf({ before, steps, purchase }: Plan): number {
  if (!purchase || purchase.state === "declined" || steps.length === 0) return 0;
  const was = sumAmounts(before.filter(({ state }) => state !== "declined")).cashbackPence;
  const corrections = sumAmounts(before.filter(({ entry_kind }) => entry_kind === "correction")).cashbackPence;
  const corrected = steps.filter(({ change }) => change === "corrected");
  return corrected.reduce((sum, step) => sum + step.cashbackPence, purchase.cashback_pence + corrections) - was;
}

/** Takes the step number `round` of each plan that has one. */
async function takeRound(trx: Trx, plans: readonly Plan[], round: number, now: Date): Promise<void> {
  const inserts: { plan: Plan; insert: NewEntry }[] = [];
  const changes: { plan: Plan; change: EntryChange }[] = [];
  for (const plan of plans) {
    const step = plan.steps[round];
    if (!step) continue;
    if (step.change === "tracked" || step.change === "corrected")
      inserts.push({ plan, insert: { ...plan.owners, step } });
    else changes.push({ plan, change: { entry: plan.purchase!, step } });
  }
  const taken = await takeSteps(trx, {
    inserts: inserts.map(({ insert }) => insert),
    changes: changes.map(({ change }) => change),
    now,
  });
  inserts.forEach(({ plan, insert }, at) => {
    if (insert.step.change === "tracked") plan.purchase = taken.inserted[at]!;
  });
  changes.forEach(({ plan }, at) => {
    plan.purchase = taken.changed[at]!;
  });
}

/** Returns when the purchase should be confirmed, as promised at the click; null where confirmation depends on a journey or a stay. */
function expectedDates(
  purchasedAt: Date,
  { tracking }: RateSnapshot,
): { confirmExpected: { from: Date; to: Date } | null } {
  if (tracking.confirmsAfter !== "purchase") return { confirmExpected: null };
  const after = (days: number) => new Date(purchasedAt.getTime() + days * 86_400_000);
  return {
    confirmExpected: { from: after(tracking.confirmsWithinDays.min), to: after(tracking.confirmsWithinDays.max) },
  };
}

function nowOf(entry: CashbackEntry): CashbackNow {
  return { state: entry.state, reason: reasonOf(entry.reason_code), ...amountsOf(entry) };
}

export function reasonOf(code: string | null) {
  return code !== null && isDeclineReason(code) ? code : null;
}

export function amountsOf(entry: CashbackEntry): CashbackAmounts {
  return { salePence: entry.sale_pence, cashbackPence: entry.cashback_pence, commissionPence: entry.commission_pence };
}

/** Returns the sum of entries' amounts. */
export function sumAmounts(entries: readonly CashbackEntry[]): CashbackAmounts {
  return entries.map(amountsOf).reduce(
    (sum, one) => ({
      salePence: sum.salePence + one.salePence,
      cashbackPence: sum.cashbackPence + one.cashbackPence,
      commissionPence: sum.commissionPence + one.commissionPence,
    }),
    { salePence: 0, cashbackPence: 0, commissionPence: 0 },
  );
}
