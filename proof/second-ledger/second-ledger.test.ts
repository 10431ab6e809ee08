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
