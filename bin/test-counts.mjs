/** @typedef {{ passed: number, failed: number, skipped: number }} TestCounts */

/** Counts the tests of a report of vitest's JSON reporter. @param {any} report @returns {TestCounts} */
export function countVitest(report) {
  const brokenFiles = report.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === "failed" && !file.assertionResults.some((/** @type {any} */ test) => test.status === "failed"),
  ).length;
  return {
    passed: report.numPassedTests,
    // A file that cannot be loaded has no failed test, but counts as a failure.
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts the tests of a report of Playwright's JSON reporter. @param {any} report @returns {TestCounts} */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + flaky;
  // `errors` are outside of tests, for example a stack that did not start.
  return { passed: expected, failed: failed === 0 ? report.errors.length : failed, skipped };
}

/** @param {TestCounts[]} counts @returns {TestCounts} */
export const addCounts = (counts) =>
  counts.reduce(
    (sum, { passed, failed, skipped }) => ({
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );

/** Returns the last line of a test run. @param {TestCounts} counts */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
