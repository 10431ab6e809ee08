import TestSequencer from '@jest/test-sequencer';

/** Test files that run for up to a minute are in these folders. */
const SLOW = /\/build\/(proof|tools|apps\/worker|apps\/console\/test|apps\/api\/test)\//;

/** Starts slow test files first, so that none of them runs alone at the end. */
export default class SlowFirst extends TestSequencer {
  /** @override @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const isFast = (/** @type {import('@jest/test-result').Test} */ { path }) => Number(!SLOW.test(path));
    // The sort is stable: within each kind the former duration decides, or the size of the file.
    return super.sort(tests).sort((one, other) => isFast(one) - isFast(other));
  }
}
