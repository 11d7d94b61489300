import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { leanArguments } from "../../bin/browser-arguments.mjs";
import { findBrowser } from "../../bin/find-browser.mjs";
import { findNode } from "../../bin/find-node.mjs";
import { partner } from "./browser-tests/origins.ts";

const browser = findBrowser();

export default defineConfig({
  testDir: "browser-tests",
  testMatch: "*.e2e.ts",
  outputDir: "../../test-results/widget",
  fullyParallel: true,
  workers: 2,
  // Only ends a test that hangs; a machine four times slower stays below it.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  forbidOnly: !!process.env["CI"],
  reporter: [["list"]],
  use: {
    // Chromium blocks popups as it does for visitors, so that the tests see how the widget handles this.
    launchOptions: {
      ...(browser && { executablePath: browser }),
      ignoreDefaultArgs: ["--disable-popup-blocking"],
      args: leanArguments,
    },
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false, sources: false }, // see ../../playwright.config.ts
  },
  webServer: {
    command: `${findNode()} browser-tests/fixtures/serve.ts`,
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    url: `${partner}/leak`,
    reuseExistingServer: false,
    timeout: 240_000,
  },
});
