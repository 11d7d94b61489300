// npm run drill -- <name> …: breaks what applications under load depend on, and counts what was lost. npm run drill -- --list lists the drills.
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(async () => {
  void untilToldToStop(() => {});
  const args = process.argv.slice(2);
  await ensureInstalled();
  if (args.some((arg) => !arg.startsWith("--")) && !args.includes("--list")) {
    await ensureAppsBuilt();
    await ensureWidgetBuilt();
  }
  const { code } = await runTool(findNode(), ["bench/drills/run.ts", ...args], { output: "show" });
  return code;
});
