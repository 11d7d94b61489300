import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
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
  // Only to end what hangs, also on a machine a quarter as fast.
  timeout: 300_000,
  expect: { timeout: 40_000 },
  forbidOnly: !!process.env["CI"],
  reporter: [["list"]],
  use: {
    // Popups are blocked as they are for people: the widget has to cope.
    launchOptions: { ...(browser && { executablePath: browser }), ignoreDefaultArgs: ["--disable-popup-blocking"] },
    trace: "retain-on-failure",
  },
  webServer: {
    command: `${findNode()} browser-tests/fixtures/serve.ts`,
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    url: `${partner}/leak`,
    reuseExistingServer: false,
    timeout: 240_000,
  },
});
