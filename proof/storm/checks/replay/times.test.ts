import { describe, expect, it } from '@jest/globals';
import type { BetFacts, Facts, WagerFacts } from '#proof/second-ledger/facts.js';
import type { Task } from '#proof/second-ledger/second-ledger.js';
import { offer } from '#testing/core/builders.js';
import type { LoggedEvent, LoggedOperation, StoredLog, StoredStep, StoredTimes } from './stored-log.js';
import { timesIn, timesOf, wrongTime } from './times.js';

const SECOND = 1_000_000n;
const wager = { id: 1n, reference: 'w', status: 'open', closesAt: 500n } as WagerFacts;
const bet = { id: 7n, wagerId: 1n, expiresAt: 300n } as BetFacts;
const facts = { now: 50n, wagers: [wager], bets: [bet] } as unknown as Facts;
const resume: Task = { type: 'resume_wager', wagerReference: 'w' };
const clock: Task = { type: 'run_clock', wagerId: 1n, bound: 10 };

/** An operation of the log with one step, of bet 7, and the times that are stored of the bet. */
function logged(kind: LoggedEvent['kind'], times: Partial<StoredTimes> = {}, step: Partial<StoredStep> = {}) {
  const steps = kind.startsWith('wager.') ? [] : [['s', { bet: '7', at: 1_000n, ...step } as StoredStep] as const];
  const operation = { at: 2_000n, events: [{ kind, ref: 's', extra: {} }] } as unknown as LoggedOperation;
  const stored = { expiresAt: null, acceptedAt: null, ...times };
  const log = { steps: new Map(steps), bets: new Map([['7', stored]]) } as unknown as StoredLog;
  return { operation, log, sent: undefined };
}

describe('the times at which an operation can have run', () => {
  it('are the beginning of its span, and each end in it of its wager and its offers', () => {
    expect(timesIn({ from: 100n, until: 900n }, resume, facts)).toEqual([100n, 300n, 500n]);
    expect(timesIn({ from: 300n, until: 499n }, resume, facts)).toEqual([300n]);
    const other: Task = { type: 'resume_wager', wagerReference: 'other' };
    expect(timesIn({ from: 100n, until: 900n }, other, facts)).toEqual([100n]);
  });

  it('are one, when a match or the end of an offer says which', () => {
    expect(timesOf(logged('offer.matched', { acceptedAt: 1_234n }), resume, facts)).toEqual([1_234n]);
    const ends = { ends: { inSeconds: 3 } };
    const made = logged('offer.made', { expiresAt: 1_500n + 3n * SECOND });
    expect(timesOf(made, offer(ends), facts)).toEqual([1_500n]);
    const asked = logged('offer.made', { expiresAt: 1_500n + 3n * SECOND });
    expect(timesOf(asked, offer({ ends: { at: 1_500n + 3n * SECOND } }), facts)).toEqual([500n]);
  });

  it('are not those of a step that has the number of a wager', () => {
    const made = logged('offer.made', {}, { at: 1_500n });
    const created = { ...made.operation, events: [{ kind: 'wager.created', ref: 's', extra: {} }] } as LoggedOperation;
    const sent = { from: 1_200n, until: 3_000n };
    expect(timesOf({ ...made, operation: created, sent }, resume, facts)).toEqual([1_200n]);
  });

  it('of a worker that closes a wager begin when it closes, and of one that does not end before', () => {
    expect(timesOf(logged('wager.closed'), clock, facts)).toEqual([500n]);
    const expires = logged('offer.expired', {}, { at: 600n });
    expect(timesOf(expires, clock, facts)).toEqual([100n, 300n]);
  });
});

describe('a match at a time that cannot be', () => {
  const sent = { from: 1_000n, until: 3_000n };

  it.each([
    ['before its request was sent', 999n, /is matched at 999, sent at 1000, and logged at 2000/],
    ['after its event', 2_001n, /is matched at 2001/],
    ['in between', 1_500n, undefined],
  ])('%s', (_name, acceptedAt, expected) => {
    const found = wrongTime({ ...logged('offer.matched', { acceptedAt }), sent });
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(expected);
  });
});
