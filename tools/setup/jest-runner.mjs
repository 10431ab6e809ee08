// Runs each test file with jest-circus, as Jest does, but lets Node.js load the modules. Jest's own loader loads and compiles
// every module anew for every test file, which takes more processor time than most tests. The files of one worker share their
// modules, so no module may hold state of its own.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { setGlobals } from './jest-globals/index.js';

const require = createRequire(import.meta.url);
const { default: runWithCircus } = require('jest-circus/runner');
/** Descriptions of the symbols under which jest-circus stores the state of a test file in the global object. */
const CIRCUS_STATE = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL']);

// Drawn once for both runs of `npm test`.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });

/** @type {typeof runWithCircus} */
export default function runTestFile(globalConfig, config, environment, runtime, ...rest) {
  const { moduleMocker: mocker } = environment;
  const jest = {
    setTimeout(/** @type {number} */ timeoutMs) {
      globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = timeoutMs;
    },
    spyOn: mocker.spyOn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
  };
  Object.assign(runtime, {
    requireInternalModule: requireAnew,
    setGlobalsForRuntime: (/** @type {object} */ globals) => setGlobals({ ...globals, jest }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (/** @type {string} */ file) => import(pathToFileURL(file).href),
  });
  return runWithCircus(globalConfig, config, environment, runtime, ...rest);
}

/** Loads the part of jest-circus that holds the state of a test file. */
function requireAnew(/** @type {string} */ file) {
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (CIRCUS_STATE.has(symbol.description ?? '')) delete globalThis[symbol];
  }
  delete require.cache[file];
  return require(file);
}
