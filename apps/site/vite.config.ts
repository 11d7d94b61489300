import { commonPasswords } from "@farthing/core/sign-in/common-passwords.server.ts";
import { browserWordList } from "@farthing/core/sign-in/word-list.ts";
import { reactRouter } from "@react-router/dev/vite";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { pageScripts } from "./page-scripts-plugin.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Provides the list of common passwords as a module. The package with the list is made for the server, and four times
 * as large.
 */
const commonPasswordsModule: Plugin = {
  name: "common-passwords",
  resolveId: (id) => (id === "virtual:common-passwords" ? `\0${id}` : null),
  load: (id) =>
    id === "\0virtual:common-passwords" ? `export default ${JSON.stringify(browserWordList(commonPasswords))}` : null,
};

export default defineConfig({
  plugins: [reactRouter(), commonPasswordsModule, pageScripts(folder("app"), folder("build"))],
  // Packages that pages load later: Vite would find them one by one, and reload the page of whoever is looking at it each time.
  optimizeDeps: { include: ["embla-carousel", "uqr", "zod"] },
  build: {
    // Small drawings are part of the stylesheet that shows them. Each would cost a phone another round trip before the
    // page looks right.
    assetsInlineLimit: (file, content) =>
      file.endsWith(".svg") && !file.endsWith("/hero.svg") && content.length < 3_000,
    target: "es2022",
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
  },
  environments: {
    // What every page with islands loads is one file instead of eight: fewer headers, and better compression (U2).
    client: {
      build: {
        rolldownOptions: {
          output: {
            advancedChunks: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules[\\/](react|react-dom|scheduler)[\\/]|islands[\\/](hydrate-island|island)\.tsx$/,
                },
                // What nearly every form has.
                {
                  name: "forms",
                  test: /packages[\\/]ui[\\/]forms[\\/](checkbox-field|checked-form|error-summary|field|field-errors|form-error|invalid-controls|select-field|text-field|typed-date|use-early-choice|use-own-check)\.tsx?$|(loading-button|text[\\/]notice)\.tsx$/,
                },
              ],
            },
          },
        },
      },
    },
    // An entry of our own: the server build exports createSite, which receives its services (docs/decisions/010).
    ssr: {
      // Built in, because Node would find the version that npm hoists for other packages instead of core's.
      resolve: { noExternal: ["lru-cache"] },
      build: { rolldownOptions: { input: "./server/create-site.ts" } },
    },
  },
});
