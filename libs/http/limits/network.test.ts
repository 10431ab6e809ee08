import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network.js';

describe('the network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
    ['unknown', 'unknown'],
    ['x'.repeat(500), 'x'.repeat(64)],
    [':'.repeat(500), expect.any(String)],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toEqual(network);
    expect(networkOf(address).length).toBeLessThanOrEqual(64);
  });
});
