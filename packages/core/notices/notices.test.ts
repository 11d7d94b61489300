import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { expect, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { findBrandBySlug } from "../brands/queries.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { findNoticeRecord, removeNotice, saveNotice } from "./notice-records.server.ts";
import { holds, leadingNotice, noticesOfStatus, type ShownNotice } from "./rules.ts";
import { noticeStatement, type NoticeStatement } from "./schema.ts";

const { db } = await testDatabase();
const NOON = new Date("2026-12-01T12:00:00Z");
const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const notice = (changes: Partial<ShownNotice>): ShownNotice => ({
  ...{ id: "one", kind: "trouble", title: "Payouts are late", text: "A day.", since: NOON, until: at(60) },
  ...changes,
});

test.each([
  [-1 / 60_000, false],
  [0, true],
  [59, true],
  [60, false],
])("P6 a notice of an hour, %s minutes after it began, holds: %s", (minutes, isHolding) => {
  expect(holds(notice({}), at(minutes))).toBe(isHolding);
});

test("P6 a notice without an end holds until it is ended, and of several the one that began last leads", () => {
  const endless = notice({ id: "endless", since: at(-600), until: null });
  expect(holds(endless, at(1_000_000))).toBe(true);
  expect(leadingNotice([notice({}), endless], at(1))?.id).toBe("one");
  expect(leadingNotice([endless, notice({})], at(61))?.id).toBe("endless");
  expect(leadingNotice([notice({})], at(-1))).toBeNull();
});

test("P6 the status page has what holds and planned work of the next 14 days, but no trouble to come", () => {
  const soon = notice({ id: "soon", kind: "planned", since: at(14 * 1440), until: null });
  const late = notice({ id: "late", kind: "planned", since: at(14 * 1440 + 1), until: null });
  const trouble = notice({ id: "trouble", since: at(5) });
  expect(noticesOfStatus([late, soon, notice({}), trouble], NOON).map(({ id }) => id)).toEqual(["one", "soon"]);
});

test("P6 a notice as it is typed has London's times, an end after its beginning, and words", () => {
  const typed = {
    brand: "",
    kind: "planned",
    title: " We move ",
    text: "a\r\nb",
    since: "2026-07-01T22:00",
    until: "",
  };
  expect(noticeStatement.parse(typed)).toEqual({
    ...{ brand: null, kind: "planned", title: "We move", text: "a\nb" },
    ...{ since: new Date("2026-07-01T21:00:00Z"), until: null },
  });
  for (const wrong of [
    { title: "" },
    { title: "a\nb" },
    { text: "x".repeat(501) },
    { since: "" },
    { until: "2026-07-01T22:00" },
    { until: "soon" },
    { kind: "party" },
  ])
    expect(noticeStatement.safeParse({ ...typed, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
});

const later = new Date("2099-01-01T00:00:00Z");
const statement = (changes: Partial<NoticeStatement>): NoticeStatement => ({
  ...{ brand: null, kind: "trouble", title: "All", text: "x", since: NOON, until: later },
  ...changes,
});

test("P6 B4 a notice is with its brand or with every brand, and a stale save changes nothing", async () => {
  for (const slug of ["one", "two"]) await insertBrand(db, { slug });
  const shown = async (slug: string) => (await findBrandBySlug(db, slug))?.notices.map(({ title }) => title);
  const save = async (changes: Partial<NoticeStatement>) => {
    const saved = await saveNotice(db, { notice: statement(changes), changed: null });
    return saved.outcome === "saved" ? saved.id : "";
  };
  const all = await save({});
  await save({ brand: "one", title: "One", since: at(1), until: null });
  await save({ title: "Past", since: new Date(0), until: new Date(1) });
  expect(await saveNotice(db, { notice: statement({ brand: "none" }), changed: null })).toEqual({
    outcome: "no-such-brand",
  });
  expect(await shown("one")).toEqual(["All", "One"]);
  expect(await shown("two")).toEqual(["All"]);
  expect((await findBrandBySlug(db, "two"))?.notices).toMatchObject([
    { kind: "trouble", text: "x", since: NOON, until: later },
  ]);
  const { version = 0 } = (await findNoticeRecord(db, { id: all })) ?? {};
  const change = (title: string, from: number) =>
    saveNotice(db, { notice: statement({ title }), changed: { id: all, version: from } });
  expect(await change("All", version)).toEqual({ outcome: "unchanged" });
  expect(await change("Theirs", version)).toEqual({ outcome: "saved", id: all });
  expect(await change("Mine", version)).toMatchObject({ outcome: "stale", stored: { title: "Theirs" } });
  expect(await shown("two")).toEqual(["Theirs"]);
  expect(await removeNotice(db, { id: all })).toBe(true);
  expect(await change("Mine", version)).toEqual({ outcome: "unknown" });
  expect(await shown("two")).toEqual([]);
});

test("P6 of two operators who save the same notice at once, the later one is told what the other has saved", async () => {
  const saved = await saveNotice(db, { notice: statement({}), changed: null });
  const id = saved.outcome === "saved" ? saved.id : "";
  const version = (await findNoticeRecord(db, { id }))?.version ?? 0;
  const change = (database: typeof db, title: string) =>
    saveNotice(database, { notice: statement({ title }), changed: { id, version } });
  const one = await db.startTransaction().execute();
  expect(await change(joinTransaction(one), "Theirs")).toEqual({ outcome: "saved", id });
  const other = change(db, "Mine");
  await untilWaiting(db);
  await one.commit().execute();
  expect(await other).toMatchObject({ outcome: "stale", stored: { title: "Theirs" } });
  expect(await findNoticeRecord(db, { id })).toMatchObject({ title: "Theirs" });
  await removeNotice(db, { id });
});
