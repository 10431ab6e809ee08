import { expect, test } from '@jest/globals';
import { waitFor } from '#testing/wait-for.js';
import type { ProcessExit } from '#tools/services/service-process.js';
import { ConfigurationFault, type RunningPart } from './node-part.js';
import { SupervisedPart, type SupervisedPartOptions } from './supervised-part.js';

interface FakePart extends RunningPart {
  end(exit: ProcessExit): void;
}

const killed: ProcessExit = { code: null, signal: 'SIGKILL' };

function fakePart(pid: number): FakePart {
  let end: (exit: ProcessExit) => void = () => undefined;
  const exited = new Promise<ProcessExit>((resolve) => {
    end = resolve;
  });
  return { pid, exited, end, stop: async () => end({ code: 0, signal: null }) };
}

function supervise(start: SupervisedPartOptions['start']) {
  const given: { lines: string[]; reason?: Error } = { lines: [] };
  const part = new SupervisedPart({
    name: 'part',
    start,
    log: (line) => given.lines.push(line),
    giveUp: (reason) => {
      given.reason = reason;
    },
    firstPauseMs: 1,
  });
  return { part, given };
}

test('a part that dies is started again, and one that is stopped is not', async () => {
  const runs: FakePart[] = [];
  const { part, given } = supervise(async () => {
    runs.push(fakePart(runs.length + 1));
    return runs.at(-1) as FakePart;
  });
  await part.start();
  runs[0]?.end(killed);
  await waitFor(() => runs.length === 2);
  await waitFor(() => given.lines.length === 2);
  expect(given.lines).toEqual([
    'The part ended unexpectedly (signal SIGKILL); starting it again',
    'The part runs again',
  ]);
  await part.stop();
  expect(runs).toHaveLength(2);
  expect(given.reason).toBeUndefined();
});

test('a part that fails five times in a row is given up', async () => {
  let starts = 0;
  const first = fakePart(1);
  const { part, given } = supervise(async () => {
    starts += 1;
    if (starts === 1) return first;
    throw new Error('it does not work');
  });
  await part.start();
  first.end(killed);
  const reason = await waitFor(() => given.reason);
  expect(reason.message).toBe('The part failed 5 times in a row (it does not work): giving up.');
  expect(starts).toBe(5);
  await part.stop();
});

test('a part that is wrongly configured is given up at once', async () => {
  const first = fakePart(1);
  const runs: (() => RunningPart)[] = [
    () => first,
    () => {
      throw new ConfigurationFault();
    },
  ];
  const { part, given } = supervise(async () => (runs.shift() as () => RunningPart)());
  await part.start();
  first.end({ code: 1, signal: null });
  expect(await waitFor(() => given.reason)).toBeInstanceOf(ConfigurationFault);
  await part.stop();
});

test('a stop ends what is just being started', async () => {
  const { part } = supervise(
    (stopping) =>
      new Promise((_resolve, reject) => {
        stopping.addEventListener('abort', () => reject(new Error('stopped')));
      }),
  );
  const starting = part.start();
  const outcome = expect(starting).rejects.toThrow('stopped');
  await part.stop();
  await outcome;
});
