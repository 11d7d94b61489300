import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { isInRange, isThresholdKey, thresholdKeys, thresholds, type ThresholdKey } from "./rules.ts";
import { findThresholds } from "./threshold-values.server.ts";

export interface ThresholdRecord {
  key: ThresholdKey;
  /** What is stored, whether or not it can be used. */
  stored: { club: number | null; brands: Record<string, unknown> };
  /** 0: nothing was ever stored. */
  version: number;
  /** The value that holds for the club. */
  holds: number;
}

/** Returns every threshold with what is stored, in the order of rules.ts. */
export async function listThresholds(db: Db | Trx): Promise<ThresholdRecord[]> {
  const [holds, rows] = await Promise.all([findThresholds(db), findRows(db)]);
  return thresholdKeys.map((key) => {
    const row = rows.find((each) => each.key === key);
    const stored = { club: row?.club ?? null, brands: row?.brands ?? {} };
    return { key, stored, version: row?.version ?? 0, holds: holds[key] };
  });
}

export async function findThresholdRecord(db: Db | Trx, { key }: { key: string }): Promise<ThresholdRecord | null> {
  return (await listThresholds(db)).find((each) => each.key === key) ?? null;
}

/** A stored value that can't be used. */
export interface ThresholdFault {
  key: string;
  /** The slug of a brand; null: the club's. */
  brand: string | null;
  found: unknown;
  because: string;
}

/** Returns what is stored and can't be used, for the log and the settings page. */
export async function findThresholdFaults(db: Db): Promise<ThresholdFault[]> {
  const [rows, brands] = await Promise.all([findRows(db), db.selectFrom("brands").select("slug").execute()]);
  const slugs = new Set(brands.map(({ slug }) => slug));
  return rows.flatMap(({ key, club, brands: values }): ThresholdFault[] => {
    if (!isThresholdKey(key)) return [{ key, brand: null, found: club, because: "there is no such threshold" }];
    const { min, max, isPerBrand } = thresholds[key];
    const range = `it is no whole number from ${min} to ${max}`;
    return [
      ...(club === null || isInRange(key, club) ? [] : [{ key, brand: null, found: club, because: range }]),
      ...Object.entries(values).flatMap(([brand, found]) => {
        const because = !isPerBrand
          ? "a brand can't differ in it"
          : !slugs.has(brand)
            ? "there is no such brand"
            : isInRange(key, found)
              ? null
              : range;
        return because === null ? [] : [{ key, brand, found, because }];
      }),
    ];
  });
}

async function findRows(db: Db | Trx) {
  const { rows } = await sql<{ key: string; club: number | null; brands: Record<string, unknown>; version: number }>`
    select threshold_key as key, club_value as club, brand_values as brands, version from thresholds order by 1`.execute(
    db,
  );
  return rows;
}
