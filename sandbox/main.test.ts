import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { startReceiver } from "./testing/receiver.ts";
import { writeSampleCatalogue } from "./testing/sample-catalogue.ts";

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** Starts the sandbox as a separate process. Returns its address once it has printed it. */
async function start(folder: string, pushUrl: string): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: {
      ...process.env,
      SANDBOX_PORT: "0",
      SANDBOX_SMTP_PORT: "0",
      DATA_DIR: folder,
      PUSH_URL: pushUrl,
      AWIN_PUBLISHER_ID: "100001",
      AWIN_API_TOKEN: "token",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /http:\/\/localhost:(\d+)/.exec(text);
      if (found) resolve(`http://127.0.0.1:${found[1]}`);
    });
    child.on("exit", (code) => reject(new Error(`The sandbox ended with ${code} before it listened.`)));
  });
  return { url, child };
}

describe("R1 the sandbox as a process", () => {
  test("R1 kill -9 right after each answer loses no click and no sale", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sandbox-kill-"));
    writeSampleCatalogue(join(folder, "catalogue"));
    const receiver = await startReceiver();
    receiver.answer(503);

    const first = await start(folder, receiver.url);
    const clicked = await fetch(`${first.url}/awin/cread.php?awinmid=5001&awinaffid=100001&clickref=survivor`, {
      redirect: "manual",
    });
    first.child.kill("SIGKILL");
    expect(clicked.status).toBe(302);

    const second = await start(folder, receiver.url);
    const made = (await (
      await fetch(`${second.url}/control/transactions`, {
        method: "POST",
        body: JSON.stringify({ advertiserId: 5001, salePence: 1234, orderRef: "KEPT-1" }),
      })
    ).json()) as { id: number };
    second.child.kill("SIGKILL");

    const third = await start(folder, receiver.url);
    const read = async (path: string): Promise<unknown> => (await fetch(third.url + path)).json();
    expect(await read("/control/clicks")).toMatchObject([{ click_ref: "survivor" }]);
    expect(await read("/control/transactions?orderRef=KEPT-1")).toMatchObject([{ id: made.id, sale_pence: 1234 }]);

    const ended = new Promise((resolve) => third.child.on("exit", resolve));
    third.child.kill("SIGTERM");
    expect(await ended).toBe(0);
    await receiver.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
