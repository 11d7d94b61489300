import { sql } from "kysely";
import type { Db } from "@farthing/db/client.ts";
import { countPaid, faultsOfBooks, startCardProvider, webhookOf, type Payment } from "./card-payments.ts";
import type { Drill } from "./drill.ts";
import type { Ask, Sender } from "./load.ts";
import { onOwnServer } from "./stand.ts";

const PAYMENTS = 10_000;
/** How often the provider sends each. */
const TIMES = 3;
/** Of the payments, those about which only forged webhooks come, and those with stale ones only. */
const FORGED_SHARE = 0.01;
const STALE_SHARE = 0.005;

export const webhooks: Drill = {
  name: "webhooks",
  what: `the card provider's webhooks of ${PAYMENTS} payments, each ${TIMES} times, shuffled, with forged and stale ones`,
  needs: [],
  mark: {},
  async run(parts) {
    const count = parts.isSmall ? 300 : PAYMENTS;
    const provider = await startCardProvider(parts.port + 8);
    const refusals = { heard: 0, let: 0 };
    let payments: Payment[] = [];
    const forgedCount = Math.ceil(count * FORGED_SHARE);
    const staleCount = Math.ceil(count * STALE_SHARE);
    try {
      return await onOwnServer(
        parts,
        {
          countsFromStart: true,
          // Without a worker: it would look the payments up by itself.
          settings: { ...provider.settings, ROLES: "web" },
          senders: async (db) => {
            payments = await provider.makePayments(db, count + forgedCount + staleCount);
            return [shuffledWebhooks(payments, { forgedCount, staleCount, refusals })];
          },
        },
        async ({ load, db, faults, notes }) => {
          await load.until(payments.length * TIMES + parts.connections);
          const untouched = payments.slice(0, forgedCount + staleCount);
          const { changed, events } = await countTouched(db, untouched);
          if (changed > 0) faults.push(`${changed} payments were changed by forged or stale webhooks.`);
          if (events > 0) faults.push(`${events} forged or stale events were stored.`);
          if (refusals.let > 0) faults.push(`${refusals.let} forged or stale webhooks were not refused.`);
          notes.push(`${refusals.heard} forged or stale webhooks refused with 400.`);
          const unpaid = await countUnpaid(db, payments.slice(forgedCount + staleCount));
          if (unpaid > 0) faults.push(`${unpaid} payments are not paid.`);
          faults.push(...(await faultsOfBooks(db)));
        },
      );
    } finally {
      await provider.close();
    }
  },
};

/** All webhooks in one list, in a random order; when it is used up, the first payment's again. */
function shuffledWebhooks(
  payments: readonly Payment[],
  {
    forgedCount,
    staleCount,
    refusals,
  }: { forgedCount: number; staleCount: number; refusals: { heard: number; let: number } },
): Sender {
  const acknowledged = new Set<string>();
  const sound = (payment: Payment): Ask => ({
    ...webhookOf(payment, { event: payment.intent.replace("pi_", "evt_") }),
    heard({ status }) {
      if (status === 200) acknowledged.add(payment.id);
    },
  });
  const wrong = (payment: Payment, fault: { secret: string } | { ageSeconds: number }): Ask => ({
    ...webhookOf(payment, { event: payment.intent.replace("pi_", "evt_"), ...fault }),
    expected: 400,
    heard({ status }) {
      if (status === 400) refusals.heard += 1;
      else if (status === 200) refusals.let += 1;
    },
  });
  const list = shuffled(
    payments.flatMap((payment, index) =>
      Array.from({ length: TIMES }, () => () => {
        if (index < forgedCount) return wrong(payment, { secret: "whsec_somebody_else" });
        if (index < forgedCount + staleCount) return wrong(payment, { ageSeconds: 600 });
        return sound(payment);
      }),
    ),
  );
  return {
    name: "payments",
    next: () => (list.pop() ?? (() => sound(payments.at(-1)!)))(),
    count: (db) => countPaid(db, acknowledged),
  };
}

function shuffled<T>(items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

async function countTouched(db: Db, payments: readonly Payment[]): Promise<{ changed: number; events: number }> {
  const { rows } = await sql<{ changed: number; events: number }>`
    select (select count(*) from payments where id = any(${payments.map(({ id }) => id)}::uuid[]) and state <> 'awaiting_payment') as changed,
      (select count(*) from card_events where provider_payment_id = any(${payments.map(({ intent }) => intent)}::text[])) as events`.execute(
    db,
  );
  return rows[0]!;
}

async function countUnpaid(db: Db, payments: readonly Payment[]): Promise<number> {
  const { rows } = await sql<{ unpaid: number }>`
    select count(*) as unpaid from payments where id = any(${payments.map(({ id }) => id)}::uuid[]) and state <> 'paid'`.execute(
    db,
  );
  return rows[0]!.unpaid;
}
