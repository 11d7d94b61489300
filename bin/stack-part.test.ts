import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startPart } from "./stack-part.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-part-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stayUp = "setInterval(() => {}, 1000); console.log('up', process.pid);";

function script(name: string, code: string): string {
  const file = join(folder, name);
  writeFileSync(file, code);
  return file;
}

function start(file: string, graceMs?: number) {
  const lines: string[] = [];
  let sayUp = () => {};
  const up = new Promise<void>((resolve) => (sayUp = resolve));
  const part = startPart({
    name: "server",
    node: process.execPath,
    file,
    env: { ...process.env },
    onLine: (line) => {
      lines.push(line);
      if (line.startsWith("up")) sayUp();
    },
    ...(graceMs !== undefined && { graceMs }),
  });
  return { part, lines, up };
}

test("P6 a part that is stopped can finish its work", async () => {
  const { part, lines, up } = start(
    script(
      "polite.mjs",
      `process.on("SIGTERM", () => setTimeout(() => { console.log("finished"); process.exit(0); }, 50)); ${stayUp}`,
    ),
  );
  await up;
  await part.stop();
  expect(lines.at(-1)).toBe("finished");
  expect(await part.ended).toBe("ended with exit code 0");
});

test("Z1 a part that ignores SIGTERM is killed", async () => {
  const { part, up } = start(script("stubborn.mjs", `process.on("SIGTERM", () => {}); ${stayUp}`), 100);
  await up;
  await part.stop();
  expect(await part.ended).toBe("was ended by SIGKILL");
});

test("Z1 a part that ends reports how, after all the lines that it printed", async () => {
  const { part, lines } = start(script("broken.mjs", `console.error("the reason"); process.exit(3);`));
  expect(await part.ended).toBe("ended with exit code 3");
  expect(lines).toEqual(["the reason"]);
  expect(part.isRunning()).toBe(false);
});

test("Z1 when the process that started the parts is killed, the parts shut down", async () => {
  const part = script(
    "orphan.mjs",
    `process.on("SIGTERM", () => { console.log("ended in order"); process.exit(0); }); ${stayUp}`,
  );
  const starter = script(
    "starter.mjs",
    `import { startPart } from ${JSON.stringify(join(import.meta.dirname, "stack-part.mjs"))};
     startPart({ name: "server", node: process.execPath, file: ${JSON.stringify(part)}, env: process.env, onLine: (line) => console.log(line) });`,
  );
  const parent = spawn(process.execPath, [starter], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = await new Promise<number>((resolve) => {
    parent.stdout.on("data", (text: Buffer) => {
      const found = /up (\d+)/.exec(text.toString())?.[1];
      if (found) resolve(Number(found));
    });
  });
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
