import { withTestLock } from "@farthing/db/testing/test-lock.ts";
import { expect, test } from "vitest";
import { ensureAppsBuilt } from "../bin/site-build.mjs";
import { ensureWidgetBuilt } from "../bin/widget-build.mjs";
import { brokenFaults, faultsLostInPages } from "./breaks/run-breaks.ts";
import { makePlan, type Plan } from "./plan.ts";
import { proofsOf, reportPage } from "./report/report-page.ts";
import { simulate } from "./run.ts";
import { fullScale, smokeScale } from "./scale.ts";

// Real processes: the server, PostgreSQL, the sandbox and the operator's commands.

test("C3 C4 C6 C7 C8 a month of 40 members, five networks, claims, friends, mischief and kills leaves every penny and every timeline true", async () => {
  await withTestLock("the site's build", async () => {
    await ensureAppsBuilt();
    await ensureWidgetBuilt();
  });
  expect(faultsLostInPages().map(({ rule }) => rule)).toEqual([]);
  const result = await simulate(smokeScale, { tell: () => {} });
  expect(result.differences).toEqual([]);
  expect(result.ledgerCheck).toBe("The books balance.");
  expect(result.tally.kills).toMatchObject({ app: 1, database: 1 });
  // The month holds what it is meant to hold.
  const states = new Set(result.sales.flatMap(({ lines }) => lines.map(({ state }) => state)));
  expect([...states].sort()).toEqual(["confirmed", "declined", "paid", "payable", "tracked"]);
  expect(result.sales.some(({ lines }) => lines.some(({ isCorrection }) => isCorrection))).toBe(true);
  for (const what of [
    ...["a payout was held on a suspicion", "an account was suspended"],
    ...["a member on hold asked in vain for what they have", "a payment came back from the bank"],
    ...["a sale was reported only when it was claimed", "a sale without its reference was claimed"],
    ...["an order that nobody placed was claimed", "somebody else's order was claimed"],
    ...["a shared browser's bonuses were paid after a look", "a shared browser's bonuses were refused"],
  ])
    expect(result.tally.counts.get(what), what).toBeGreaterThan(0);
  const ends = new Set(result.claims.map(({ must }) => must));
  expect([ends.has("credited"), ends.has("declined"), result.bonuses > 0]).toEqual([true, true, true]);
  expect(result.payouts.some(({ state }) => state === "paid")).toBe(true);
  expect(proofsOf(result).map(({ faults }) => faults)).toEqual([0, 0, 0, 0]);
  expect(reportPage(result)).not.toMatch(/(?:src|href)=|https?:\/\//);
}, 1_800_000); // many processes take turns: a minute of a processor is many minutes of a busy machine

test("C4 the same seed makes the same plan, and another seed another", () => {
  const text = (plan: Plan) => JSON.stringify(plan);
  expect(text(makePlan(fullScale))).toBe(text(makePlan(fullScale)));
  expect(text(makePlan({ ...fullScale, seed: 2 }))).not.toBe(text(makePlan(fullScale)));
});

test("C4 every fault of simulation/breaks still applies to the club's code", () => {
  expect(brokenFaults().map(({ rule }) => rule)).toEqual([]);
});
