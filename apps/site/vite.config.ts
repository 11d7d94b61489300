import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    // Small drawings travel inside the stylesheet that shows them: each would cost a phone another round trip before the page looks right.
    assetsInlineLimit: (file, content) =>
      file.endsWith(".svg") && !file.endsWith("/hero.svg") && content.length < 3_000,
    target: "es2022",
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
  },
  environments: {
    // What every page loads is one file instead of six: fewer headers, and it packs better (product.md U2).
    client: {
      build: {
        rolldownOptions: {
          output: {
            advancedChunks: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules[\\/](react|react-dom|react-router|scheduler|@react-router)[\\/]/,
                },
              ],
            },
          },
        },
      },
    },
    // Our own entry: the server build exports createSite, and services come in from outside (docs/decisions/010).
    ssr: { build: { rolldownOptions: { input: "./server/create-site.ts" } } },
  },
});
