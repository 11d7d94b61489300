import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeMark, missesOf, type Figures } from "./drill.ts";
import { drillPrograms, drills } from "./drills.ts";
import { whatIsMissing } from "./programs.ts";
import { compared, comparedClicks } from "./senders.ts";

const figures: Figures = {
  ...{ requests: 1_000, failed: 0, lost: 0, doubled: 0, outageSeconds: 0.2, faults: [], notes: [] },
};

test("R1 a drill is missed by one lost or doubled row, whatever its mark", () => {
  expect(missesOf(figures, {})).toEqual([]);
  expect(missesOf({ ...figures, lost: 1 }, {})).toEqual(["1 lost."]);
  expect(missesOf({ ...figures, doubled: 2 }, {})).toEqual(["2 doubled."]);
  expect(missesOf({ ...figures, faults: ["The books differ."] }, {})).toEqual(["The books differ."]);
});

test("R1 failed requests and seconds without an answer count where the mark names them", () => {
  const worse = { ...figures, failed: 3, outageSeconds: 12 };
  expect(missesOf(worse, {})).toEqual([]);
  expect(missesOf(worse, { failed: 3, outageSeconds: 12 })).toEqual([]);
  expect(missesOf(worse, { failed: 2, outageSeconds: 11.9 })).toEqual([
    "3 requests failed.",
    "12 s without an answer.",
  ]);
});

test("R1 a drill without a single request proves nothing", () => {
  expect(missesOf({ ...figures, requests: 0 }, {})).toEqual(["Nothing was requested."]);
});

test("R1 what was acknowledged is compared with what is stored, one by one", () => {
  const stored = [
    { key: "kept", times: 1 },
    { key: "twice", times: 2 },
    { key: "without an answer", times: 1 },
  ];
  expect(compared(new Set(["kept", "twice", "gone"]), stored)).toEqual({ acknowledged: 3, lost: 1, doubled: 1 });
});

test("R1 a click that was stored twice is counted, although each has a reference of its own", () => {
  const acknowledged = new Set(["a", "b"]);
  const clicks = (stored: string[], sent: number) => comparedClicks({ acknowledged, stored, before: 1, sent });
  expect(clicks(["earlier", "a", "b"], 2)).toEqual({ acknowledged: 2, lost: 0, doubled: 0 });
  // The answer of a third one was lost on its way.
  expect(clicks(["earlier", "a", "b", "c"], 3)).toMatchObject({ doubled: 0 });
  expect(clicks(["earlier", "a", "b", "c"], 2)).toMatchObject({ doubled: 1 });
  expect(clicks(["earlier", "a"], 2)).toMatchObject({ lost: 1 });
});

test("R1 a missing program is named with the line that installs it", () => {
  expect(whatIsMissing(["haproxy", "etcd"], () => "/usr/bin/there")).toBeNull();
  expect(whatIsMissing(["haproxy", "etcd"], (name) => (name === "etcd" ? null : "/usr/bin/there"))).toBe(
    "etcd not installed. Debian: apt-get install --no-install-recommends etcd-server",
  );
});

test("R1 the document has every drill once, with its mark", () => {
  const document = readFileSync(new URL("../../docs/operations/drills.md", import.meta.url), "utf8");
  const marks = document.slice(document.indexOf("## The drills"), document.indexOf("## Measured"));
  const rows = marks.split("\n").filter((line) => line.startsWith("| `"));
  const names = rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? "");
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining([...drills, ...drillPrograms].map(({ name }) => name)));
  for (const { name, mark } of drills)
    expect(
      rows.find((row) => row.startsWith(`| \`${name}\``)),
      name,
    ).toContain(describeMark(mark));
});
