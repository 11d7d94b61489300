import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test, vi } from "vitest";
import { removeLeftUploads } from "../attachments/open-uploads.ts";
import { startSweeping } from "./sweeping.ts";

const { db } = await testDatabase();
const logger = { info() {}, warn() {}, error() {} };

test("S1 R1 what a killed process left of an upload goes while others run, and what may be in use stays", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "farthing-sweeping-"));
  const folder = join(dataDir, "uploads");
  try {
    await removeLeftUploads(dataDir, { now: new Date() });
    await mkdir(folder);
    const now = Date.parse("2026-10-05T12:00:00Z");
    for (const [name, ageMs] of [
      ["left", 3_600_001],
      ["in-use", 3_600_000],
    ] as const) {
      await writeFile(join(folder, name), "a passport");
      const at = new Date(now - ageMs);
      await utimes(join(folder, name), at, at);
    }
    await removeLeftUploads(dataDir, { now: new Date(now) });
    expect(await readdir(folder)).toEqual(["in-use"]);
    const before = new Date(new Date().getTime() - 2 * 3_600_000);
    await utimes(join(folder, "in-use"), before, before);
    const sweeping = startSweeping({ db, dataDir, logger });
    try {
      await vi.waitUntil(() => !existsSync(join(folder, "in-use")), { timeout: 20_000, interval: 5 });
    } finally {
      await sweeping.close();
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
