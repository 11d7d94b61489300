// npm run build: builds the members' site, the operators' admin and the widget for production.
import { ensureInstalled } from "./install.mjs";
import { together } from "./run-tool.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command, tell } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(async () => {
  void untilToldToStop(() => {});
  await ensureInstalled({ tools: false });
  await together([ensureAppsBuilt(), ensureWidgetBuilt()]);
  tell(
    "The builds are up to date: the site's in apps/site/build, the admin's in apps/admin/build, the widget's in packages/widget/dist",
  );
  return 0;
});
