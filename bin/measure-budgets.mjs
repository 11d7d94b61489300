// npm run budgets: builds the site if needed and measures it.
import { measureBudgets } from "./budgets.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command } from "./step.mjs";
import { untilToldToStop } from "./until-told-to-stop.mjs";

await command(async () => {
  void untilToldToStop(() => {});
  await ensureInstalled();
  await ensureAppsBuilt();
  return measureBudgets({ everyFile: true }).every(({ bytes, limit }) => bytes <= limit) ? 0 : 1;
});
