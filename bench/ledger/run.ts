/**
 * The ledger's busy account (C4): measures transfers per second on the same network's and club's accounts. It compares them with
 * the same rows (a transfer with a unique key, its three entries) appended to tables without checks, planned at each call and with
 * a kept plan; with the obvious alternative, one balance row per account that each transfer updates; and with the way of pgledger,
 * which locks each account until the commit.
 * Run alone with: node bench/ledger/run.ts [--seconds 5] [--connections 16] [--rounds 3]
 * Starts its own embedded PostgreSQL in a temporary folder, with fsync on. Every transfer is one commit.
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { findBalance } from "@farthing/core/ledger/balances.server.ts";
import { postTransfer } from "@farthing/core/ledger/operations.server.ts";
import { foldTotals } from "@farthing/core/ledger/totals.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { migrate } from "@farthing/db/migrate.ts";
import { startThrowawayServer } from "@farthing/db/testing/throwaway-server.ts";
import { newId } from "@farthing/db/uuid.ts";
import { report } from "../figures.ts";
import { createLockedBalances } from "./locked-balances.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "16" },
    rounds: { type: "string", default: "3" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const TARGET = { ofRaw: 0.75, ofPeer: 2 };

const hot = [randomUUID(), randomUUID(), randomUUID()];
const server = await startThrowawayServer({ durable: true });
const { db, pool, close } = openDatabase({ url: server.url, max: connections });
try {
  await migrate(server.url);
  await pool.query(
    "create table raw_transfers (id uuid primary key, transfer_key text not null unique, happened_at timestamptz not null)",
  );
  await pool.query(
    "create table raw_entries (transfer_id uuid not null, account_id uuid not null, amount_pence bigint not null, primary key (transfer_id, account_id))",
  );
  await pool.query("create index on raw_entries (account_id)");
  await pool.query("create table raw_balances (account_id uuid primary key, balance_pence bigint not null)");
  for (const account of hot) await pool.query("insert into raw_balances values ($1, 0)", [account]);
  const brandId = (await insertBrand(db)).id;
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  const members = await Promise.all(
    Array.from({ length: 50 }, async () => (await insertVerifiedMember(db, { brandId })).id),
  );

  const peer = await createLockedBalances(pool);
  const [network, club, ...peerMembers] = (await peer.open(2 + members.length)) as [string, string, ...string[]];

  const kinds = {
    "raw append-only rows": () => append(""),
    "raw append-only rows, their plan kept": () => append("", "raw_rows"),
    "a balance row updated per transfer": () =>
      append(
        ", balanced as (update raw_balances b set balance_pence = b.balance_pence + moved.amount_pence from moved where moved.account_id = b.account_id)",
      ),
    "the way of pgledger": (i: number) => peer.post([network, peerMembers[i % peerMembers.length]!, club]),
    "ledger transfers": (i: number) => {
      const id = newId();
      return postTransfer(db, {
        key: `bench:${id}`,
        kind: "cashback_tracked",
        cause: { kind: "cashback_entry", id },
        happenedAt: new Date(),
        legs: [
          { account: { kind: "member_tracked", memberId: members[i % members.length]! }, amountPence: 500 },
          { account: { kind: "network_expected", networkId }, amountPence: -600 },
          { account: { kind: "club_expected" }, amountPence: 100 },
        ],
      });
    },
  };
  const results = Object.fromEntries(
    Object.keys(kinds).map((name) => [name, [] as { perSecond: number; p99Ms: number }[]]),
  );
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, post] of Object.entries(kinds)) results[name]!.push(await load(post));
  }
  const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
  for (const [name, rounds] of Object.entries(results)) {
    console.log(
      `${name}: ${Math.round(median(rounds.map((one) => one.perSecond)))} a second, p99 ${median(rounds.map((one) => one.p99Ms)).toFixed(1)} ms`,
    );
  }
  const ratioTo = (other: keyof typeof kinds) =>
    median(results["ledger transfers"]!.map((one, i) => one.perSecond / results[other]![i]!.perSecond));

  const account = { kind: "network_expected" as const, networkId };
  const unfolded = await timed(() => findBalance(db, { account }));
  const folding = await timed(() => foldTotals(db));
  const folded = await timed(() => findBalance(db, { account }));
  console.log(
    `balance of the hot account: ${unfolded.ms.toFixed(1)} ms before folding, ${folded.ms.toFixed(1)} ms after; folding took ${folding.ms.toFixed(0)} ms; the same: ${unfolded.value === folded.value}`,
  );
  const check = await timed(() => checkLedger(db));
  console.log(
    `checked ${check.value.transfers} transfers in ${check.ms.toFixed(0)} ms, ${check.value.faults.length} faults, peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
  );
  report({
    what: "ledger transfers on hot accounts, of raw append-only rows",
    value: ratioTo("raw append-only rows") * 100,
    unit: "%",
    target: { atLeast: TARGET.ofRaw * 100 },
  });
  console.log(
    `of raw append-only rows whose plan is kept: ${(ratioTo("raw append-only rows, their plan kept") * 100).toFixed(0)} %`,
  );
  report({
    what: "ledger transfers on hot accounts, of pgledger's way",
    value: ratioTo("the way of pgledger"),
    unit: "times",
    target: { atLeast: TARGET.ofPeer },
  });
  if (check.value.faults.length > 0) throw new Error(`The ledger has faults: ${JSON.stringify(check.value.faults[0])}`);
} finally {
  await close();
  await server.stop();
}

/** Inserts a keyed transfer and its three entries in one statement and one commit. With a name, its plan is kept. */
function append(more: string, name?: string): Promise<unknown> {
  const id = newId();
  return pool.query({
    ...(name === undefined ? {} : { name }),
    text: `with transfer as (insert into raw_transfers values ($1, $2, now()) on conflict do nothing returning id),
     moved as (insert into raw_entries select transfer.id, leg.* from transfer, unnest($3::uuid[], $4::bigint[]) leg returning account_id, amount_pence)
     ${more} select 1`,
    values: [id, `bench:${id}`, hot, [500, -600, 100]],
  });
}

async function load(post: (i: number) => Promise<unknown>): Promise<{ perSecond: number; p99Ms: number }> {
  const end = performance.now() + seconds * 1000;
  const took: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      while (performance.now() < end) {
        const from = performance.now();
        await post(i + took.length);
        took.push(performance.now() - from);
      }
    }),
  );
  took.sort((a, b) => a - b);
  return { perSecond: took.length / seconds, p99Ms: took[Math.floor(took.length * 0.99)]! };
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const from = performance.now();
  const value = await run();
  return { value, ms: performance.now() - from };
}
