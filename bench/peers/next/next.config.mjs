import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/** Imports Farthing's own queries, so that both sides read the same data; the components are the peer's own. */
export default {
  outputFileTracingRoot: root,
  turbopack: { root },
  serverExternalPackages: ["pg", "kysely"],
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
};
