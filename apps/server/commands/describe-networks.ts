import { countHeldTransactions } from "@farthing/core/networks/held-transactions.server.ts";
import { findNetworkHealth } from "@farthing/core/networks/queries.server.ts";
import { countWaitingCorrections } from "@farthing/core/networks/rows.server.ts";
import type { Db } from "@farthing/db/client.ts";

/** Days of clicks whose checks are counted. */
const DAYS = 7;

/** Returns the lines of "npm run networks". They name no member. */
export async function describeNetworks(db: Db, { now }: { now: Date }): Promise<string[]> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const lines: string[] = [];
  for (const { slug, name, passes, preFlight } of await findNetworkHealth(db, { since })) {
    lines.push(`${slug} (${name})`);
    if (passes.length === 0) lines.push("  its report was never read");
    for (const { pass, coveredUntil, error, lateError } of passes) {
      lines.push(
        `  ${pass} pass: read up to ${coveredUntil.toISOString()}${error === null ? "" : `; failed: ${error}`}`,
      );
      if (lateError !== null) lines.push(`    the look for sales reported late failed, and goes on: ${lateError}`);
    }
    const { unchecked, ...checked } = preFlight;
    const total = Object.values(checked).reduce((sum, count) => sum + count, 0);
    lines.push(
      total + unchecked === 0
        ? `  no clicks in ${DAYS} days`
        : `  clicks in ${DAYS} days: ${total} checked (${checked.healthy} healthy, ${checked.slow} slow, ${checked.blocked} blocked, ${checked.no_cookies} without cookies), ${unchecked} not checked`,
    );
  }
  for (const { reason, count, oldest } of await countHeldTransactions(db))
    lines.push(`held: ${count} credited to nobody (${reason}), the oldest from ${oldest.toISOString().slice(0, 10)}`);
  lines.push(`corrections that wait for their original: ${await countWaitingCorrections(db)}`);
  return lines;
}
