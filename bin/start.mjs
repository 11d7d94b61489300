// npm start: installs, builds, and serves the whole of Farthing with its sandbox. Plain JavaScript on Node 20 and without packages,
// because it runs before anything is installed (product.md P1, Z1).
import { ensureInstalled } from "./install.mjs";
import { serve, showLine } from "./serve.mjs";
import { ensureSiteBuilt } from "./site-build.mjs";
import { startStack } from "./stack.mjs";
import { command } from "./step.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(() =>
  serve({
    start: async (options) => {
      await ensureInstalled();
      await ensureSiteBuilt();
      await ensureWidgetBuilt();
      return startStack({ ...options, restartCrashed: true, onLine: showLine });
    },
  }),
);
