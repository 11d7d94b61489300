import { migrate } from "@farthing/db/migrate.ts";
import { installedPostgres } from "@farthing/db/testing/installed-servers.ts";
import { afterAll, expect, test } from "vitest";
import { example } from "./fenced-blocks.ts";
import { runShell, temporaryFolder } from "./run-example.testing.ts";

// docs/operations/backup.md: the dump is restored into another server, and the books are proved there.

const folder = temporaryFolder();
const programs = installedPostgres();
afterAll(() => programs?.stop());

test("R1 the documented dump and restore end with books that balance", async (context) => {
  if (!programs) return context.skip("no PostgreSQL with pg_dump is installed here");
  const [from, to] = [await programs.start(), await programs.start()];
  await migrate(from.url);
  const printed = await runShell(example("docs/operations/backup.md", "pg_dump --format"), {
    cwd: folder,
    env: { DATABASE_URL: from.url, NEW_DATABASE_URL: to.url, DATA_DIR: folder },
  });
  expect(printed).toMatch(/balance/i);
});
