import { writeFileSync } from 'node:fs';

/** Writes how each test file ended, for `npm test`. A test file that cannot run counts as one failure. */
export default class SummaryReporter {
  onRunComplete(_contexts, /** @type {import('@jest/reporters').AggregatedResult} */ { testResults }) {
    const results = testResults.map((file) => ({
      file: file.testFilePath,
      passed: file.numPassingTests,
      failed: file.testExecError ? Math.max(1, file.numFailingTests) : file.numFailingTests,
      skipped: file.numPendingTests + file.numTodoTests,
    }));
    const target = process.env.TEST_RESULTS_FILE;
    if (target) writeFileSync(target, JSON.stringify(results));
  }
}
