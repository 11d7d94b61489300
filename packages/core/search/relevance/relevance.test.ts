import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { importDemoCatalogue } from "../demo-catalogue.testing.ts";
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
  const brandId = await importDemoCatalogue(db, now);
  const asked = Object.values(questions).flat();
  expect(new Set(asked.map(({ ask, isTyping }) => `${ask} ${isTyping}`)).size).toBe(asked.length);
  const missed = await findMissed(db, { brandId, now, questions });
  console.log(
    `Relevance: ${asked.length - missed.length} of ${asked.length}\n${missed.map(describeMissed).join("\n")}`,
  );
  expect(asked.length - missed.length, missed.map(describeMissed).join("\n")).toBeGreaterThanOrEqual(ANSWERED);
});
