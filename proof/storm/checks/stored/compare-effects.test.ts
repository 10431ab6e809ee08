import { describe, expect, it } from '@jest/globals';
import { lastOf } from './check-last-writes.js';
import { differencesBetween } from './compare-effects.js';

describe('what was acknowledged, beside what is there', () => {
  it.each<[string, string[], string[], string[]]>([
    ['is the same', ['a', 'b', 'b'], ['b', 'a', 'b'], []],
    ['lacks something', ['a', 'b'], ['a'], ['acknowledged, but not there: b']],
    ['has something twice', ['a'], ['a', 'a'], ['there more often than acknowledged: a']],
    ['has something else', ['a'], ['a', 'b'], ['there, but never acknowledged: b']],
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
