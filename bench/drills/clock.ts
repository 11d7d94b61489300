import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { appProcess } from "./app-process.ts";
import type { Drill } from "./drill.ts";
import { onOwnServer } from "./stand.ts";

/** The offsets of the first application's clock, in their order. */
const JUMPS = ["+1h", "+0", "-1h", "+0"];
/** The worker compares clocks every 15 seconds. */
const SECONDS_EACH = 16;

export const clock: Drill = {
  name: "clock",
  what: "the clock of one of two applications jumps an hour ahead, back, an hour behind, and back",
  needs: ["faketime"],
  mark: { failed: 0 },
  run(parts) {
    const file = join(parts.folder, "clock");
    writeFileSync(file, "+0");
    return onOwnServer(
      parts,
      {
        makeApp: (port, settings) =>
          appProcess(port, port === parts.port ? { ...settings, ...shiftedBy(file), LOG_LEVEL: "error" } : settings),
      },
      async ({ notes, faults, apps: [shifted] }) => {
        for (const offset of JUMPS) {
          writeFileSync(file, offset);
          await delay((parts.isSmall ? 2 : SECONDS_EACH) * 1_000);
        }
        const jumps = shifted!.said.filter((line) => line.includes("the wall clock jumped")).length;
        notes.push(`The log says ${jumps} times that the clock jumped.`);
        if (jumps === 0 && !parts.isSmall) faults.push("The log does not say that the clock jumped.");
      },
    );
  },
};

/** Returns variables that make a process read its wall clock's offset from a file, again and again. */
function shiftedBy(file: string): Record<string, string> {
  const library = readdirSync("/usr/lib")
    .map((folder) => join("/usr/lib", folder, "faketime"))
    .flatMap((folder) => {
      try {
        return readdirSync(folder).map((name) => join(folder, name));
      } catch {
        return []; // a folder without faketime
      }
    })
    .find((name) => name.endsWith("libfaketimeMT.so.1"));
  if (library === undefined) throw new Error("faketime is installed without its library.");
  return { LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: "1", DONT_FAKE_MONOTONIC: "1" };
}
