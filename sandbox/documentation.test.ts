import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createTransport } from "nodemailer";
import { afterAll, expect, test } from "vitest";
import { findNode } from "../bin/find-node.mjs";
import { example, root } from "../docs/examples/fenced-blocks.ts";
import { temporaryFolder } from "../docs/examples/run-example.testing.ts";

// Runs the examples of docs/sandbox.md: the command starts the sandbox, and the mailbox returns the documented fields.

const DOCUMENT = "docs/sandbox.md";
const folder = temporaryFolder();
let sandbox: ChildProcess | undefined;
afterAll(async () => {
  if (!sandbox || sandbox.exitCode !== null) return;
  sandbox.kill("SIGTERM");
  await once(sandbox, "exit");
});

test("Z7 the command starts the sandbox, and its mailbox returns the documented fields", async () => {
  const command = example(DOCUMENT, "node sandbox/main.ts")
    .replace("SANDBOX_PORT=3001", "SANDBOX_PORT=0 SANDBOX_SMTP_PORT=0")
    .replace("<secret>", "secret")
    .replace("node ", `exec ${findNode()} `);
  const started = spawn("sh", ["-ec", command], {
    cwd: root,
    env: { PATH: process.env["PATH"], DATA_DIR: join(folder, "data") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  sandbox = started;
  const ended = once(started, "exit").then(([code]) => {
    throw new Error(`The sandbox ended with ${String(code)}.`);
  });
  const [line] = (await Promise.race([once(createInterface(started.stdout), "line"), ended])) as [string];
  const { web = "", smtp = "" } = /localhost:(?<web>\d+).*port (?<smtp>\d+)/.exec(line)?.groups ?? {};

  const transport = createTransport({ host: "127.0.0.1", port: Number(smtp), secure: false, ignoreTLS: true });
  await transport.sendMail({
    from: "a@club.example",
    to: "b@mail.example",
    subject: "Hello",
    text: "https://a.example",
  });
  const answer = await fetch(`http://127.0.0.1:${web}/mailbox/messages?to=b@mail.example`);
  const [received] = (await answer.json()) as Record<string, unknown>[];
  const [documented] = JSON.parse(example(DOCUMENT, '"receivedAt"')) as Record<string, unknown>[];
  expect(Object.keys(documented ?? {})).toEqual(Object.keys(received ?? {}));
});
