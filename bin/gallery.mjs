// npm run gallery [-- --brand chalkside] [--view offer] [--width 375]: pictures of every page and state, in every theme, on one page to look through.
import { findNode } from "./find-node.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureBrowser } from "./install-browser.mjs";
import { inRoot } from "./root.mjs";
import { runTool } from "./run-tool.mjs";
import { ensureSiteBuilt } from "./site-build.mjs";
import { command } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(async () => {
  void untilToldToStop(() => {});
  await ensureInstalled();
  const browser = await ensureBrowser();
  await ensureSiteBuilt();
  await ensureWidgetBuilt();
  const { code } = await runTool(findNode(), [inRoot("e2e/gallery/take-gallery.ts"), ...process.argv.slice(2)], {
    env: { CHROMIUM_PATH: browser },
    output: "show",
  });
  return code;
});
