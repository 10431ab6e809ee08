import { describe, expect, it } from '@jest/globals';
import type { Operation } from '../../history.js';
import { type Placed, Unplaced, windowsAmong } from './moments.js';

/** One character for each unit of time: `name |--|`. */
function operation(line: string): Operation {
  return {
    client: 1,
    account: { role: 'plain', name: 'plain', email: 'plain@storm.example', id: 1 },
    kind: 'fund',
    request: { method: 'POST', path: '/' },
    requestId: line.trim(),
    key: undefined,
    expected: 'success',
    tries: [],
    calledAt: line.indexOf('|'),
    answeredAt: line.lastIndexOf('|'),
    answers: [{ status: 200, body: {} }],
  } as Operation;
}

/** Each takes the log from one state to the next. */
const writes = (...lines: readonly string[]): Placed[] =>
  lines.map((line, index) => ({ operation: operation(line), found: index, left: index + 1 }));

describe('the states in which an operation may have taken place', () => {
  const log = writes('first  |--|           ', 'second      |------|  ', 'third                 |-|');

  it.each([
    ['before all', '|       ', { from: 0, until: 0 }],
    ['beside one', '              |-|', { from: 1, until: 2 }],
    ['beside two', '     |----------------|', { from: 0, until: 3 }],
    ['between two', '                    |', { from: 2, until: 2 }],
    ['after all', '                            |', { from: 3, until: 3 }],
    ['that touches another', '          |', { from: 0, until: 1 }],
  ])('%s', (_name, line, states) => {
    expect(windowsAmong(log, 3)(operation(line))).toEqual(states);
  });

  it('end with a read that was sent later, and begin with one that was answered earlier', () => {
    const read = { operation: operation('read           |-|'), found: 2, left: 2 };
    expect(windowsAmong([read], 3)(operation('  |-|'))).toEqual({ from: 0, until: 2 });
    expect(windowsAmong([read], 3)(operation('                    |-|'))).toEqual({ from: 2, until: 3 });
  });
});

describe('operations that the log does not have', () => {
  /** The states that explain each; returns those that none explains. */
  function unexplained(explained: Readonly<Record<string, readonly number[]>>): string[] {
    const found: string[] = [];
    const operations = Object.keys(explained).map(operation);
    const unplaced = new Unplaced(operations, () => ({ from: 1, until: 3 }));
    for (const state of [0, 1, 2, 3, 4]) {
      const left = unplaced.lookAt(state, ({ requestId }) => explained[requestId]?.includes(state) === true);
      found.push(...left.map(({ requestId }) => requestId));
    }
    return found;
  }

  it.each<[string, Record<string, number[]>, string[]]>([
    ['explained at the first state', { 'one |-|': [1] }, []],
    ['explained at the last', { 'one |-|': [3] }, []],
    ['explained too early', { 'one |-|': [0] }, ['one |-|']],
    ['explained too late', { 'one |-|': [4] }, ['one |-|']],
    ['one after the other', { 'one |-|': [1], 'two     |-|': [2] }, []],
    ['both at one state', { 'one |-|': [2], 'two     |-|': [2] }, []],
    ['in the wrong order', { 'one |-|': [3], 'two     |-|': [1, 2] }, ['two     |-|']],
    ['side by side in any order', { 'one |-|': [3], 'two  |-|': [1] }, []],
  ])('%s', (_name, explained, left) => {
    expect(unexplained(explained)).toEqual(left);
  });
});
