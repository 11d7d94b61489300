import { defineConfig } from "@playwright/test";
import { findBrowser } from "./bin/find-browser.mjs";

const executablePath = findBrowser();

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.e2e.ts",
  outputDir: ".cache/e2e/results",
  globalSetup: "./e2e/support/start-stack.ts",
  workers: 2,
  fullyParallel: true,
  // A test that fails once in a while has found something: nothing is tried twice.
  retries: 0,
  // Only to end what hangs, also on a machine a quarter as fast. What must be fast is measured in bench/.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"]],
  use: {
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    // A worker in between hides requests from page.route; digital-id.e2e.ts, which is about it, lets it in.
    serviceWorkers: "block",
    locale: "en-GB",
    timezoneId: "Europe/London",
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        "--no-sandbox", // Chromium's own sandbox does not work for root, and every page here is ours
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-quic",
        "--no-first-run",
      ],
    },
  },
});
