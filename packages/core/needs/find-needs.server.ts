import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { findLateQueues } from "../background-work/overview.server.ts";
import { may, type Role } from "../operators/permissions.ts";
import { findThresholds } from "../thresholds/threshold-values.server.ts";
import { isThresholdKey, type ThresholdValues } from "../thresholds/rules.ts";
import { needs, type NeedKey } from "./needs.ts";

export interface FoundNeed {
  key: NeedKey;
  /** What waits, after its number. */
  label: string;
  path: string;
  count: number;
  oldestAt: Date | null;
}

/**
 * Returns what waits for a person of this role, the longest waiting first, then what has nothing waiting (A1). `keys`: asks for
 * these only; absent: for all.
 */
export async function findNeeds(
  db: Db,
  { role, now, keys }: { role: Role; now: Date; keys?: readonly NeedKey[] },
): Promise<FoundNeed[]> {
  const asked = (keys ?? (Object.keys(needs) as NeedKey[])).filter((key) => may(role, needs[key].see));
  const values = await findThresholds(db);
  const found = await Promise.all(asked.map((key) => findNeed(db, key, { now, values })));
  const since = ({ count, oldestAt }: FoundNeed) => (count === 0 ? Infinity : (oldestAt ?? now).getTime());
  return found.toSorted((one, other) => since(one) - since(other));
}

async function findNeed(
  db: Db,
  key: NeedKey,
  { now, values }: { now: Date; values: ThresholdValues },
): Promise<FoundNeed> {
  const { label, path } = needs[key];
  const asked = needSql(key, { now, values });
  const row: { count: number; first?: string | null; oldest?: Date | null } | undefined =
    asked === null
      ? await findLateQueues(db, { now, minutes: values["work-late-minutes"] })
      : (await sql<{ count: number; first?: string | null; oldest: Date | null }>`${asked}`.execute(db)).rows[0];
  const [one, others] = typeof label === "function" ? label(values, row?.first ?? null) : label;
  const count = Number(row?.count ?? 0);
  return { key, label: count === 1 ? one : others, path, count, oldestAt: row?.oldest ?? null };
}

/** Returns the statement of a need at a moment; null where it is not asked by one. */
export function needSql(
  key: NeedKey,
  { now, values }: { now: Date; values: ThresholdValues },
): RawBuilder<unknown> | null {
  const text = needs[key].sql;
  if (text === null) return null;
  // Every second part is a name.
  const parts = text.split(/\$([a-z][a-z-]*)/).map((part, index) => {
    if (index % 2 === 0) return sql.raw(part);
    if (part === "now") return sql`${now}::timestamptz`;
    if (!isThresholdKey(part)) throw new Error(`The need ${key} names $${part}, which is no threshold.`);
    return sql`${values[part]}::integer`;
  });
  return sql`${sql.join(parts, sql``)}`;
}
