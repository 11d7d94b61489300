import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

/** Farthing's own queries are imported from their sources, so that both sides read the same; the components are the peer's own. */
export default {
  outputFileTracingRoot: root,
  turbopack: { root },
  serverExternalPackages: ["pg", "kysely"],
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: true },
};
