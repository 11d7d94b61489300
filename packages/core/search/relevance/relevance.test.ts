import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { seedCatalogue } from "@farthing/demo-catalogue/seed-catalogue.server.ts";
import { expect, test } from "vitest";
import { seedBrands } from "../../brands/seed-brands.server.ts";
import { seedNetworks } from "../../catalogue-imports/seed-networks.server.ts";
import { seedMemberTypes } from "../../member-types/reference-data/seed-member-types.server.ts";
import { indexCatalogue } from "../index-catalogue.server.ts";
import { questions } from "./questions.ts";
import { describeMissed, findMissed } from "./relevance.testing.ts";

/**
 * How many of the questions are answered as a member would want. A change of search may raise this number, never lower it: each question is
 * worth the same, and one that was answered may only be lost for another that is gained.
 */
const ANSWERED = 272;

test("D2 questions to the demo catalogue are answered as members would want", async () => {
  const { db } = await testDatabase();
  const now = new Date("2026-11-20T10:00:00Z");
  const dataDir = await mkdtemp(path.join(tmpdir(), "farthing-relevance-"));
  await seedNetworks(db);
  await seedMemberTypes(db);
  await seedBrands(db);
  await seedCatalogue(db, { dataDir, now });
  await rm(dataDir, { recursive: true, force: true });
  await indexCatalogue(db, { now });
  const { id: brandId } = await db
    .selectFrom("brands")
    .select("id")
    .where("slug", "=", "chalkside")
    .executeTakeFirstOrThrow();
  const asked = Object.values(questions).flat();
  expect(new Set(asked.map(({ ask, isTyping }) => `${ask} ${isTyping}`)).size).toBe(asked.length);
  const missed = await findMissed(db, { brandId, now, questions });
  console.log(
    `Relevance: ${asked.length - missed.length} of ${asked.length}\n${missed.map(describeMissed).join("\n")}`,
  );
  expect(asked.length - missed.length, missed.map(describeMissed).join("\n")).toBeGreaterThanOrEqual(ANSWERED);
});
