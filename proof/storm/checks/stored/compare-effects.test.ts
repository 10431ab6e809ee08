import { describe, expect, it } from '@jest/globals';
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
