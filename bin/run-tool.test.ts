import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runTool } from "./run-tool.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-run-tool-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
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

/** Makes a checkout without packages, and an npm that never ends by itself; told to stop, it ends a program later. */
function checkout() {
  const place = mkdtempSync(join(folder, "checkout-"));
  cpSync(import.meta.dirname, join(place, "bin"), { recursive: true });
  writeFileSync(
    join(place, "package-lock.json"),
    JSON.stringify({ packages: { "node_modules/pg": { version: "8" } } }),
  );
  const [npm, running, ended] = ["npm.js", "running", "ended"].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    npm,
    `const { execFile } = require("node:child_process");
    const { renameSync, writeFileSync } = require("node:fs");
    process.on("SIGINT", () => execFile("true", () => { writeFileSync(${JSON.stringify(ended)}, ""); process.exit(1); }));
    setInterval(() => {}, 1000);
    writeFileSync(${JSON.stringify(`${running}.new`)}, String(process.pid));
    renameSync(${JSON.stringify(`${running}.new`)}, ${JSON.stringify(running)});`,
  );
  return { place, npm, running, ended };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test.each([
  ["build.mjs"],
  ["measure-budgets.mjs"],
  ["check.mjs"],
  ["start.mjs"],
  ["run.mjs", "never-run.ts"],
  ["run.mjs", "apps/server/commands/never-run.ts"],
])("P6 Ctrl-C ends what bin/%s runs before the command ends, and leaves no turn taken", async (command, ...words) => {
  const { place, npm, running, ended } = checkout();
  const { npm_lifecycle_event: _, ...env } = process.env;
  const started = spawn(process.execPath, [join(place, "bin", command), ...words], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...env, npm_execpath: npm, FARTHING_ENV: "production", PORT: String(await freePort()) },
  });
  let said = "";
  started.stderr.on("data", (part) => (said += String(part)));
  const end = once(started, "exit");
  try {
    await expect.poll(() => existsSync(running), { timeout: 20_000 }).toBe(true);
    started.kill("SIGINT");
    await end;
    expect(existsSync(ended)).toBe(true);
    expect(existsSync(join(place, ".cache", "installing"))).toBe(false);
    expect(said).not.toContain("never-run.ts");
    expect(said).not.toContain("    at ");
  } finally {
    started.kill("SIGKILL");
    try {
      process.kill(Number(readFileSync(running, "utf8")), "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
});
