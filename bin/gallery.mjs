// npm run gallery [-- --brand chalkside] [--view offer] [--width 375]: takes pictures of every page and state in every theme, and writes one page
// that shows them. npm run gallery -- --readme: takes the picture of README.md instead.
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureBrowser } from "./install-browser.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(async () => {
  void untilToldToStop(() => {});
  await ensureInstalled();
  const browser = await ensureBrowser();
  await ensureAppsBuilt();
  await ensureWidgetBuilt();
  const words = process.argv.slice(2);
  const script = words.includes("--readme") ? "e2e/gallery/take-readme-picture.ts" : "e2e/gallery/take-gallery.ts";
  const args = words.filter((word) => word !== "--readme");
  const { code } = await runTool(findNode(), [inRoot(script), ...args], {
    env: { CHROMIUM_PATH: browser },
    output: "show",
  });
  return code;
});
