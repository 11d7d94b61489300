import { creditHeldTransactions, settleDueByCalendar } from "@farthing/core/cashback/operations.server.ts";
import type { NetworkRegistry } from "@farthing/core/networks/network-registry.ts";
import type { Window } from "@farthing/core/networks/pass-windows.ts";
import {
  claimPass,
  finishLateLook,
  finishPass,
  orderPasses,
  type ClaimedPass,
  type PollPass,
  type WindowResult,
} from "@farthing/core/networks/passes.server.ts";
import { NetworkUnavailableError, type NetworkProvider, type ReportPage } from "@farthing/core/networks/provider.ts";
import { markPaymentAsked } from "@farthing/core/networks/operations.server.ts";
import { findNetworkId, findUnpaidIds } from "@farthing/core/networks/queries.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { allSteps } from "../jobs/all-steps.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { takeInAnswer } from "./report-answer.ts";

export interface PollParts {
  db: Db;
  networks: NetworkRegistry;
  now(): Date;
  logger: JobLogger;
  /** Seconds between two readings of each pass of a network's report, by slug. */
  pollSeconds: Readonly<Record<string, number>>;
}

/** Calls of a network's rate limit that polling leaves for confirming pushes, which members wait for. */
const RESERVED_CALLS = 6;
const MAX_UNPAID = 100;
/**
 * How far back a row that can't be read, or can't be stored as it is, holds the next poll: a row that was spoiled on its way is whole when it is asked for
 * again. One that stays so is asked for once a day from then on, so that it makes no poll read a month and holds up no date of the calendar.
 */
const REREAD_MS = 6 * 3_600_000;

/**
 * Reads the passes of all networks that are due (C2). Sales whose push was lost, approvals, declines, amendments and
 * payments arrive this way. The passes that ran longest ago come first, so a tight rate limit slows all passes and
 * starves none.
 */
export async function pollReports(parts: PollParts): Promise<void> {
  await allSteps([
    ...parts.networks.all.map((provider) => () => pollNetwork(parts, provider)),
    () => creditHeldTransactions(parts.db, { now: parts.now() }),
    () => settleDueByCalendar(parts.db, { now: parts.now() }),
  ]);
}

async function pollNetwork(parts: PollParts, provider: NetworkProvider): Promise<void> {
  const networkId = await findNetworkId(parts.db, { slug: provider.slug });
  const pollSeconds = parts.pollSeconds[provider.slug];
  if (!networkId || pollSeconds === undefined) return;
  const passes = await orderPasses(parts.db, { networkId, passes: [...provider.passes, "payment"] });
  await allSteps(
    passes.map((pass) => async () => {
      if (provider.callsLeft() <= RESERVED_CALLS) return;
      const everyMs = pollSeconds * 1000 - 500;
      const claimed = await claimPass(parts.db, { networkId, pass, now: parts.now(), everyMs });
      if (claimed) await readPass(parts, { provider, networkId, pollSeconds, pass, claimed });
    }),
  );
}

interface PassToRead {
  provider: NetworkProvider;
  networkId: string;
  pollSeconds: number;
  pass: PollPass;
}

/** Reads what is recent, then what may have been reported late. Neither holds up the other: each keeps its own account of what is covered. */
async function readPass(parts: PollParts, { claimed, ...read }: PassToRead & { claimed: ClaimedPass }): Promise<void> {
  const { db, now } = parts;
  const { networkId, pass } = read;
  await allSteps([
    async () => finishPass(db, { networkId, pass, result: await readWindow(parts, read, claimed.recent) }),
    async () => {
      if (!claimed.late) return;
      const { beganAt, ...window } = claimed.late;
      const result = await readWindow(parts, read, window);
      await finishLateLook(db, { networkId, pass, beganAt, result, now: now() });
    },
  ]);
}

async function readWindow(parts: PollParts, read: PassToRead, window: Window): Promise<WindowResult> {
  const { db, now, logger } = parts;
  let [failed, refused, unreadable] = [0, 0, 0];
  // Pages are stored as they arrive, so that memory does not grow with the report.
  let coveredUntil: Date | null = null;
  try {
    for await (const page of pagesOf(parts, read, window)) {
      const taken = await takeInAnswer(db, { networkId: read.networkId, answer: page, now: now(), logger });
      failed += taken.failed;
      refused += taken.refused;
      unreadable += page.unreadable.length;
      if (failed + refused + unreadable === 0 && page.coveredUntil) coveredUntil = page.coveredUntil;
    }
  } catch (error) {
    if (!(error instanceof NetworkUnavailableError)) throw error;
    const { message: problem } = error;
    logger.warn({ network: read.provider.slug, pass: read.pass, problem }, "a network's report could not be read");
    return { problem, coveredUntil };
  }
  if (failed + refused + unreadable === 0) return { coveredUntil: window.to };
  const problem = [
    ...problemOf(failed + refused, "transaction", "stored"),
    ...problemOf(unreadable, "row", "read"),
  ].join(" ");
  // What failed for a reason that may pass must be stored before the pass goes on.
  if (failed > 0) return { problem, coveredUntil };
  const floor = window.to.getTime() - REREAD_MS;
  return { problem, coveredUntil: new Date(Math.max(coveredUntil?.getTime() ?? floor, floor)) };
}

function problemOf(count: number, what: string, done: string): string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? what : `${what}s`} could not be ${done}.`];
}

/**
 * Reads the pages of a window. Those of the payment pass are the oldest transactions that are not known to be paid, as the network splits them. Each is
 * marked before it is asked for, so that one without an answer does not come first again; those that the limit of calls leaves over do.
 */
async function* pagesOf(
  { db, now }: PollParts,
  { provider, networkId, pollSeconds, pass }: PassToRead,
  window: Window,
): AsyncGenerator<ReportPage> {
  if (pass !== "payment") return yield* provider.fetchTransactions({ pass, ...window });
  const unpaid = await findUnpaidIds(db, {
    networkId,
    askedBefore: new Date(now().getTime() - pollSeconds * 1000),
    limit: MAX_UNPAID,
  });
  if (unpaid.length === 0) return;
  const saleOf = new Map(unpaid.map(({ id, networkTransactionId }) => [id, networkTransactionId]));
  const all = [...saleOf.keys()];
  for (const ids of provider.splitIds?.(all) ?? [all]) {
    if (provider.callsLeft() <= RESERVED_CALLS) return;
    const networkTransactionIds = [...new Set(ids.map((id) => saleOf.get(id)!))];
    await markPaymentAsked(db, { networkId, networkTransactionIds, now: now() });
    yield { ...(await provider.fetchTransactionsById(ids)), coveredUntil: null };
  }
}
