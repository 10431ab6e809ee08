// Takes the place of the package @jest/globals, which works only inside of Jest's own module loader. Node.js loads this module
// once per process; `setGlobals` sets the functions of the test file that runs now.

import { ModuleMocker } from 'jest-mock';

export { expect } from 'expect';
export const jest = new ModuleMocker(globalThis);
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let it;
export let test;

export function setGlobals(/** @type {typeof import('@jest/globals')} */ globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = globals);
}
