import { addresses } from "./addresses.mjs";
import { ensurePortsFree, parsePort } from "./free-port.mjs";
import { inRoot } from "./root.mjs";
import { stackPorts } from "./stack.mjs";
import { secondsSince, step, tell } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";

/** @typedef {import("./stack.mjs").Stack} Stack */

/**
 * Serves until the command is stopped.
 * @param {object} options
 * @param {(options: { port: number, dataDir: string, sandbox: boolean }) => Promise<Stack>} options.start installs, builds and starts a stack
 * @returns {Promise<number>} the exit code
 */
export async function serve({ start }) {
  const from = performance.now();
  const port = parsePort(process.env["PORT"], 3000);
  const dataDir = inRoot(process.env["DATA_DIR"] || ".data");
  // Outside development the server uses the real networks, not the sandbox.
  const sandbox = ["", "dev"].includes(process.env["FARTHING_ENV"] ?? "");

  /** @type {Stack | undefined} */
  let stack;
  const told = untilToldToStop(() => stack?.kill());
  const serving = async () => {
    await ensurePortsFree(stackPorts(port, sandbox));
    stack = await start({ port, dataDir, sandbox });
    const { ready, broken } = stack;
    await step("Starting", ready);
    const brands = await Promise.race([stack.brands, broken]);
    for (const line of addresses({ ...stack, brands, dataDir, sandbox })) tell(line);
    tell(`Farthing is ready after ${secondsSince(from)}: ${stack.url}`);
    return broken;
  };
  try {
    await Promise.race([told, serving()]);
    return 0;
  } finally {
    await stack?.stop();
  }
}

/** @param {string} line @param {string} part */
export const showLine = (line, part) => tell(`  ${part}: ${line}`);
