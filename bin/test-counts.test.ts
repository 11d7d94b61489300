import { expect, test } from "vitest";
import { addCounts, countPlaywright, countVitest, summary } from "./test-counts.mjs";

const vitestReport = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };

test("CI's last line counts both runners", () => {
  expect(summary(addCounts([countVitest(vitestReport), countPlaywright({ stats, errors: [] })]))).toBe(
    "8 passed, 0 failed",
  );
  expect(summary({ passed: 1, failed: 2, skipped: 3 })).toBe("1 passed, 2 failed, 3 skipped");
});

test("a test file that cannot be loaded is a failure", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  expect(countVitest({ ...vitestReport, testResults }).failed).toBe(1);
});

test("a flaky browser test is a failure, and so is a stack that did not start", () => {
  expect(countPlaywright({ stats: { ...stats, flaky: 1 }, errors: [] }).failed).toBe(1);
  expect(countPlaywright({ stats: { ...stats, expected: 0 }, errors: [{}] }).failed).toBe(1);
});
