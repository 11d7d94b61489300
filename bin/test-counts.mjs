/** @typedef {{ passed: number, failed: number, skipped: number }} TestCounts */

/** What vitest's JSON reporter wrote. @param {any} report @returns {TestCounts} */
export function countVitest(report) {
  const brokenFiles = report.testResults.filter(
    (/** @type {any} */ file) =>
      file.status === "failed" && !file.assertionResults.some((/** @type {any} */ test) => test.status === "failed"),
  ).length;
  return {
    passed: report.numPassedTests,
    // A file that cannot even be loaded has no failing test, and is a failure all the same.
    failed: report.numFailedTests + brokenFiles,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** What Playwright's JSON reporter wrote. @param {any} report @returns {TestCounts} */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  const failed = unexpected + flaky;
  // Errors outside of any test, as a stack that did not start.
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

/** The last line of a test run. @param {TestCounts} counts */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
