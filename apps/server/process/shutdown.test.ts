import { spawn, type ChildProcess } from "node:child_process";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function start(...parameters: string[]) {
  const child = spawn(process.execPath, [fileURLToPath(new URL("serve.testing.ts", import.meta.url)), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.push(child);
  const lines: string[] = [];
  const waiting: { pattern: RegExp; resolve(line: string): void }[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => {
    lines.push(line);
    for (const waiter of waiting.filter(({ pattern }) => pattern.test(line))) waiter.resolve(line);
  });
  const saw = (pattern: RegExp) =>
    new Promise<string>((resolve) => {
      const already = lines.find((line) => pattern.test(line));
      if (already) resolve(already);
      else waiting.push({ pattern, resolve });
    });
  const port = Number((await saw(/^port \d+/)).slice(5));
  return { child, port, lines, saw, exited: once(child, "exit") };
}

/** A post that ends when the test says so. */
function openPost(port: number): { post: ClientRequest; answer: Promise<IncomingMessage> } {
  const post = request({
    port,
    host: "127.0.0.1",
    method: "POST",
    path: "/",
    agent: false,
    headers: { host: "one.test", "transfer-encoding": "chunked", "content-type": "application/x-www-form-urlencoded" },
  });
  const answer = once(post, "response").then(([message]) => message as IncomingMessage);
  answer.catch(() => {}); // two tests end the process under it
  post.write("first part, ");
  return { post, answer };
}

async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

describe("P6 graceful shutdown, in a separate process", () => {
  test("P6 requests in flight are answered, then connections are refused and parts are closed in reverse, whatever fails", async () => {
    const { child, port, lines, saw, exited } = await start();
    const posts = Array.from({ length: 20 }, () => openPost(port));
    const idle = new Agent({ keepAlive: true });
    const settled = request({ port, host: "127.0.0.1", path: "/", agent: idle, headers: { host: "one.test" } }).end();
    const [settledAnswer] = (await once(settled, "response")) as [IncomingMessage];
    await textOf(settledAnswer);
    const idleClosed = once(settled.socket!, "close");
    // A request is in flight once the server has started to read it; the request above came later and was answered.
    child.kill("SIGTERM");
    await saw(/"stopping"/);
    await idleClosed;

    for (const { post } of posts) post.end("second part");
    const answers = await Promise.all(posts.map(({ answer }) => answer));
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers.connection).toBe("close");
      expect(await textOf(answer)).toContain("got 23");
    }
    expect(await exited).toEqual([0, null]);
    const order = lines.map((line) => /closed (first|last)|could not close what fails/.exec(line)?.[0]).filter(Boolean);
    expect(order).toEqual(["closed last", "could not close what fails", "closed first"]);
    const late = request({ port, host: "127.0.0.1", agent: false }).end();
    expect(((await once(late, "error")) as [NodeJS.ErrnoException])[0].code).toBe("ECONNREFUSED");
  });

  test("P6 a request that never ends does not keep the process alive beyond the limit", async () => {
    const { child, port, saw, exited } = await start("50");
    const { post } = openPost(port);
    post.on("error", () => {});
    const probe = request({ port, host: "127.0.0.1", path: "/healthz", agent: false }).end();
    await once(probe, "response");
    child.kill("SIGTERM");
    await saw(/did not stop in time/);
    expect(await exited).toEqual([1, null]);
  });

  test("P6 the limit begins after the drain: requests that come before its end have the whole of it", async () => {
    const [limitMs, drainMs] = [50, 1_000];
    const { child, port, saw, exited } = await start(String(limitMs), String(drainMs));
    const { post } = openPost(port);
    post.on("error", () => {});
    const probe = request({ port, host: "127.0.0.1", path: "/healthz", agent: false }).end();
    await once(probe, "response");
    const asked = performance.now();
    child.kill("SIGTERM");
    await saw(/did not stop in time/);
    // Timers are at most a millisecond early, and a slow machine is only later.
    expect(performance.now() - asked).toBeGreaterThanOrEqual(drainMs + limitMs - 2);
    expect(await exited).toEqual([1, null]);
  });

  test("P6 a second signal ends it at once", async () => {
    const { child, port, saw, exited } = await start();
    const { post } = openPost(port);
    post.on("error", () => {});
    const probe = request({ port, host: "127.0.0.1", path: "/healthz", agent: false }).end();
    await once(probe, "response");
    child.kill("SIGTERM");
    await saw(/"stopping"/);
    child.kill("SIGTERM");
    expect(await exited).toEqual([1, null]);
  });
});

describe("P3 starting, in a separate process", () => {
  test("P3 a wrong environment ends the start with one message of every problem, without a stack", async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("../main.ts", import.meta.url))], {
      env: { FARTHING_ENV: "production", PORT: "none", PATH: process.env["PATH"] },
      stdio: ["ignore", "pipe", "ignore"],
    });
    started.push(child);
    let printed = "";
    child.stdout!.on("data", (chunk) => (printed += String(chunk)));
    expect(await once(child, "close")).toEqual([1, null]);
    const { level, msg: told } = JSON.parse(printed) as { level: string; msg: string };
    expect(level).toBe("fatal");
    expect(told).toMatch(/^Farthing cannot start: \d settings need attention/);
    for (const name of ["PORT", "FARTHING_SECRET", "NODE_ENV", "AWIN_API_TOKEN"]) expect(told).toContain(`- ${name} `);
    expect(told).not.toMatch(/\n\s+at /);
  });
});
