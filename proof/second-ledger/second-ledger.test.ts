import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Operation } from '#core/operation.js';
import { acceptance, cancellation, decision, micros, odds, offer } from '#testing/core/builders.js';
import { SecondLedger } from './second-ledger.js';

let ledger: SecondLedger;

beforeEach(() => {
  const users = [1n, 2n, 3n].map((id) => ({
    id,
    reference: `u${id}`,
    allowNegativeBalance: null,
    startBalance: 1_000_000_000n,
  }));
  ledger = new SecondLedger({ allowNegativeBalance: false, users });
});

const play = (...operations: Operation[]) => operations.map((operation) => ledger.execute(operation));
/** Balance and exposure of u1, u2, u3, as decimal numbers. */
const money = () =>
  ledger.picture.users.map(({ balance, exposure }) => [Number(balance) / 1e6, Number(exposure) / 1e6]);
const idle = [1000, 0];

it('shares only types with the core, so its compiled files do not import the core', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'));
  expect(files).toContain('second-ledger.js');
  for (const file of files) expect(readFileSync(new URL(file, folder), 'utf8')).not.toContain('#core/');
});

describe('the second ledger', () => {
  it('moves exposure by open offers, then by matched bets', () => {
    play(offer());
    expect(money()).toEqual([[1000, 100], idle, idle]);
    play(acceptance({ acceptingAmount: micros(40) }));
    expect(money()).toEqual([[1000, 100], [1000, 80], idle]);
    expect(ledger.picture.bets).toMatchObject([
      { id: 101n, offerStatus: 'accepted', requestingAmount: micros(100), effectiveAmount: micros(40) },
      { id: 102n, offerStatus: 'requesting', requestingAmount: micros(60), effectiveAmount: null },
    ]);
    expect(ledger.picture.positions).toEqual([
      { userId: 1n, wagerId: 11n, win: micros(80), loss: micros(-40), offered: micros(60) },
      { userId: 2n, wagerId: 11n, win: micros(-80), loss: micros(40), offered: 0n },
    ]);
  });

  it('settles by the figures of the contract, and reverses a settlement', () => {
    play(offer({ requestingAmount: micros(300) }), acceptance({ acceptingAmount: micros(300) }), decision('half-win'));
    expect(money()).toEqual([[1300, 0], [700, 0], idle]);
    expect(ledger.records.transactions).toMatchObject([
      { userId: 1n, amount: micros(300), transactionType: 'credit', betId: 101n },
      { userId: 2n, amount: micros(300), transactionType: 'debit', betId: 101n },
    ]);
    play({ type: 'override_bet_outcome', betId: 101n, overrideOutcome: 'undecided' });
    expect(money()).toEqual([[1000, 300], [1000, 600], idle]);
    expect(ledger.records.transactions.map(({ transactionType }) => transactionType)).toEqual(['debit', 'credit']);
  });

  it('says what a task would come to, and stays as it is', () => {
    play(offer());
    const [before, records] = [ledger.picture, ledger.records];
    expect(ledger.preview(acceptance())).toMatchObject({ verdict: { isDone: true }, writes: true });
    expect(ledger.preview(decision('undecided'))).toMatchObject({ verdict: { isDone: true }, writes: false });
    const wagerReference = 'w';
    const suspend = { type: 'suspend_wager', wagerReference, reason: null, cancelOffers: false } as const;
    expect(ledger.preview(suspend)).toMatchObject({ verdict: { isDone: true }, writes: true });
    expect(ledger.preview({ type: 'resume_wager', wagerReference })).toMatchObject({ writes: false });
    expect([ledger.picture, ledger.records]).toEqual([before, records]);
    play(acceptance());
    expect(ledger.picture).not.toEqual(before);
  });

  it('takes the ids that another ledger has given', () => {
    ledger = new SecondLedger({ allowNegativeBalance: true, users: [], ids: { wagers: [7n], bets: [21n] } });
    ledger.change({ users: [{ id: 1n, reference: 'u1', allowNegativeBalance: null, startBalance: 0n }] });
    play(offer(), offer());
    expect(ledger.picture.bets.map(({ id, wagerId }) => [id, wagerId])).toEqual([
      [21n, 7n],
      [102n, 7n],
    ]);
  });

  it('hedges within a wager: backing and laying the same amount costs nothing', () => {
    play(offer(), acceptance());
    play(offer({ requestingUser: { id: 2n } }), acceptance({ acceptingUser: { id: 1n } }));
    expect(money()).toEqual([idle, idle, idle]);
  });

  it('takes the lowest odds first, then the oldest; a rest keeps the place of its offer', () => {
    play(offer(), offer({ requestingUser: { id: 3n } }), offer({ requestingOdds: odds(2) }));
    play(acceptance({ acceptingAmount: micros(150) }), acceptance({ acceptingAmount: micros(60) }));
    const matched = ledger.picture.bets.filter(({ offerStatus }) => offerStatus === 'accepted');
    expect(matched.map(({ id, effectiveAmount }) => [id, effectiveAmount])).toEqual([
      [101n, micros(50)],
      [102n, micros(10)],
      [103n, micros(100)],
      [104n, micros(50)],
    ]);
  });

  it('settles at most `bound` bets at a time', () => {
    play(offer(), offer(), acceptance({ acceptingAmount: micros(100) }));
    expect(play({ ...decision('win'), bound: 1 })).toMatchObject([{ answer: { settledCount: 1, remainingCount: 1 } }]);
    expect(ledger.picture.bets.map(({ offerStatus, settledOutcome }) => [offerStatus, settledOutcome])).toEqual([
      ['accepted', null],
      ['expired', null],
    ]);
    const chunk = { type: 'settle_chunk', wagerId: 11n, bound: 2 } as const;
    expect(play(chunk, chunk)).toMatchObject([
      { answer: { settledCount: 1, isComplete: true } },
      { answer: { settledCount: 0, isComplete: true } },
    ]);
    expect(money()).toEqual([[1200, 0], [800, 0], idle]);
  });

  it('refuses a withdrawal beyond the balance with the text of the contract, and changes nothing', () => {
    const before = ledger.picture;
    const text = 'Insufficient balance: withdrawal would cause negative effective balance';
    const withdrawal = { type: 'withdraw', user: { id: 1n }, amount: micros(1000.000001), description: '' } as const;
    expect(play(withdrawal)).toEqual([{ isDone: false, kind: 'invalid', text }]);
    expect(ledger.picture).toBe(before);
  });

  it('judges a batch at its end, and names the refused operation', () => {
    const replacement = offer({ requestingAmount: micros(1000) });
    play(offer());
    const items = [replacement, cancellation()].map((operation, index) => ({ operationId: `x${index}`, operation }));
    expect(ledger.executeBatch([...items, { operationId: 'x2', operation: replacement }])).toMatchObject({
      isDone: true,
    });
    const again = { operationId: 'y', operation: replacement };
    expect(ledger.executeBatch([again])).toMatchObject({
      isDone: false,
      text: expect.stringMatching(/^operation 'y': /),
    });
  });
});
