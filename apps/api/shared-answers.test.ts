import { expect, it } from '@jest/globals';
import { deferred } from '#testing/deferred.js';
import { waitFor } from '#testing/wait-for.js';
import { shareAnswers } from './shared-answers.js';

const AT_ONCE = { forMs: 0, withinMs: 50, knownForMs: 60_000 };

it('a question is not asked again while it is under way, however late it is', async () => {
  const slow = deferred();
  let asked = 0;
  const shared = shareAnswers(async () => {
    asked += 1;
    if (asked === 1) await slow.promise;
    else throw new Error('away');
    return asked;
  }, AT_ONCE);
  expect(shared.last()).toBeUndefined();
  expect(await Promise.all([shared.soon(), shared.soon()])).toEqual([undefined, undefined]);
  expect(await shared.soon()).toBeUndefined();
  expect(asked).toBe(1);
  slow.resolve();
  // Each look asks again by now, and what fails leaves the last answer.
  await waitFor(() => shared.last() === 1 && asked > 2);
});

it('an answer is shared while it is young, and is not known when it is old', async () => {
  let asked = 0;
  const ask = async () => ++asked;
  const shared = shareAnswers(ask, { ...AT_ONCE, forMs: 60_000, withinMs: 60_000 });
  expect(await Promise.all(Array.from({ length: 200 }, shared.soon))).toEqual(Array(200).fill(1));
  const short = shareAnswers(ask, { forMs: 60_000, withinMs: 60_000, knownForMs: 50 });
  expect(await short.soon()).toBe(2);
  await waitFor(() => short.last() === undefined);
});
