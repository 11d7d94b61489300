import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runTool } from "./run-tool.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-run-tool-"));
const node = (script: string, options = {}) => runTool(process.execPath, ["-e", script], options);

test("P6 a tool returns its exit code and what it printed", async () => {
  expect(await node("console.log('one'); process.exit(3)")).toEqual({ code: 3, output: "one\n", stoodStill: false });
});

test("P6 a tool that is killed by a signal has failed", async () => {
  const { code, stoodStill } = await node("process.kill(process.pid, 'SIGKILL')");
  expect({ code, stoodStill }).toEqual({ code: 1, stoodStill: false });
});

test("P6 a tool that has written its result and does not exit is stopped, and has not failed", async () => {
  const result = join(folder, "result.json");
  const stands = `require("node:fs").writeFileSync(${JSON.stringify(result)}, "{}"); setInterval(() => {}, 1000)`;
  expect(await node(stands, { result, exitMs: 20 })).toEqual({ code: 0, output: "", stoodStill: true });
  expect(existsSync(result)).toBe(true);
});

test("P6 a tool that exits after its result keeps its exit code", async () => {
  const result = join(folder, "other.json");
  const exits = `require("node:fs").writeFileSync(${JSON.stringify(result)}, "{}"); process.exit(1)`;
  expect(await node(exits, { result })).toMatchObject({ code: 1, stoodStill: false });
});
