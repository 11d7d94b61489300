// npm run dev: runs the stack from source. The server renders pages through Vite, which reloads them in place; a change of the server's own code
// restarts it.
import { watch } from "node:fs";
import { ensureInstalled } from "./install.mjs";
import { inRoot } from "./root.mjs";
import { serve, showLine } from "./serve.mjs";
import { startStack } from "./stack.mjs";
import { command, tell } from "./step.mjs";
import { ensureWidgetBuilt } from "./widget-build.mjs";

/** The folders whose changes restart a part. Vite reloads apps/site and packages/ui. */
const WATCHED = {
  server: [
    "apps/server",
    "packages/art",
    "packages/core",
    "packages/db",
    "packages/demo-catalogue",
    "packages/providers",
  ],
  sandbox: ["sandbox"],
};
/** Changes within this time count as one: editors save several files at once. */
const SETTLE_MS = 150;

/** @param {import("./stack.mjs").Stack} stack */
function restartOnChange(stack) {
  for (const [part, folders] of Object.entries(WATCHED)) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    let work = Promise.resolve();
    for (const folder of folders) {
      watch(inRoot(folder), { recursive: true }, (_, file) => {
        if (!file || !/\.(ts|sql|json)$/.test(file) || /\.test\.ts$|node_modules/.test(file)) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          tell(`- ${folder}/${file} changed, restarting the ${part} ...`);
          work = work.then(() => stack.restart(part));
        }, SETTLE_MS);
      });
    }
  }
}

await command(() =>
  serve({
    start: async (options) => {
      await ensureInstalled({ tools: false });
      await ensureWidgetBuilt();
      const env = { NODE_ENV: "development", FARTHING_DEV_PAGES: "1" };
      const stack = startStack({ ...options, env, outliveCrashes: true, onLine: showLine });
      restartOnChange(stack);
      return stack;
    },
  }),
);
