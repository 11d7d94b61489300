// node bin/run.mjs <file.ts> [arguments]: runs one of our TypeScript files on the pinned Node.
import { spawn } from "node:child_process";
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { Trouble, command } from "./step.mjs";

await command(async () => {
  const [file, ...args] = process.argv.slice(2);
  if (!file) throw new Trouble("Name the file to run: node bin/run.mjs <file.ts> [arguments]");
  await ensureInstalled({ tools: !file.startsWith("apps/server/commands/") });
  const child = spawn(findNode(), [file, ...args], { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
});
