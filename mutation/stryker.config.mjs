import { chosenGroups } from "./groups.mjs";

export default {
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "mutation/vitest.config.ts", related: true },
  mutate: chosenGroups().flatMap(({ files }) => files),
  // Copies only the pure rules and what their tests read.
  ignorePatterns: ["/*", "!/packages", "!/mutation", "!/package.json"],
  // Stryker rewrites a tsconfig.json with TypeScript's API, which TypeScript 7 does not have. The copy needs none.
  tsconfigFile: "none",
  concurrency: 1,
  coverageAnalysis: "perTest",
  tempDirName: ".cache/mutation/copy",
  cleanTempDir: "always",
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: ".cache/mutation/report.json" },
  timeoutMS: 15_000,
  allowEmpty: false,
};
