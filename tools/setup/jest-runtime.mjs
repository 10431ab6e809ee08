// Jest's own runtime, except that Node.js loads the modules of the tests. Jest's loader loads and compiles every module again for
// every test file, which takes a quarter more processor time. The files of one worker share their modules, so no module may
// hold state of its own.

import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import Runtime from 'jest-runtime';
import { setGlobals } from './jest-globals/index.js';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });

/** Those that ran since the last test file. @type {Set<AsyncLocalStorage<unknown>>} */
const running = new Set();
const { run } = AsyncLocalStorage.prototype;

/** @this {AsyncLocalStorage<unknown>} */
AsyncLocalStorage.prototype.run = function noteAndRun(...args) {
  running.add(this);
  return run.apply(this, args);
};

export default class NativeRuntime extends Runtime {
  /** @override */
  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @override */
  async unstable_importModule(/** @type {string} */ file) {
    await import(pathToFileURL(file).href);
  }

  /** @override */
  setGlobalsForRuntime(/** @type {Parameters<typeof setGlobals>[0]} */ globals) {
    setGlobals(globals);
  }

  /**
   * From its first `run` on, each storage has Node.js call a hook for every promise, and Jest makes one for every test file: after a
   * hundred files, an `await` would cost 50 times as much.
   * @override
   */
  teardown() {
    for (const storage of running) storage.disable();
    running.clear();
    super.teardown();
  }
}
