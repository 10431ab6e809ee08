import { fileURLToPath } from 'node:url';
import type { Config } from 'jest';

// Compiled to dist/jest.config.js, and so are the tests: Jest transforms nothing.
const inRepository = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const config: Config = {
  rootDir: inRepository('dist'),
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/clients'],
  testMatch: ['**/*.test.js'],
  testEnvironment: 'node',
  transform: {},
  globalSetup: '<rootDir>/libs/testing/global-setup.js',
  globalTeardown: '<rootDir>/libs/testing/global-teardown.js',
  reporters: ['default', inRepository('scripts/jest-summary-reporter.mjs')],
  testTimeout: 30_000,
  maxWorkers: 2,
  // Modules loaded through node:vm are not all given back: a worker that has grown starts anew.
  workerIdleMemoryLimit: '512MB',
};

export default config;
