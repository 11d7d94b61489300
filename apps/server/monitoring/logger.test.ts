import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

/** Runs a program to its end. Returns what it printed to standard output and error together. */
async function printedBy(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ lines: string[]; code: number | null }> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += part.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { lines: text.split("\n").filter((line) => line !== ""), code };
}
const read = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe("P6 outside development everything the process prints is one JSON record per line", () => {
  test("P6 output of libraries and Node goes to the log with its level", async () => {
    const program = `
      import { openLogger, takeOverConsole } from ${JSON.stringify(file("logger.ts"))};
      const { logger, close } = openLogger({ logLevel: "debug", environment: "production" });
      const giveBack = takeOverConsole(logger);
      console.log("two\\nlines and %s", "a word");
      console.warn("a warning", { of: "something" });
      console.error(new TypeError("a fault"));
      console.debug("details");
      process.emitWarning("this is old", "DeprecationWarning");
      setImmediate(() => { giveBack(); close(); });`;
    const { lines } = await printedBy(["--input-type=module", "-e", program]);
    expect(read(lines).map(({ level, source, msg }) => [level, source, msg])).toEqual([
      ["info", "console", "two\nlines and a word"],
      ["warn", "console", "a warning { of: 'something' }"],
      ["error", "console", "a fault"],
      ["debug", "console", "details"],
      ["warn", "node", "this is old"],
    ]);
    expect(read(lines)[2]?.["err"]).toMatchObject({
      type: "TypeError",
      stack: expect.stringContaining("a fault") as string,
    });
  });

  test("P3 P6 a failed start is a record too, with every problem", async () => {
    const { lines, code } = await printedBy([file("../main.ts")], { FARTHING_ENV: "production" });
    expect(code).toBe(1);
    expect(read(lines)).toEqual([
      expect.objectContaining({
        level: "fatal",
        msg: expect.stringMatching(/FARTHING_SECRET is not set[^]*SMTP_URL/) as string,
      }),
    ]);
  });

  test("P3 in development a failed start is plain text", async () => {
    const { lines, code } = await printedBy([file("../main.ts")], { PORT: "no number" });
    expect(code).toBe(1);
    expect(lines.join("\n")).toMatch(/^Farthing cannot start: 1 setting needs attention\.\n {2}- PORT/);
  });

  test("P6 standard output that can't be written costs lines, not the process", async () => {
    // /dev/full fails as a full disk does.
    const program = `
      import { openLogger } from ${JSON.stringify(file("logger.ts"))};
      const { logger, close } = openLogger({ logLevel: "info", environment: process.argv[1] });
      for (let number = 0; number < 5000; number += 1) logger.info("a line of some length, over and over again");
      setTimeout(() => { for (let number = 0; number < 500; number += 1) logger.info("another"); close(); process.stderr.write("alive"); }, 20);`;
    for (const environment of ["production", "dev"]) {
      const full = openSync("/dev/full", "w");
      const child = spawn(process.execPath, ["--input-type=module", "-e", program, environment], {
        stdio: ["ignore", full, "pipe"],
      });
      closeSync(full);
      let said = "";
      child.stderr!.on("data", (part: Buffer) => (said += part.toString()));
      const [code] = (await once(child, "close")) as [number | null];
      expect({ said, code }).toEqual({ said: "alive", code: 0 });
    }
  });

  test("P6 every line arrives whole, also if more is written than a pipe holds", async () => {
    const program = `
      import { openLogger } from ${JSON.stringify(file("logger.ts"))};
      const { logger, close } = openLogger({ logLevel: "info", environment: process.argv[1] });
      for (let number = 0; number < 3000; number += 1) logger.info({ number }, "x".repeat(100));
      setImmediate(() => { for (let number = 3000; number < 4000; number += 1) logger.info({ number }, "y"); close(); });`;
    for (const environment of ["production", "dev"]) {
      const { lines, code } = await printedBy(["--input-type=module", "-e", program, environment]);
      expect(code).toBe(0);
      const numbers = read(lines).map(({ number }) => number as number);
      expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 4000 }, (_, number) => number));
    }
  });
});
