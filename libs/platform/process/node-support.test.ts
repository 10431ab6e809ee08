import { describe, expect, it } from '@jest/globals';
import { outOfSupport } from './node-support.js';

describe('the support of Node', () => {
  it.each(['22.23.3', '24.18.0', '26.0.0'])('goes on for %s', (version) => {
    expect(outOfSupport(version)).toBeUndefined();
  });

  it.each(['20.20.2', '21.7.3', '23.11.0', '25.1.0'])('has ended for %s', (version) => {
    expect(outOfSupport(version)).toContain(`Node ${version} gets no security fixes any more`);
  });
});
