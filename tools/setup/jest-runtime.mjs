// Jest's own runtime, except that Node.js loads the modules of the tests. Jest's loader loads and compiles every module again for
// every test file, which takes a quarter more processor time. The files of one worker share their modules, so no module may
// hold state of its own.

import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import Runtime from 'jest-runtime';
import { setGlobals } from './jest-globals/index.js';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });

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
}
