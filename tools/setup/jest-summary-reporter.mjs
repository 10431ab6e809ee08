/** Prints the counts of passed and failed tests as the last line. A test file that cannot run counts as one failure. */
export default class SummaryReporter {
  onRunComplete(_contexts, /** @type {import('@jest/reporters').AggregatedResult} */ results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = [`${results.numPassedTests} passed`, `${failed} failed`];
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // At the exit, because the global teardown may still print.
    process.once('exit', () => process.stdout.write(`${counts.join(', ')}\n`));
  }
}
