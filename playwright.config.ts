import { defineConfig } from "@playwright/test";
import { leanArguments, shortLivedPages } from "./bin/browser-arguments.mjs";
import { findBrowser } from "./bin/find-browser.mjs";

const executablePath = findBrowser();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  outputDir: ".cache/e2e/results",
  globalSetup: "./e2e/support/start-stack.ts",
  // One more than processors, because tests also wait: for a mail, a network's report, a moment that a rule asks for.
  workers: 3,
  fullyParallel: true,
  // No retries: a flaky test has found a fault.
  retries: 0,
  // Only ends a test that hangs; a machine four times slower stays below it. bench/ measures what must be fast.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"]],
  use: {
    // Actions and requests only: pictures of every step take a fifth of the run. `npx playwright test --trace on <file>` has them.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false, sources: false },
    screenshot: "only-on-failure",
    // A service worker hides requests from page.route. digital-id.e2e.ts, which tests it, allows it.
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "Europe/London",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        "--no-sandbox", // Chromium's own sandbox does not work for root, and the tests load only our own pages
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
        ...leanArguments,
        ...shortLivedPages,
      ],
    },
  },
});
