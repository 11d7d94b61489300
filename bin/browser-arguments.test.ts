import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { expect, test } from "vitest";
import { leanArguments } from "./browser-arguments.mjs";

/** Returns the features that a command line switches off, of each time that it names some. */
const disabledBy = (line: readonly string[]) =>
  line
    .filter((argument) => argument.startsWith("--disable-features="))
    .map((argument) => argument.slice(argument.indexOf("=") + 1).split(","));

test("P1 the browser of the tests has everything switched off that Playwright switches off", async () => {
  const folder = mkdtempSync(join(tmpdir(), "farthing-browser-"));
  try {
    // A browser that only notes how it was started.
    const [browser, noted] = [join(folder, "browser"), join(folder, "arguments")];
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noted}'\n`);
    chmodSync(browser, 0o755);
    await expect(chromium.launch({ executablePath: browser, args: leanArguments })).rejects.toThrow("has been closed");
    const [own = [], ours = [], ...more] = disabledBy(readFileSync(noted, "utf8").split("\n"));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((feature) => !ours.includes(feature))).toEqual([]);
    expect(more).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
