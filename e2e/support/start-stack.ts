import { chmodSync, createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreeStackPort } from "../../bin/free-port.mjs";
import { ensureAppsBuilt } from "../../bin/site-build.mjs";
import { startStack, stackPorts } from "../../bin/stack.mjs";
import { step } from "../../bin/step.mjs";
import { ensureWidgetBuilt } from "../../bin/widget-build.mjs";
import { lengthenLastDay } from "./known-offer.ts";

const DATA_DIR_PREFIX = "farthing-e2e-";
const logFile = join(import.meta.dirname, "../../.cache/e2e/stack.log");

/**
 * Playwright's global set-up. Starts one whole stack for the run (built site, server, sandbox, its own database), on free ports and in a folder
 * that is removed afterwards. Tests find it through the fixtures of fixtures.ts.
 */
export default async function startStackForTests(): Promise<() => Promise<void>> {
  await ensureAppsBuilt();
  await ensureWidgetBuilt();
  const port = await findFreeStackPort(Number(process.env["E2E_PORT"] || 4700), (first) => stackPorts(first, true));
  clearAbandoned();
  const dataDir = mkdtempSync(join(tmpdir(), `${DATA_DIR_PREFIX}${process.pid}-`));
  chmodSync(dataDir, 0o755); // as root, the database runs under another account, which needs access to its folder in here
  mkdirSync(join(logFile, ".."), { recursive: true });
  const log = createWriteStream(logFile);
  const stack = startStack({
    port,
    dataDir,
    // A short poll interval, so that a test sees a purchase or a claim's answer arrive. Settings of the environment must not affect the tests.
    env: {
      AWIN_POLL_SECONDS: "1",
      IMPACT_POLL_SECONDS: "1",
      FARTHING_ENV: "dev",
      FARTHING_DEV_PAGES: "",
      DATABASE_URL: "",
      HOST: "",
      TRUST_PROXY: "",
      PUBLIC_SCHEME: "",
    },
    onLine: (line, part) => log.write(`${part}: ${line}\n`),
  });
  const stop = async () => {
    await stack.stop();
    log.end();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await step("Starting Farthing for the browser tests", stack.ready, () => lastLine(logFile));
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${readFileSync(logFile, "utf8").slice(-4000)}`, { cause: error });
  }
  process.env["FARTHING_E2E_PORT"] = String(port);
  process.env["FARTHING_E2E_DATA_DIR"] = dataDir;
  await lengthenLastDay();
  return stop;
}

const lastLine = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n").at(-1);

/** Removes the folders of killed runs, whose processes have ended (bin/end-with-parent.mjs). */
function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${DATA_DIR_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
