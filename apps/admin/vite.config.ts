import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/** Pages are the server's documents: the browser's build has no module of a route (docs/decisions/047-the-admin.md). */
const pagesStayOnTheServer: Plugin = {
  name: "pages-stay-on-the-server",
  apply: "build",
  enforce: "post",
  transform(_, id) {
    const isRoute = this.environment.name === "client" && id.endsWith("?__react-router-build-client-route");
    return isRoute ? { code: "export {};", map: null } : null;
  },
};

export default defineConfig({
  // Mounted below the members' site, whose files are at /assets.
  base: "/admin/",
  plugins: [reactRouter(), pagesStayOnTheServer],
  build: { target: "es2022", cssTarget: ["chrome123", "firefox128", "safari17.5"] },
  environments: {
    // An entry of our own: the server build exports createAdmin, which receives its services.
    ssr: {
      resolve: { noExternal: ["lru-cache"] },
      build: { rolldownOptions: { input: "./server/create-admin.ts" } },
    },
  },
});
