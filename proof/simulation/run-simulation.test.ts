import { describe, expect, it } from '@jest/globals';
import { StartError } from '#platform/errors/start-error.js';
import { readOptions } from './options.js';
import type { PlayHistory } from './play-history.js';
import { runSimulation } from './run-simulation.js';

const runWith = (args: readonly string[], playHistory?: PlayHistory) => {
  const options = readOptions(args);
  const printed: string[] = [];
  const isSound = runSimulation({ options, print: (text) => printed.push(text), ...(playHistory && { playHistory }) });
  return { isSound, text: printed.join('\n') };
};

describe('the command', () => {
  it('plays for the given time, and prints the number of histories and of each situation', () => {
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

  it('ends at a failure, and names the history, which fails again', () => {
    const playHistory: PlayHistory = ({ steps }) => (steps.length > 2 ? { step: 3, text: 'three are too many' } : null);
    const { isSound, text } = runWith(['--seed', '1', '--seconds', '1'], playHistory);
    expect(isSound).toBe(false);
    expect(text).toContain('three are too many');
    const [, seed = ''] = /npm run simulate -- --history (\d+)/.exec(text) ?? [];
    expect(runWith(['--history', seed], playHistory).isSound).toBe(false);
  });
});

describe('the options', () => {
  it('have defaults, and a usage text', () => {
    expect(readOptions([])).toEqual({ seed: undefined, seconds: 30, history: undefined });
    expect(() => readOptions(['--help'])).toThrow('--history');
  });

  it.each([[['--seed', '-1']], [['--seconds', '0']], [['--seconds', '1.5']], [['--history', 'x']], [['--what']]])(
    'refuse %j',
    (args) => expect(() => readOptions(args)).toThrow(StartError),
  );
});
