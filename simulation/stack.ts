import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startEmbedded, type EmbeddedServer } from "@farthing/db/embedded.ts";
import pg from "pg";
import type { Fault } from "./breaks/faults.ts";
import { programmesFile } from "./catalogue.ts";
import { createClockFunctions } from "./clock/database-clock.ts";
import type { Accounts } from "./networks-console.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const preload = fileURLToPath(new URL("./clock/moved-clock.mjs", import.meta.url));
const planter = fileURLToPath(new URL("./breaks/plant-faults.mjs", import.meta.url));

/** Secrets of a deployment that lives for minutes, on this machine alone. */
const secret = (name: string) => `${name}-of-a-simulated-club-7Qm2Xw9ZrT4kLb8Vn3`;
/** Ends a start that hangs. A machine with many other things to do needs minutes. */
const START_SECONDS = 600;

/** The real server, its database, and the sandbox that plays the networks, with a clock of their own. */
export interface Stack {
  appUrl: string;
  sandboxUrl: string;
  databaseUrl: string;
  webhookSecrets: Readonly<Record<string, string>>;
  accounts: Accounts;
  /** Where the bank's files are written. */
  bankFolder: string;
  now(): Date;
  /** Jumps to a moment: every process has it when this resolves. */
  setClock(at: Date): Promise<void>;
  /** Ends the process with SIGKILL, and starts it again. */
  kill(which: "app" | "database"): Promise<void>;
  /** Runs one of the server's commands. With `killAfterMs`, it is ended by SIGKILL then, unless it is done. */
  command(file: string, args: readonly string[], killAfterMs?: number): Promise<{ code: number | null; text: string }>;
  /** What the server said of errors. */
  said: readonly string[];
  /** Files in which a fault was planted so far. */
  plantedFiles(): string[];
  stop(): Promise<void>;
}

export interface StackOptions {
  start: Date;
  rakutenHoldDays: number;
  /** Faults that are planted in the club's code as its processes load it. */
  faults?: readonly Fault[];
  /** Called when the database is there and still empty of members, before the server starts. */
  seed(databaseUrl: string): Promise<void>;
}

/** Starts all processes. They end with the stack, and where the start fails or the run is stopped by a signal. */
export async function openStack(options: StackOptions): Promise<Stack> {
  const closing: (() => Promise<unknown> | void)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  const stopOnSignal = () => void stop().finally(() => process.exit(1));
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, stopOnSignal);
  closing.push(() => {
    for (const signal of signals) process.off(signal, stopOnSignal);
  });
  try {
    return { ...(await openParts(options, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openParts(
  { start, rakutenHoldDays, faults = [], seed }: StackOptions,
  closing: (() => Promise<unknown> | void)[],
): Promise<Omit<Stack, "stop">> {
  const folder = mkdtempSync(join(tmpdir(), "farthing-simulation-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  chmodSync(folder, 0o755); // PostgreSQL's account must be able to enter it
  const bankFolder = join(folder, "bank");
  const catalogue = join(folder, "catalogue");
  for (const path of [bankFolder, catalogue, join(folder, "sandbox")]) mkdirSync(path);
  mkdirSync(join(folder, "data"), { mode: 0o755 });
  writeFileSync(join(catalogue, "awin-programmes.json"), JSON.stringify({ programmes: programmesFile() }));
  writeFileSync(join(catalogue, "awin-promotions.json"), JSON.stringify({ data: [] }));
  const [appPort, sandboxPort, smtpPort] = await freePorts(3);
  const appUrl = `http://127.0.0.1:${appPort}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  let offsetMs = start.getTime() - Date.now();
  const said: string[] = [];

  const startDatabase = () => startEmbedded({ folder: join(folder, "data", "postgres"), database: "simulation" });
  let database: EmbeddedServer = await startDatabase();
  closing.push(() => database.stop({ evenIfUsed: true }).catch(() => undefined));
  const url = new URL(database.url);
  url.searchParams.set("options", "-c search_path=public,pg_catalog");
  const databaseUrl = url.href;
  await createClockFunctions(databaseUrl, offsetMs);
  await seed(databaseUrl);

  const webhookSecrets = { awin: secret("awin"), rakuten: secret("rakuten"), impact: secret("impact") };
  const accounts = {
    AWIN_PUBLISHER_ID: "100001",
    AWIN_API_TOKEN: secret("awin-token"),
    AWIN_PUSH_SECRET: webhookSecrets.awin,
    CJ_ACCESS_TOKEN: secret("cj-token"),
    CJ_COMPANY_ID: "200002",
    CJ_PROPERTY_ID: "8200002",
    RAKUTEN_SITE_ID: "3300003",
    RAKUTEN_LINK_ID: "DevLink0003",
    RAKUTEN_CLIENT_ID: "simulated-client",
    RAKUTEN_CLIENT_SECRET: secret("rakuten-client"),
    RAKUTEN_PUSH_SECRET: webhookSecrets.rakuten,
    IMPACT_ACCOUNT_SID: "IRsimulated",
    IMPACT_AUTH_TOKEN: secret("impact-token"),
    IMPACT_PUSH_SECRET: webhookSecrets.impact,
    PARTNERIZE_PUBLISHER_ID: "1l1000001",
    PARTNERIZE_APPLICATION_KEY: "simulated-application",
    PARTNERIZE_USER_API_KEY: secret("partnerize-key"),
  };
  const serverEnvironment = {
    ...accounts,
    FARTHING_ENV: "staging",
    NODE_ENV: "production",
    FARTHING_SECRET: secret("club"),
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, "data"),
    PORT: String(appPort),
    HOST: "127.0.0.1",
    TRUST_PROXY: "loopback",
    PUBLIC_SCHEME: "http",
    LOG_LEVEL: "error",
    DRAIN_SECONDS: "0",
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    MAIL_FROM: "club@simulation.example",
    BACS_ORIGINATOR: "123456,20-00-00,55779911,THE CLUB",
    PAYOUTS_DIR: bankFolder,
    AWIN_API_URL: `${sandboxUrl}/awin`,
    AWIN_CLICK_URL: `${sandboxUrl}/awin/cread.php`,
    CJ_REPORT_URL: `${sandboxUrl}/cj/query`,
    CJ_CLICK_URL: `${sandboxUrl}/cj`,
    RAKUTEN_API_URL: `${sandboxUrl}/rakuten`,
    RAKUTEN_CLICK_URL: `${sandboxUrl}/rakuten/deeplink`,
    RAKUTEN_HOLD_DAYS: String(rakutenHoldDays),
    IMPACT_API_URL: `${sandboxUrl}/impact`,
    IMPACT_CLICK_URL: `${sandboxUrl}/impact`,
    PARTNERIZE_API_URL: `${sandboxUrl}/partnerize`,
    PARTNERIZE_CLICK_URL: `${sandboxUrl}/partnerize`,
    ...Object.fromEntries(
      ["AWIN", "CJ", "RAKUTEN", "IMPACT", "PARTNERIZE"].map((name) => [`${name}_POLL_SECONDS`, "600"]),
    ),
  };
  const faultLog = join(folder, "faults.log");
  const inServer = (file: string) => [
    `--import=${preload}`,
    ...(faults.length > 0 ? [`--import=${planter}`] : []),
    join(root, file),
  ];
  /** Where faketime shifts this process, it shifts those of the club alike: their clocks are moved by the distance to this one. */
  const shared = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(PATH$|HOME$|LD_PRELOAD$|FAKETIME)/.test(name)),
  );
  const environmentNow = () => ({
    ...shared,
    ...serverEnvironment,
    NODE_COMPILE_CACHE: join(root, ".cache/simulation/compiled"), // halves the start of a command
    SIMULATION_OFFSET_MS: String(offsetMs),
    SIMULATION_FAULTS: JSON.stringify(faults),
    SIMULATION_FAULT_LOG: faultLog,
  });
  const listen = (child: ChildProcess) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (text: Buffer) => said.push(...String(text).trim().split("\n")));
  };

  const sandbox = spawn(process.execPath, [join(root, "sandbox/main.ts")], {
    env: {
      ...shared,
      ...accounts,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_SMTP_PORT: String(smtpPort),
      DATA_DIR: join(folder, "sandbox"),
      CATALOGUE_DIR: catalogue,
      SERVICE_URL: appUrl,
      PUSH_URL: `${appUrl}/webhooks/awin/${webhookSecrets.awin}`,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  listen(sandbox);
  closing.push(() => end(sandbox));

  let app: ChildProcess;
  closing.push(() => end(app));
  async function startApp(): Promise<void> {
    app = spawn(process.execPath, inServer("apps/server/main.ts"), {
      env: environmentNow(),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    listen(app);
    await untilAnswers(`${appUrl}/readyz`, app, said);
  }
  async function tellApp(): Promise<void> {
    const heard = once(app, "message");
    app.send({ offsetMs });
    await heard;
  }
  await Promise.all([untilAnswers(`${sandboxUrl}/healthz`, sandbox, said), startApp()]);

  async function setClock(at: Date): Promise<void> {
    offsetMs = Math.max(offsetMs, at.getTime() - Date.now()); // a slow step may have passed it: no clock goes back
    await fetch(`${sandboxUrl}/control/scenario`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ clock: { at: new Date(Date.now() + offsetMs).toISOString(), stands: false } }),
    });
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query("update simulated_clock set offset_ms = $1", [offsetMs]);
    await client.end();
    await tellApp();
  }
  await setClock(start);

  return {
    appUrl,
    sandboxUrl,
    databaseUrl,
    webhookSecrets,
    accounts,
    bankFolder,
    said,
    now: () => new Date(Date.now() + offsetMs),
    setClock,
    async kill(which) {
      if (which === "app") {
        await end(app);
        await startApp();
        return;
      }
      process.kill(database.pid, "SIGKILL");
      for (let tries = 0; ; tries += 1) {
        await delay(200);
        try {
          database = await startDatabase();
          break;
        } catch (error) {
          if (tries === 50) throw error;
        }
      }
      await untilAnswers(`${appUrl}/readyz`, app, said);
    },
    async command(file, args, killAfterMs) {
      const child = spawn(process.execPath, [...inServer(`apps/server/commands/${file}`), ...args], {
        env: environmentNow(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      let text = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (text += String(part)));
      const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
      const [code] = (await once(child, "close")) as [number | null];
      clearTimeout(timer);
      return { code, text };
    },
    plantedFiles: () => readLines(faultLog),
  };
}

/** Ends a process with SIGKILL, unless it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

function readLines(file: string): string[] {
  try {
    return [...new Set(readFileSync(file, "utf8").split("\n").filter(Boolean))];
  } catch {
    return []; // no fault was planted yet
  }
}

async function untilAnswers(url: string, child: ChildProcess, said: readonly string[]): Promise<void> {
  const until = performance.now() + START_SECONDS * 1000;
  while (performance.now() < until) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`A process ended before it answered at ${url}:\n${said.slice(-20).join("\n")}`);
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await delay(100);
  }
  throw new Error(`Nothing answered at ${url} for ${START_SECONDS} s:\n${said.slice(-20).join("\n")}`);
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  for (const server of servers) {
    server.close();
    await once(server, "close");
  }
  return ports;
}
