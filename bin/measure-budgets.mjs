// npm run budgets: builds the site if needed and measures it.
import { measureBudgets } from "./budgets.mjs";
import { ensureInstalled } from "./install.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { command } from "./step.mjs";

await command(async () => {
  await ensureInstalled();
  await ensureAppsBuilt();
  return measureBudgets({ everyFile: true }).every(({ bytes, limit }) => bytes <= limit) ? 0 : 1;
});
