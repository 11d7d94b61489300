import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // Each page contains only its own routes. The map of all routes would be 2.6 kB of script on every page, and grow
  // with each. Nothing is fetched
  // later, because pages are documents and links are plain.
  routeDiscovery: { mode: "lazy" },
  serverBuildFile: "create-site.js",
} satisfies Config;
