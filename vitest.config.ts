import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["*.test.ts", "{apps,packages,sandbox,bin}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/build/**", "**/dist/**"],
    // One PostgreSQL and one migrated template for the run; every test file clones its own database from it.
    globalSetup: ["packages/db/testing/global-setup.ts"],
    pool: "forks",
    // Tests wait for the database as much as for the processor: two at least, also on the smallest machine.
    maxWorkers: Math.max(2, availableParallelism()),
    // Generous: a busy machine is no failure. No test measures time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
