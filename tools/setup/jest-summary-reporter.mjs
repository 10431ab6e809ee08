/** Prints how many tests passed and failed, as the very last line. A test file that cannot run is one failure. */
export default class SummaryReporter {
  onRunComplete(_contexts, /** @type {import('@jest/reporters').AggregatedResult} */ results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const counts = [`${results.numPassedTests} passed`, `${failed} failed`];
    if (skipped > 0) counts.push(`${skipped} skipped`);
    // At the exit: the global teardown may still have something to say.
    process.once('exit', () => process.stdout.write(`${counts.join(', ')}\n`));
  }
}
