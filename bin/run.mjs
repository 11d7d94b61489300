// node bin/run.mjs <file.ts> [arguments]: runs one of our TypeScript files on the pinned Node.
import { spawn } from "node:child_process";
import { compileCache } from "./compile-cache.mjs";
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { stopTools, throwIfStopped } from "./run-tool.mjs";
import { Trouble, command } from "./step.mjs";

await command(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Trouble("Name the file to run: node bin/run.mjs <file.ts> [arguments]");
  /** @type {(signal: NodeJS.Signals) => unknown} */
  let passOn = stopTools;
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.on(signal, () => passOn(signal));
  await ensureInstalled({ tools: !file.startsWith("apps/server/commands/") });
  throwIfStopped();
  const child = spawn(findNode(), [file, ...args], { stdio: "inherit", env: { ...process.env, ...compileCache } });
  passOn = (signal) => child.kill(signal);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
});
