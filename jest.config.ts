import { fileURLToPath } from 'node:url';
import type { Config } from 'jest';

// Compiled to build/jest.config.js, and so are the tests: Jest transforms nothing.
const inRepository = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const config: Config = {
  rootDir: inRepository('build'),
  // Outlives the run: Jest begins with the files that took longest in the former one, so that none runs alone at the end.
  cacheDirectory: inRepository('node_modules/.cache/jest'),
  roots: ['apps', 'clients', 'libs', 'proof', 'testing', 'tools'].map((folder) => `<rootDir>/${folder}`),
  testMatch: ['**/*.test.js'],
  testEnvironment: 'node',
  injectGlobals: false,
  runtime: inRepository('tools/setup/jest-runtime.mjs'),
  transform: {},
  globalSetup: '<rootDir>/testing/global-setup.js',
  globalTeardown: '<rootDir>/testing/global-teardown.js',
  testSequencer: inRepository('tools/setup/jest-sequencer.mjs'),
  reporters: ['default', inRepository('tools/setup/jest-summary-reporter.mjs')],
  // The machine may be slow, and stand still for seconds: this only ends tests that hang.
  testTimeout: 240_000,
  maxWorkers: 2,
  // The modules stay loaded, and test files leave little else behind: a worker that has grown all the same starts anew.
  workerIdleMemoryLimit: '1GB',
};

export default config;
