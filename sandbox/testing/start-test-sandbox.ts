import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox, type Sandbox, type SandboxOptions } from "../create-sandbox.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { writeSampleCatalogue } from "./sample-catalogue.ts";

export const TEST_PUBLISHER_ID = 100001;
export const TEST_TOKEN = "a-token-for-tests";

export interface TestSandbox {
  sandbox: Sandbox;
  receiver: Receiver;
  folder: string;
  /** Calls a path of the sandbox without following redirects. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Calls a path of the report API with the right token. */
  api(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON and reads JSON. */
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Waits until every due push has been sent. */
  settle(): Promise<void>;
  end(): Promise<void>;
}

/** Starts a sandbox with the sample catalogue and a push receiver, in its own folder. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-test-"));
  writeSampleCatalogue(join(folder, "catalogue"));
  const receiver = await startReceiver();
  const sandbox = await createSandbox({
    dataDir: folder,
    catalogueDir: join(folder, "catalogue"),
    pushUrl: receiver.url,
    publisherId: TEST_PUBLISHER_ID,
    apiToken: TEST_TOKEN,
    ...options,
  });
  const call = async (path: string, init?: RequestInit): Promise<Response> =>
    sandbox.fetch(new Request(new URL(path, "http://sandbox.test"), { redirect: "manual", ...init }));
  const json = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await call(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    return (await response.json()) as T;
  };
  return {
    sandbox,
    receiver,
    folder,
    call,
    json,
    api: (path, init) =>
      call(`/awin${path}`, { ...init, headers: { Authorization: `Bearer ${TEST_TOKEN}`, ...init?.headers } }),
    settle: async () => {
      await json("POST", "/control/pushes/settle");
    },
    end: async () => {
      await sandbox.close();
      await receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
