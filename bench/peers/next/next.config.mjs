import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/** Farthing's own queries and parts are imported from their sources, so that both sides do the same work. */
export default {
  outputFileTracingRoot: root,
  turbopack: { root, resolveAlias: { "react-router": "./router-stub.ts" } },
  serverExternalPackages: ["pg", "kysely"],
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
};
