// npm start: installs, builds, and serves all of Farthing with the sandbox. Plain JavaScript for Node 20 without packages, because it runs before
// anything is installed (P1, Z1).
import { ensureInstalled } from "./install.mjs";
import { together } from "./run-tool.mjs";
import { serve, showLine } from "./serve.mjs";
import { ensureAppsBuilt } from "./site-build.mjs";
import { prepareDatabase, startStack } from "./stack.mjs";
import { command } from "./step.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

await command(() =>
  serve({
    start: async (options) => {
      const stack = { ...options, restartCrashed: true, onLine: showLine };
      await ensureInstalled({ tools: false });
      await together([ensureAppsBuilt(), ensureWidgetBuilt(), prepareDatabase(stack)]);
      return startStack(stack);
    },
  }),
);
