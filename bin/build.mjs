// npm run build: the members' site, for production.
import { ensureInstalled } from "./install.mjs";
import { ensureSiteBuilt } from "./site-build.mjs";
import { command, tell } from "./step.mjs";

await command(async () => {
  await ensureInstalled();
  await ensureSiteBuilt();
  tell("The site's build is up to date: apps/site/build");
  return 0;
});
