import { readFileSync } from "node:fs";
import { join } from "node:path";
import { secretNames } from "@farthing/server/doctor/look-at-settings.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { example, root } from "./fenced-blocks.ts";
import { runShell, temporaryFolder } from "./run-example.testing.ts";

// docs/operations/secrets.md: the commands, and the table of all secrets.

const folder = temporaryFolder();
const { url } = await testDatabase();

test("S1 the documented rotation ends with nothing under an old secret", async () => {
  const printed = await runShell(example("docs/operations/secrets.md", "npm run secrets"), {
    cwd: folder,
    env: { DATABASE_URL: url, DATA_DIR: folder, FARTHING_OLD_SECRETS: "a secret that the club had before" },
  });
  expect(printed.match(/Nothing is encrypted with an old secret\./g)).toHaveLength(2);
});

test("S1 every secret of the settings has a row that says how it is changed", () => {
  const page = readFileSync(join(root, "docs/operations/secrets.md"), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` *\| *(\S.*?) *\| *(\S.*?) *\|$/gm)].map(([, name]) => name);
  expect(rows).toHaveLength(secretNames().length);
  expect(new Set(rows)).toEqual(new Set(secretNames()));
});
