import { describe, expect, it } from '@jest/globals';
import { lastOf } from './check-last-writes.js';
import { differencesBetween } from './compare-effects.js';

describe('the acknowledged effects, compared with the database', () => {
  it.each<[string, string[], string[], string[]]>([
    ['are the same', ['a', 'b', 'b'], ['b', 'a', 'b'], []],
    ['with a missing row', ['a', 'b'], ['a'], ['acknowledged, but missing: b']],
    ['with a row twice', ['a'], ['a', 'a'], ['stored more often than acknowledged: a']],
    ['with another row', ['a'], ['a', 'b'], ['stored, but never acknowledged: b']],
  ])('%s', (_name, acknowledged, found, differences) => {
    expect(differencesBetween(acknowledged, found)).toEqual(differences);
  });
});

describe('the last of several writes', () => {
  const write = (calledAt: number, answeredAt: number) => ({ calledAt, answeredAt });

  it.each([
    ['of none', [], []],
    ['one after the other', [write(0, 1), write(2, 3)], [write(2, 3)]],
    ['two at once', [write(0, 1), write(2, 5), write(3, 4)], [write(2, 5), write(3, 4)]],
  ])('%s', (_name, writes, last) => {
    expect(lastOf(writes)).toEqual(last);
  });
});
