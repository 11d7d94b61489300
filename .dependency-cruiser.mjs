// The rules for imports (ARCHITECTURE.md), enforced by "npm run check". Every rule states its reason.

const OURS = "^(apps|packages|sandbox|bin|e2e|bench|simulation)/";
const TESTS = String.raw`\.(test|e2e|testing)\.[cm]?tsx?$|/testing/|/browser-tests/|playwright\.config\.ts$|^e2e/|^bench/|^simulation/`;

/** @param {string} name @param {string} comment @param {object} from @param {object} to */
const forbid = (name, comment, from, to) => ({ name, severity: "error", comment, from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    forbid("no-cycles", "Modules in a cycle can't be understood or loaded separately.", {}, { circular: true }),
    forbid(
      "nothing-missing",
      "An import that can't be resolved here fails on other machines.",
      {},
      { couldNotResolve: true },
    ),
    forbid(
      "no-dev-packages-in-products",
      "Production code must not need a package that only development installs. The guides' pages load their compilers on request.",
      {
        path: "^(apps|packages|sandbox)/",
        pathNot: `${TESTS}|(vite|react-router)\\.config\\.ts$|dev-pages\\.ts$|generate-types\\.ts$|^packages/widget/(build|check-package|demo)|^sandbox/partner/guide-bundle|^apps/site/fallback-faces/`,
      },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"], pathNot: "node_modules/@types/" },
    ),
    forbid(
      "server-knows-no-sandbox",
      "The sandbox stands in for outside services: code that imports it works in development only.",
      { pathNot: `^sandbox/|^bin/|${TESTS}` },
      { path: "^sandbox/" },
    ),
    forbid(
      "site-imports",
      "Pages decide what is shown: rules and data come from core and ui, everything else through the services of site-handler.ts.",
      { path: "^apps/site/", pathNot: TESTS },
      { path: OURS, pathNot: "^(apps/site|packages/(core|ui|telemetry|widget))/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "admin-imports",
      "As the site: rules, data and operations come from core and ui, everything else through the services of admin-handler.ts.",
      { path: "^apps/admin/", pathNot: TESTS },
      { path: OURS, pathNot: "^(apps/admin|packages/(core|ui))/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "pages-never-touch-the-database",
      "Loaders and actions call core; a query in a page belongs in core.",
      { path: "^apps/(site|admin)/app/", pathNot: TESTS },
      { path: "^packages/db/|^node_modules/(pg|kysely)/" },
    ),
    forbid(
      "apps-stay-apart",
      "An app that imports another can't be built or replaced separately; only the server mounts the others.",
      { path: "^apps/([^/]+)/", pathNot: "^apps/server/" },
      { path: "^apps/", pathNot: "^apps/$1/" },
    ),
    forbid(
      "server-meets-the-apps-at-their-doors",
      "Pages are in their app's bundle only: importing them would create a second copy of every singleton. Code for both is in the app's server folder.",
      { path: "^apps/server/", pathNot: `${TESTS}|dev-pages\\.ts$` },
      { path: "^apps/(site|admin)/app/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "providers-import-core",
      "A provider translates between one vendor and core; it stores and shows nothing.",
      { path: "^packages/providers/", pathNot: TESTS },
      { path: OURS, pathNot: "^packages/(providers|core)/" },
    ),
    forbid(
      "traced-on-demand",
      "Tracing costs nothing where it is off: its packages are loaded by the one import of open-tracing.ts, at the start.",
      { path: "^(apps|packages)/", pathNot: `^apps/server/tracing/|${TESTS}` },
      { path: "^node_modules/@opentelemetry/|^apps/server/tracing/(?!open-tracing)" },
    ),
    forbid(
      "art-imports-nothing",
      "Marks are drawn from a name alone: the server serves them, and nothing else needs them.",
      { path: "^packages/art/", pathNot: TESTS },
      { path: OURS, pathNot: "^packages/art/" },
    ),
    forbid(
      "demo-catalogue-imports-core-and-db",
      "The demo catalogue writes the files that networks and operators supply, and imports them as theirs are.",
      { path: "^packages/demo-catalogue/", pathNot: TESTS },
      { path: OURS, pathNot: "^packages/(demo-catalogue|art|core|db|providers)/" },
    ),
    forbid(
      "demo-catalogue-stays-out-of-products",
      "Demo data is development's: what serves members can't need it.",
      { path: "^(apps|packages)/", pathNot: `^packages/demo-catalogue/|^apps/server/(development|commands)/|${TESTS}` },
      { path: "^packages/demo-catalogue/" },
    ),
    forbid(
      "core-imports-db-only",
      "Business rules depend on no server, page or vendor.",
      { path: "^packages/core/", pathNot: TESTS },
      { path: OURS, pathNot: "^packages/(core|db)/" },
    ),
    forbid(
      "core-reaches-the-database-from-server-files",
      "Rules and schemas run in the browser too; only *.server.ts may do I/O.",
      { path: "^packages/core/", pathNot: String.raw`\.server\.ts$|${TESTS}` },
      {
        path: String.raw`^packages/db/(?!seeds/)|\.server\.ts$|^node_modules/(pg|kysely|pg-boss)/|^node:(fs|net|http|https|child_process|worker_threads)`,
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "rules-do-no-io",
      "A rule depends on its arguments only, so it can be tested and used anywhere.",
      { path: String.raw`^packages/core/.*/(rules|schema)\.ts$` },
      {
        path: String.raw`^(node:)?(fs|net|http|https|child_process|os|dns|tls|worker_threads|timers)(/|$)|^packages/db/`,
      },
    ),
    forbid(
      "ui-imports-money-and-rules-only",
      "Components show what they are given. Besides that they need only the formatting of money, and the rules that forms apply while a person types.",
      { path: "^packages/ui/", pathNot: TESTS },
      { path: OURS, pathNot: String.raw`^packages/(ui/|core/money/|core/[^/]+/rules\.ts$)` },
    ),
    forbid(
      "the-lowest-walls-import-nothing-of-ours",
      "db, telemetry, widget and sandbox are independent: the widget is published, and the sandbox imitates vendors who know nothing of Farthing.",
      { path: "^(packages/(?:db|telemetry|widget)|sandbox)/", pathNot: TESTS },
      { path: OURS, pathNot: "^$1/" },
    ),
    forbid(
      "browser-runs-no-server-files",
      "The browser's code must not contain code or secrets of the server.",
      { path: "^packages/(ui|widget|telemetry)/", pathNot: TESTS },
      { path: String.raw`\.server\.ts$` },
    ),
    forbid(
      "simulation-knows-no-rules",
      "The simulation's truth is worked out apart from the club's code: what both shared, it could not find wrong.",
      { path: "^simulation/" },
      {
        path: OURS,
        pathNot: String.raw`^simulation/|^packages/db/(client|embedded|migrate|uuid|testing/)|^packages/core/catalogue-imports/seed-networks\.server\.ts$|^apps/server/sign-in/password-hashing\.ts$|^bin/`,
      },
    ),
    forbid(
      "nouns-meet-through-rules-and-operations",
      "A noun's queries fit its own pages: if another noun used them, every change of a page would change rules.",
      { path: "^packages/core/([^/]+)/", pathNot: TESTS },
      { path: String.raw`^packages/core/.*/queries[\w-]*\.server\.ts$`, pathNot: "^packages/core/$1/" },
    ),
    forbid(
      "products-import-no-tests",
      "Test helpers take shortcuts that production code must not take.",
      { path: "^(apps|packages|sandbox|bin)/", pathNot: `${TESTS}|generate-types\\.ts$` },
      { path: TESTS, pathNot: "node_modules" },
    ),
  ],
  options: {
    parser: "swc", // TypeScript 7 has no compiler interface that this tool can use
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: {
      path: String.raw`(^|/)(build|dist|\.react-router)/|^bench/peers/|^packages/widget/releases/|^sandbox/partner/guides/|\+types/|^virtual:`,
    },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
    combinedDependencies: true,
  },
};
