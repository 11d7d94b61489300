import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { currentRevisions } from "./function-revisions.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-revisions-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const checksumOf = (sql: string) => createHash("sha256").update(sql).digest("hex");

test("P2 sealing numbers a new function 1 and a changed one the next, and keeps unchanged and deleted ones", () => {
  const sealed = {
    "changed.sql": { revision: 3, checksum: checksumOf("before") },
    "deleted.sql": { revision: 5, checksum: checksumOf("deleted") },
    "unchanged.sql": { revision: 2, checksum: checksumOf("unchanged") },
  };
  writeFileSync(join(folder, "revisions.json"), JSON.stringify(sealed));
  for (const [name, sql] of [
    ["new.sql", "new"],
    ["changed.sql", "after"],
    ["unchanged.sql", "unchanged"],
  ] as const)
    writeFileSync(join(folder, name), sql);
  expect(currentRevisions(folder)).toEqual({
    ...sealed,
    "changed.sql": { revision: 4, checksum: checksumOf("after") },
    "new.sql": { revision: 1, checksum: checksumOf("new") },
  });
});
