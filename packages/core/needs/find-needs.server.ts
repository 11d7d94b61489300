import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { may, type Role } from "../operators/permissions.ts";
import { needs, type NeedKey } from "./needs.ts";

export interface FoundNeed {
  key: NeedKey;
  label: string;
  path: string;
  count: number;
  oldestAt: Date | null;
}

/** Returns what waits for a person of this role, the longest waiting first, then what has nothing waiting (A1). */
export async function findNeeds(db: Db, { role, now }: { role: Role; now: Date }): Promise<FoundNeed[]> {
  const keys = (Object.keys(needs) as NeedKey[]).filter((key) => may(role, needs[key].see));
  const found = await Promise.all(keys.map((key) => findNeed(db, key, now)));
  const since = ({ count, oldestAt }: FoundNeed) => (count === 0 ? Infinity : (oldestAt ?? now).getTime());
  return found.toSorted((one, other) => since(one) - since(other));
}

async function findNeed(db: Db, key: NeedKey, now: Date): Promise<FoundNeed> {
  const { label, path, sql: text } = needs[key];
  const parts = text
    .split("$now")
    .map((part, index) => (index === 0 ? sql.raw(part) : sql`${now}::timestamptz${sql.raw(part)}`));
  const { rows } = await sql<{ count: number; oldest: Date | null }>`${sql.join(parts, sql``)}`.execute(db);
  return { key, label, path, count: Number(rows[0]?.count ?? 0), oldestAt: rows[0]?.oldest ?? null };
}
