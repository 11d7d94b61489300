import { keepCheck } from "@farthing/core/books/check-books.server.ts";
import { queueMail } from "@farthing/core/mails/operations.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { noteStatements } from "@farthing/db/testing/noted-statements.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { watchClub } from "./club-metrics.ts";
import { openMetrics } from "./metrics.ts";

const { db, pool } = await testDatabase();
const at = new Date("2026-11-20T12:00:00Z");
const minutesLater = (minutes: number) => new Date(at.getTime() + minutes * 60_000);

/** The figures as Prometheus reads them, by name and labels. */
async function figuresOf(options: Parameters<typeof watchClub>[2], from = db): Promise<Map<string, number>> {
  const { registry } = openMetrics();
  watchClub(registry, from, options);
  const lines = (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

test("P6 metrics say how late background work is, what waits for a person, and when the books were checked", async () => {
  const brand = await insertBrand(db);
  const before = await figuresOf({ now: () => at });
  expect(before.get("farthing_database_up")).toBe(1);
  expect(before.get('farthing_background_work{queue="mails",state="due"}')).toBe(0);
  expect(before.get('farthing_background_work_late_seconds{queue="mails"}')).toBe(0);
  expect(before.get('farthing_needs{need="book-faults"}')).toBe(0);
  expect(before.get("farthing_books_checked_timestamp_seconds")).toBe(0);

  await queueMail(db, {
    brandId: brand.id,
    memberId: null,
    to: "ada@example.org",
    mail: { kind: "no-account" },
    now: at,
  });
  const checked = { transfers: 0, entries: 0, accounts: 0, notes: [], faults: ["A total is wrong."] };
  await keepCheck(db, { checked, by: "ada@example.org", tookMs: 1, now: at });

  expect(before.get("farthing_log_archive_failing")).toBe(0);
  expect(before.has("farthing_base_backup_timestamp_seconds"), "the database's own server has its backups").toBe(false);

  const after = await figuresOf({ now: () => minutesLater(10), backedUpAt: () => at });
  expect(after.get("farthing_base_backup_timestamp_seconds")).toBe(at.getTime() / 1000);
  expect(after.get('farthing_background_work{queue="mails",state="due"}')).toBe(1);
  expect(after.get('farthing_background_work_late_seconds{queue="mails"}')).toBe(600);
  expect(after.get('farthing_needs{need="book-faults"}')).toBe(1);
  expect(after.get('farthing_need_oldest_seconds{need="book-faults"}')).toBe(600);
  expect(after.get("farthing_books_checked_timestamp_seconds")).toBe(at.getTime() / 1000);
});

test("P6 R1 while the database is away or silent, metrics say so, and have no old figure of the club", async () => {
  const { db: ended, close } = openDatabase({ url: "postgresql://nobody@127.0.0.1:1/nothing" });
  for (const [from, options] of [
    [ended, {}],
    [db, { timeoutMs: 0 }], // slower than it may be
  ] as const) {
    const figures = await figuresOf({ now: () => at, ...options }, from);
    expect(figures.get("farthing_database_up")).toBe(0);
    expect(
      [...figures.keys()].filter((name) => /^farthing_(needs?|background|books|code|log|base|issuer)_/.test(name)),
    ).toEqual([]);
    expect(figures.has("farthing_process_resident_memory_bytes"), "the process still has its own").toBe(true);
  }
  await close();
});

test("P6 all figures of a scrape come from one reading, which the next seconds' scrapes share", async () => {
  const { registry } = openMetrics();
  const noted = noteStatements(pool);
  watchClub(registry, noted.db, { now: () => at, keptMs: Infinity });
  await registry.metrics();
  const ofBooks = noted.take().filter(({ text }) => text.includes("jsonb_array_length(faults) as faults"));
  expect(ofBooks, "nine figures, one reading").toHaveLength(1);
  await Promise.all([registry.metrics(), registry.metrics()]);
  expect(noted.take()).toEqual([]);
});
