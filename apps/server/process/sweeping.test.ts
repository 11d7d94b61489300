import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseWords } from "@farthing/core/search/words.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test, vi } from "vitest";
import { removeLeftUploads } from "../attachments/open-uploads.ts";
import { readConfig } from "../env.ts";
import { openLogger } from "../monitoring/logger.ts";
import { openSiteServices } from "../pages/site-services.ts";
import { openCards } from "../payments/open-cards.ts";
import type { Closing } from "./shutdown.ts";

const { db } = await testDatabase();

test("S1 R1 what a killed process left of an upload goes, and what may be in use stays", async () => {
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
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("S1 R1 a process with the role web alone deletes in its rounds what a killed process left of an upload", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const dataDir = await mkdtemp(join(tmpdir(), "farthing-sweeping-"));
  const left = join(dataDir, "uploads", "left");
  const closing: Closing[] = [];
  try {
    const config = readConfig({ DATA_DIR: dataDir, ROLES: "web" });
    const { logger } = openLogger(config);
    const words = databaseWords(db);
    await openSiteServices({ config, db, logger, closing, cards: openCards(config) }, { words });
    // After the start, which looks too.
    await writeFile(left, "a passport");
    await utimes(left, new Date(0), new Date(0));
    await vi.waitUntil(
      async () => {
        await vi.advanceTimersByTimeAsync(15 * 60_000);
        return !existsSync(left);
      },
      { timeout: 20_000, interval: 5 },
    );
  } finally {
    vi.useRealTimers();
    for (const part of closing.reverse()) await part.close();
    await rm(dataDir, { recursive: true });
  }
});
