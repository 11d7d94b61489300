// Writes schema.ts from a newly migrated database. With --check, only tests whether it is up to date.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { migrate } from "./migrate.ts";
import { startThrowawayServer } from "./testing/throwaway-server.ts";

const target = new URL("./schema.ts", import.meta.url);
const server = await startThrowawayServer();
try {
  await migrate(server.url);
  const generated = `// Generated from packages/db/migrations by generate-types.ts: run "npm run db:types" after a new migration.\n${runCodegen(server.url)}`;
  if (!process.argv.includes("--check")) await writeFile(target, generated);
  else if (generated !== (await readFile(target, "utf8"))) {
    console.error('packages/db/schema.ts does not match the migrations: run "npm run db:types" and commit the result.');
    process.exitCode = 1;
  }
} finally {
  await server.stop();
}

function runCodegen(url: string): string {
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve("kysely-codegen/package.json")),
    "dist",
    "cli",
    "bin.js",
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      cli,
      "--print",
      "--dialect=postgres",
      `--url=${url}`,
      "--date-parser=string",
      '--type-mapping={"int8":"number","json":"NonNullable<unknown>","jsonb":"NonNullable<unknown>"}',
      "--exclude-pattern=schema_{migrations,functions}",
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`kysely-codegen failed: ${stderr}`);
  return stdout.slice(stdout.indexOf("import type"));
}
