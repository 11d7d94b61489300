import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [reactRouter()],
  // The content security policy takes images and fonts from this site alone, so nothing may become a data: address.
  build: { assetsInlineLimit: 0, target: "es2022", cssTarget: ["chrome123", "firefox128", "safari17.5"] },
  environments: {
    // Our own entry: the server build exports createSite, and services come in from outside (docs/decisions/010).
    ssr: { build: { rolldownOptions: { input: "./server/create-site.ts" } } },
  },
});
