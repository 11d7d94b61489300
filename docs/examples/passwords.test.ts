import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fencedBlocks, root } from "./fenced-blocks.ts";

test("S1 no documented command has a database's password among its arguments, where every account of the machine reads it", () => {
  const open = readdirSync(join(root, "docs/operations"))
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => fencedBlocks(`docs/operations/${name}`))
    .filter(({ language }) => language === "sh")
    .flatMap(({ document, text }) => text.split("\n").map((line) => `${document}: ${line}`))
    .filter((line) => /\b(psql|pg_dump|pg_restore|pg_basebackup)\b/.test(line))
    .filter((line) => /(?<!(?:address|echo) "?)\$\{?(?:NEW_)?DATABASE_URL|--command=.*password/.test(line));
  expect(open).toEqual([]);
});
