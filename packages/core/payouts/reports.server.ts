import { hash } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { applyFailures, previewFailures, type AppliedFailure } from "./failures.server.ts";
import { reportState, type ReportState } from "./list-reports.server.ts";
import type { PayoutMethod, ReportedFailure } from "./provider.ts";
import { PAYOUT_REASONS, type PayoutReason } from "./rules.ts";

/** A report of the bank's as it was read (C6). */
export interface PayoutReport {
  publicId: string;
  fileName: string;
  readAt: Date;
  readBy: string;
  /** What it waits for now, or what became of it. */
  state: ReportState;
  appliedAt: Date | null;
  appliedBy: string | null;
  /** Who said that it is not to be applied, when and why; null: nobody. */
  discarded: { at: Date; by: string; because: string } | null;
  /** Its lines, with what was done, or would be done now. */
  lines: (ReportedFailure & {
    outcome: AppliedFailure["outcome"];
    /** The payout that the line means; null: none of ours. */
    payout: { publicId: string; memberId: string; memberNumber: string; amountPence: number } | null;
    /** Why, in words for the member. */
    text: string;
  })[];
}

/**
 * Reads a report and keeps it, without applying it. The same file is kept once: `isNew` is false where it was read before. One that was discarded
 * may be read again, as a report of its own.
 * @throws FailuresFileError that names the place and says what to do: nothing was kept
 */
export async function readReport(
  db: Db,
  file: { method: PayoutMethod<unknown>; fileName: string; text: string; by: string; now: Date },
): Promise<{ publicId: string; isNew: boolean }> {
  const failures = file.method.readFailures(file.text);
  const contentHash = hash("sha256", file.text, "buffer");
  const kept = await db
    .insertInto("payout_reports")
    .values({
      id: newId(),
      file_name: file.fileName.slice(0, 200) || "report",
      content_hash: contentHash,
      failures: JSON.stringify(failures),
      read_at: file.now,
      read_by: file.by,
    })
    .onConflict((conflict) => conflict.column("content_hash").doNothing())
    .returning("public_id")
    .executeTakeFirst();
  if (kept) return { publicId: kept.public_id, isNew: true };
  const before = await db
    .selectFrom("payout_reports")
    .select("public_id")
    .where("content_hash", "=", contentHash)
    .executeTakeFirst();
  // It was discarded in between.
  return before ? { publicId: before.public_id, isNew: false } : readReport(db, file);
}

/** Returns a report with what it does now or did, line by line; null: there is none. */
export async function findReport(
  db: Db,
  { publicId, now }: { publicId: string; now: Date },
): Promise<PayoutReport | null> {
  const row = await db
    .selectFrom("payout_reports as report")
    .selectAll()
    .select(reportState(now).as("state"))
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  if (!row) return null;
  const failures = row.failures as ReportedFailure[];
  const outcomes = (row.outcomes as AppliedFailure["outcome"][] | null) ?? [];
  const shown =
    row.applied_at === null ? (await previewFailures(db, { failures, now })).map(({ outcome }) => outcome) : outcomes;
  const payouts = await findPayouts(db, failures);
  return {
    publicId: row.public_id,
    fileName: row.file_name,
    readAt: row.read_at,
    readBy: row.read_by,
    state: row.state,
    appliedAt: row.applied_at,
    appliedBy: row.applied_by,
    discarded: discardedOf(row),
    lines: failures.map((failure, index) => ({
      ...failure,
      outcome: shown[index] ?? "unknown",
      payout: payouts.get(failure.reference) ?? null,
      text: PAYOUT_REASONS[failure.reason as PayoutReason].text,
    })),
  };
}

function discardedOf(row: {
  discarded_at: Date | null;
  discarded_by: string | null;
  discarded_because: string | null;
}): PayoutReport["discarded"] {
  const { discarded_at: at, discarded_by: by, discarded_because: because } = row;
  return at === null || by === null || because === null ? null : { at, by, because };
}

async function findPayouts(db: Db, failures: readonly ReportedFailure[]) {
  const { rows } = await sql<NonNullable<PayoutReport["lines"][number]["payout"]> & { reference: string }>`
    select payout.bank_reference as reference, payout.public_id as "publicId", member.id as "memberId",
      member.member_number as "memberNumber", payout.amount_pence as "amountPence"
    from payouts payout join members member on member.id = payout.member_id
    where payout.bank_reference = any(${failures.map(({ reference }) => reference)})`.execute(db);
  return new Map(rows.map(({ reference, ...payout }) => [reference, payout]));
}

export type AppliedReport =
  /** `running`: another operator is applying it. */
  { outcome: "unknown" | "already" | "discarded" | "running" } | { outcome: "applied"; applied: AppliedFailure[] };

/**
 * Applies a report: each line in a transaction of its own, as `applyFailures` does. Of concurrent calls, one applies it: it keeps the report locked
 * meanwhile. A process that dies on the way leaves it unapplied; applying it again finishes it, and changes no line twice.
 */
export async function applyReport(
  db: Db,
  { publicId, by, now }: { publicId: string; by: string; now: Date },
): Promise<AppliedReport> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("payout_reports")
      .select(["id", "failures", "applied_at", "discarded_at"])
      .where("public_id", "=", publicId)
      .forNoKeyUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return { outcome: (await isKnown(db, publicId)) ? "running" : "unknown" };
    if (row.applied_at !== null) return { outcome: "already" };
    if (row.discarded_at !== null) return { outcome: "discarded" };
    const applied = await applyFailures(db, { failures: row.failures as ReportedFailure[], now });
    await trx
      .updateTable("payout_reports")
      .set({
        applied_at: now,
        applied_by: by,
        outcomes: JSON.stringify(applied.map(({ outcome }) => outcome)),
      })
      .where("id", "=", row.id)
      .execute();
    return { outcome: "applied", applied };
  });
}

export type DiscardedReport = { outcome: "discarded" | "unknown" | "applied" | "already" | "running" };

/**
 * Discards a report that was read by mistake (C6): it stays listed and can't be applied. It gives up its hash, so that the same file can be read
 * again. `running`: another operator is applying it. `applied`, `already`: it was applied, or discarded, before.
 */
export async function discardReport(
  db: Db,
  { publicId, by, because, now }: { publicId: string; by: string; because: string; now: Date },
): Promise<DiscardedReport> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("payout_reports")
      .select(["id", "applied_at", "discarded_at"])
      .where("public_id", "=", publicId)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!row) return { outcome: (await isKnown(db, publicId)) ? "running" : "unknown" };
    if (row.applied_at !== null) return { outcome: "applied" };
    if (row.discarded_at !== null) return { outcome: "already" };
    await trx
      .updateTable("payout_reports")
      .set({
        ...{ discarded_at: now, discarded_by: by, discarded_because: because },
        content_hash: sql<Buffer>`sha256(content_hash || uuid_send(id))`,
      })
      .where("id", "=", row.id)
      .execute();
    return { outcome: "discarded" };
  });
}

async function isKnown(db: Db, publicId: string): Promise<boolean> {
  const row = await db.selectFrom("payout_reports").select("id").where("public_id", "=", publicId).executeTakeFirst();
  return row !== undefined;
}
