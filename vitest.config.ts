import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./vitest-order.ts";

export default defineConfig({
  // React's production build has no development JSX.
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    environment: "node",
    include: ["*.test.ts", "{apps,packages,sandbox,bin,docs,simulation,bench}/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "**/build/**", "**/dist/**"],
    // One PostgreSQL and one migrated template database for the run; each test file clones its own database from it.
    globalSetup: ["packages/db/testing/global-setup.ts"],
    // What runs is tested: React's development build, which production never loads, takes twice as long to render a page.
    env: { NODE_ENV: "production" },
    setupFiles: ["packages/db/testing/property-seed.ts", "packages/db/testing/no-traces.ts"],
    pool: "forks",
    // Files share a process, so that the application is loaded once for each worker instead of once for each file: a run takes three quarters of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // At least two, because tests wait for the database as much as for the processor.
    maxWorkers: Math.max(2, availableParallelism()),
    // Only ends a test that hangs: ten times the longest test on a slow machine. No test measures time; bench/ does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
