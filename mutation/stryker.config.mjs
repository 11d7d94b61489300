import { chosenGroups } from "./groups.mjs";

export default {
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "mutation/vitest.config.ts", related: true },
  mutate: chosenGroups().flatMap(({ files }) => files),
  // The pure rules and what their tests read; everything else stays out of the copy that is changed.
  ignorePatterns: ["/*", "!/packages", "!/mutation", "!/package.json"],
  // TypeScript 7 has no library to rewrite a tsconfig.json with, and nothing in the copy needs one.
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
