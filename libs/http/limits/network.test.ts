import { describe, expect, it } from '@jest/globals';
import { networkOf, networksOf } from './network.js';

const IPV4 = ['192.0.2.7', '192.0.2.0/24'];
const IPV6 = ['2001:db8:1:2ab', '2001:db8:1:200/56', '2001:db8:1/48'];

describe('the networks of an address', () => {
  it.each([
    ['192.0.2.7', IPV4],
    ['192.0.2.7:4711', IPV4],
    ['::ffff:192.0.2.7', IPV4],
    ['::FFFF:c000:0207', IPV4],
    ['0:0:0:0:0:ffff:192.0.2.7', IPV4],
    ['64:ff9b::192.0.2.7', IPV4],
    ['[::ffff:192.0.2.7]:4711', IPV4],
    ['2001:db8:1:2ab:3:4:5:6', IPV6],
    ['2001:DB8:0001:02AB::9', IPV6],
    ['2001:db8:1:2ab::', IPV6],
    ['2001:db8:1:2ab::1.2.3.4', IPV6],
    ['[2001:db8:1:2ab::1]:443', IPV6],
    ['2001:db8::1', ['2001:db8:0:0', '2001:db8:0:0/56', '2001:db8:0/48']],
    ['::1', ['0:0:0:0', '0:0:0:0/56', '0:0:0/48']],
    ['fe80::1%eth0', ['fe80:0:0:0', 'fe80:0:0:0/56', 'fe80:0:0/48']],
    ['', ['']],
    ['unknown', ['unknown']],
    ['300.1.1.1', ['300.1.1.1']],
    ['1:2:3', ['1:2:3']],
    ['x'.repeat(500), ['x'.repeat(64)]],
    [':'.repeat(500), [':'.repeat(64)]],
  ])('%s counts as %s', (address, names) => {
    const networks = networksOf(address);
    expect(networks.map(({ name }) => name)).toEqual(names);
    expect(networkOf(address)).toBe(names[0]);
    expect(networks.map(({ share }) => share)).toEqual({ 1: [1], 2: [1, 4], 3: [1, 2, 4] }[names.length]);
  });

  it.each([
    ['2001:db8:1:200::1', '2001:db8:1:2ff::1', ['2001:db8:1:200/56', '2001:db8:1/48']],
    ['2001:db8:1:2ff::1', '2001:db8:1:300::1', ['2001:db8:1/48']],
    ['2001:db8:1::1', '2001:db8:2::1', []],
    ['192.0.2.7', '192.0.2.8', ['192.0.2.0/24']],
    ['192.0.2.7', '192.0.3.7', []],
  ])('%s and %s share %j', (one, other, shared) => {
    const names = networksOf(other).map(({ name }) => name);
    expect(networksOf(one).flatMap(({ name }) => (names.includes(name) ? [name] : []))).toEqual(shared);
  });
});
