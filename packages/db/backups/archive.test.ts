import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { archiveCommand, missingSegments, parseSegment, restoreCommand } from "./archive.ts";
import { parseHistory, readLogLine } from "./log-line.ts";

const folder = mkdtempSync(path.join(tmpdir(), "farthing-archive-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command as PostgreSQL does: it replaces %p, %f and %%, and gives the text to the shell. */
function run(command: string, { name, file }: { name: string; file: string }): number | null {
  const text = command.replaceAll(/%[pf%]/g, (word) => ({ "%p": file, "%f": name })[word] ?? "%");
  return spawnSync("sh", ["-c", text], { cwd: folder, stdio: "ignore" }).status;
}

describe("the archive of the write-ahead log", () => {
  test.each(["wal", "with space", "it's", "100%", "%f"])(
    "R1 a segment is stored in %j and brought back as it was",
    (own) => {
      const wal = path.join(folder, own);
      mkdirSync(wal);
      writeFileSync(path.join(folder, "written"), Buffer.alloc(100_000, "segment"));
      const name = "000000010000000000000001";
      expect(run(archiveCommand(wal), { name, file: "written" })).toBe(0);
      expect(readdirSync(wal)).toEqual([`${name}.gz`]);
      expect(statSync(path.join(wal, `${name}.gz`)).mode & 0o777).toBe(0o600);
      expect(run(restoreCommand(wal), { name, file: "restored" })).toBe(0);
      expect(readFileSync(path.join(folder, "restored"))).toEqual(readFileSync(path.join(folder, "written")));
    },
  );

  test("R1 a segment that is archived is never replaced by another, and the same one again is a success", () => {
    const wal = path.join(folder, "kept");
    mkdirSync(wal);
    const name = "000000010000000000000002";
    const archive = (text: string) => {
      writeFileSync(path.join(folder, "written"), text);
      return run(archiveCommand(wal), { name, file: "written" });
    };
    expect(archive("first")).toBe(0);
    expect(archive("first")).toBe(0);
    expect(archive("second")).not.toBe(0);
    expect(gunzipSync(readFileSync(path.join(wal, `${name}.gz`))).toString()).toBe("first");
  });

  test("R1 what a crash in the middle of archiving left is replaced", () => {
    const wal = path.join(folder, "crashed");
    mkdirSync(wal);
    const name = "000000010000000000000003";
    writeFileSync(path.join(wal, `.${name}.part`), "torn");
    writeFileSync(path.join(folder, "written"), "whole");
    expect(run(archiveCommand(wal), { name, file: "written" })).toBe(0);
    expect(gunzipSync(readFileSync(path.join(wal, `${name}.gz`))).toString()).toBe("whole");
    expect(readdirSync(wal)).toEqual([`${name}.gz`]);
  });

  test("R1 a segment that is not archived is not found, and nothing is written", () => {
    expect(run(restoreCommand(path.join(folder, "kept")), { name: "000000010000000000000009", file: "none" })).not.toBe(
      0,
    );
    expect(readdirSync(folder)).not.toContain("none");
  });
});

describe("timelines of the archive", () => {
  const history = (text: string) => gzipSync(`${text}\tno recovery target specified\n`);
  const archive = (files: Record<string, Buffer | string>) => {
    const wal = mkdtempSync(path.join(folder, "wal-"));
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(wal, `${name}.gz`), content);
    return readLogLine(wal);
  };
  const named = (timeline: number, ...positions: number[]) =>
    Object.fromEntries(
      positions.map((position) => [`0000000${timeline}00000000000000${position.toString(16).padStart(2, "0")}`, ""]),
    );
  const backup = (timeline: number, start: number, stop: number) => {
    const [startSegment = "", stopSegment = ""] = [start, stop].flatMap((position) =>
      Object.keys(named(timeline, position)),
    );
    return { startSegment, stopSegment };
  };

  test("R1 what was logged after the moment of a restore is on no line, and a base backup of that time is left behind", () => {
    // Restored to a moment in segment 5; from there on the log has another timeline.
    const line = archive({
      ...named(1, 3, 4, 5, 6, 7),
      ...named(2, 5, 6),
      "00000002.history": history("1\t0/5000060"),
    });
    expect(line.segments.map(({ timeline, position }) => [timeline, position])).toEqual([
      ...[
        [1, 3],
        [1, 4],
        [1, 5],
        [2, 5],
        [2, 6],
      ],
    ]);
    expect([backup(1, 3, 4), backup(1, 4, 5), backup(1, 6, 6), backup(2, 6, 6)].map(line.leadsOnFrom)).toEqual([
      ...[true, false, false, true],
    ]);
    expect(line.faults).toEqual([]);
  });

  test("R1 after a second restore from the first timeline the one between is left behind as well", () => {
    const line = archive({
      ...{ ...named(1, 3, 4, 5), ...named(2, 5, 6), ...named(3, 4, 5) },
      ...{ "00000002.history": history("1\t0/5000060"), "00000003.history": history("1\t0/4000060") },
    });
    expect(line.segments.map(({ name }) => name.slice(7, 8))).toEqual(["1", "1", "3", "3"]);
    expect(line.leadsOnFrom(backup(2, 6, 6))).toBe(false);
    expect(parseHistory("1\t2/FF000028\treason\n2\t3/100\tanother\n")).toEqual(
      new Map([
        [1, 2 * 256 + 255],
        [2, 3 * 256],
      ]),
    );
  });

  test("R1 a history that is missing or torn is named: without it the log ends where it leaves a timeline", () => {
    expect(archive({ ...named(1, 3), ...named(2, 3) }).faults).toEqual([
      expect.stringContaining("00000002.history.gz is missing"),
    ]);
    expect(archive({ ...named(1, 3), "00000002.history": "torn" }).faults).toEqual([
      expect.stringContaining("00000002.history.gz is torn"),
    ]);
  });
});

describe("gaps of the archive", () => {
  const segments = (...names: string[]) => names.map((name) => parseSegment(name)).filter((found) => found !== null);

  test("R1 names are read, and other files of the archive are none", () => {
    expect(parseSegment("0000000200000003000000FF")).toEqual({
      ...{ name: "0000000200000003000000FF", timeline: 2, position: 3 * 256 + 255 },
    });
    for (const name of [
      "00000002.history",
      "000000010000000000000003.00000028.backup",
      "000000010000000000000100",
      "x",
    ])
      expect(parseSegment(name)).toBeNull();
  });

  test("R1 a sequence has no gap over the end of a log file and over a new timeline", () => {
    const whole = segments("0000000100000000000000FE", "0000000100000000000000FF", "000000010000000100000000");
    expect(missingSegments(whole, 254)).toEqual([]);
    const restored = segments("000000010000000000000003", "000000010000000000000004", "000000020000000000000004");
    expect(missingSegments([...restored, ...segments("000000020000000000000005")], 3)).toEqual([]);
  });

  test("R1 missing segments are named, also at the beginning; earlier ones don't matter", () => {
    const torn = segments("000000010000000000000001", "000000010000000000000004", "000000010000000000000007");
    expect(missingSegments(torn, 3)).toEqual([
      ...["000000010000000000000003", "000000010000000000000005", "000000010000000000000006"],
    ]);
    expect(missingSegments(torn, 7)).toEqual([]);
    expect(missingSegments([], 3)).toEqual([]);
  });
});
