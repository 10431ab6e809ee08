import { describe, expect, it } from '@jest/globals';
import { StartError } from '#platform/errors/start-error.js';
import { firstDifference } from './first-difference.js';
import { readOptions, USAGE } from './options.js';
import type { PlayHistory } from './play-history.js';
import { runSimulation } from './run-simulation.js';

const runWith = (args: readonly string[], playHistory?: PlayHistory) => {
  const options = readOptions(args);
  if (options === undefined) throw new Error('help was not asked for');
  const printed: string[] = [];
  const isSound = runSimulation({ options, print: (text) => printed.push(text), ...(playHistory && { playHistory }) });
  return { isSound, text: printed.join('\n') };
};

describe('the command', () => {
  it('plays for as long as it is told, and says how many histories and what arose in them', () => {
    const { isSound, text } = runWith(['--seed', '1', '--seconds', '1']);
    expect(isSound).toBe(true);
    expect(text).toContain('Random histories for 1 s, seed 1');
    expect(text).toMatch(/\d {2}make_bet_offer done\n/);
    expect(text).toMatch(/[\d,]+ histories, [\d,]+ steps, [\d,]+ histories a second\./);
    expect(text).toMatch(/No difference\.$/);
  });

  it('plays one history again, step by step', () => {
    const { isSound, text } = runWith(['--history', '4711']);
    expect(isSound).toBe(true);
    expect(text).toMatch(/^History 4711/);
    expect(text).toMatch(/\n {3}1\. .* offers .*\n {3}2\. /);
    expect(runWith(['--history', '4711']).text).toBe(text);
  });

  it('ends with a failure, and names the history, which fails again', () => {
    const playHistory: PlayHistory = ({ steps }) => (steps.length > 2 ? { step: 3, text: 'three are too many' } : null);
    const { isSound, text } = runWith(['--seed', '1', '--seconds', '1'], playHistory);
    expect(isSound).toBe(false);
    expect(text).toContain('three are too many');
    const [, seed = ''] = /npm run simulate -- --history (\d+)/.exec(text) ?? [];
    expect(runWith(['--history', seed], playHistory).isSound).toBe(false);
  });
});

describe('the options', () => {
  it('have defaults, and a text', () => {
    expect(readOptions([])).toEqual({ seed: undefined, seconds: 30, history: undefined });
    expect(readOptions(['--help'])).toBeUndefined();
    expect(USAGE).toContain('--history');
  });

  it.each([[['--seed', '-1']], [['--seconds', '0']], [['--seconds', '1.5']], [['--history', 'x']], [['--what']]])(
    'refuse %j',
    (args) => expect(() => readOptions(args)).toThrow(StartError),
  );
});

describe('the first difference', () => {
  const picture = (balance: bigint) => ({
    users: [
      { id: 1n, balance: 5n },
      { id: 2n, balance },
    ],
    trails: ['made'],
  });

  it('is none between equal things', () => expect(firstDifference(picture(7n), picture(7n))).toBeNull());

  it('is named by its place, by ids where there are some', () => {
    const text = 'users.2.balance: the core has 7, the second ledger 8';
    expect(firstDifference(picture(7n), picture(8n))).toBe(text);
  });

  it.each([
    [{ answer: 1n }, { isDone: false }, 'answer: the core has 1, the second ledger nothing'],
    [{}, { text: 'no' }, 'text: the core has nothing, the second ledger "no"'],
    [[1n], [1n, { id: 102n }], '102: the core has nothing, the second ledger {"id":102}'],
    [[1n, 2n], [1n], '1: the core has 2, the second ledger nothing'],
    [null, { id: 1n }, ': the core has null, the second ledger {"id":1}'],
    [0n, 0, ': the core has 0, the second ledger 0'],
  ])('is seen between %p and %p', (core, second, text) => expect(firstDifference(core, second)).toBe(text));
});
