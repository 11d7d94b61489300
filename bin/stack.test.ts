import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { prepareDatabase, startStack, type Stack } from "./stack.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-stack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stacks: Stack[] = [];
afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.stop();
});

/** Writes a server that returns 200 for every request and exits after a request for /end; `first` runs before it listens. */
function program(name: string, first = ""): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `import { createServer } from "node:http";
     ${first}
     createServer((request, response) => {
       response.end(String(process.pid));
       if (request.url === "/end") setImmediate(() => process.exit(7));
     }).listen(Number(process.env.PORT));`,
  );
  return file;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start(server: string) {
  const port = await freePort();
  const lines: string[] = [];
  const stack = startStack({
    port,
    dataDir: folder,
    sandbox: false,
    restartCrashed: true,
    programs: { server },
    onLine: (line) => lines.push(line),
  });
  stacks.push(stack);
  const ask = (path: string) =>
    new Promise<string | null>((resolve) => {
      get({ port, path, host: "localhost", agent: false }, (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString()));
        response.on("end", () => resolve(text));
        response.on("error", () => resolve(null));
      }).on("error", () => resolve(null));
    });
  return { stack, ask, lines };
}

test("P6 npm start restarts a server that ends", async () => {
  const { stack, ask, lines } = await start(program("ends.mjs"));
  await stack.ready();
  const first = await ask("/");
  await ask("/end");
  await expect.poll(() => ask("/"), { timeout: 25_000 }).toMatch(/^\d+$/);
  expect(await ask("/")).not.toBe(first);
  expect(lines).toEqual(["ended with exit code 7; restarting it"]);
});

test("Z1 npm start knows the brands that its server tells when it is ready", async () => {
  const brands = [{ url: "http://ninth.localhost:3000", name: "Ninth", audience: "everybody" }];
  const { stack } = await start(program("tells.mjs", `process.send({ brands: ${JSON.stringify(brands)} });`));
  await stack.ready();
  expect(await stack.brands).toEqual(brands);
});

test("P6 a server that ends repeatedly stops everything, with a message that says so", async () => {
  const { stack, ask } = await start(program("ends-often.mjs"));
  await stack.ready();
  let isBroken = false;
  const broken = stack.broken.catch((error: Error) => {
    isBroken = true;
    return error.message;
  });
  await expect.poll(async () => (await ask("/end"), isBroken), { timeout: 25_000 }).toBe(true);
  expect(await broken).toMatch(
    /^The server (ended 5 times within 60 seconds|was restarted 3 times and never became ready); the last time it ended with exit code 7: everything is stopped\.$/,
  );
  expect(await ask("/")).toBeNull();
});

test("P6 Z1 a server that ends before it is ready is not restarted", async () => {
  const { stack, lines } = await start(program("never.mjs", `console.log("the reason"); process.exit(3);`));
  await expect(stack.ready()).rejects.toThrow(
    "The server ended with exit code 3 before it was ready: everything is stopped.",
  );
  expect(lines).toEqual(["the reason"]);
});

test("P1 a first start prepares its database once, in development only, and leaves a failure to the server to tell", async () => {
  const dataDir = join(folder, "first");
  const mark = join(folder, "prepared");
  const database = join(folder, "prepare.mjs");
  writeFileSync(
    database,
    `import { writeFileSync } from "node:fs";
     writeFileSync(${JSON.stringify(mark)}, process.env.DATA_DIR);
     console.log("half-way");
     process.exit(1);`,
  );
  const lines: string[] = [];
  const prepare = (more: object) =>
    prepareDatabase({ port: 3000, dataDir, programs: { database }, onLine: (line) => lines.push(line), ...more });
  await prepare({ sandbox: false });
  await prepare({ env: { DATABASE_URL: "postgres://db.example/club" } });
  expect(existsSync(mark)).toBe(false);
  await prepare({});
  expect(readFileSync(mark, "utf8")).toBe(dataDir);
  expect(lines).toEqual(["half-way"]);
  mkdirSync(join(dataDir, "postgres"), { recursive: true });
  await prepare({});
  expect(lines).toEqual(["half-way"]);
});
