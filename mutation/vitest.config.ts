import { defineConfig } from "vitest/config";
import { chosenGroups } from "./groups.mjs";

/** Runs the tests of `npm run mutate` against each fault, without the database that the project's own configuration starts. */
export default defineConfig({
  test: {
    environment: "node",
    include: chosenGroups().flatMap(({ tests }) => tests),
    setupFiles: ["mutation/same-cases.ts"],
    testTimeout: 20_000,
  },
});
