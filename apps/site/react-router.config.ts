import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // A page brings its own routes only, inline: the map of all would be 2.6 kB of script on every page, and grow with each. Nothing is fetched
  // later, because pages are documents and their links plain.
  routeDiscovery: { mode: "lazy" },
  serverBuildFile: "create-site.js",
} satisfies Config;
