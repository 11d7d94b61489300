import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole route manifest comes with the page: it is small, and nothing is fetched that a cache would have to know about.
  routeDiscovery: { mode: "initial" },
  serverBuildFile: "create-site.js",
} satisfies Config;
