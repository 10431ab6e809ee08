import { readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULTLESS_STORM_MS, type FaultlessStorm, runFaultlessStorm } from '#testing/faultless-storm.js';
import { type Answer, type History, isSuccess, type Kind, type Operation, type Schemas } from '../history.js';
import { checkAll } from './check-all.js';

// A short storm without any fault finds nothing wrong. Then each thing that must not happen is made to look as if it had,
// in what the clients were told or in the database, and is found.

let storm: FaultlessStorm;
let history: History;

beforeAll(async () => {
  storm = await runFaultlessStorm();
  history = storm.history;
}, FAULTLESS_STORM_MS);

afterAll(() => storm?.close());

async function findingsIn(changed: History = history, patienceMs = 30_000): Promise<string[]> {
  const options = { databaseUrl: storm.database.url, mailFolder: storm.mailFolder, patienceMs };
  const { findings } = await checkAll({ ...options, history: changed });
  return findings.map(({ check, text }) => `${check}: ${text}`);
}

type Change = (operation: Operation) => Operation;

/** The history with one operation told differently: the first, or the last, that fits. */
function changing(fits: (operation: Operation) => boolean, change: Change, where: 'first' | 'last' = 'first'): History {
  const { operations } = history;
  const index = where === 'first' ? operations.findIndex(fits) : operations.findLastIndex(fits);
  expect(index).toBeGreaterThanOrEqual(0);
  return { ...history, operations: operations.map((each, place) => (place === index ? change(each) : each)) };
}

const is = (kind: Kind, status?: number) => (operation: Operation) =>
  operation.kind === kind && (status === undefined || operation.answers[0]?.status === status);
const answered =
  (...answers: readonly Answer[]): Change =>
  (operation) => ({ ...operation, answers: [...answers] });
const without = (fits: (operation: Operation) => boolean): History => {
  const gone = history.operations.find(fits);
  return { ...history, operations: history.operations.filter((each) => each !== gone) };
};

/** The database as it should not be, for as long as that is looked at. */
async function whileChanged(change: string, back: string, look: () => Promise<void>): Promise<void> {
  await storm.database.query(change);
  try {
    await look();
  } finally {
    await storm.database.query(back);
  }
}

describe('a storm without faults', () => {
  it('finds nothing, and has done something of everything', async () => {
    expect(await findingsIn()).toEqual([]);
    const kinds = new Set(history.operations.map(({ kind }) => kind));
    for (const kind of ['batch', 'accept-offer', 'withdraw', 'read-users', 'cross-tenant', 'force-override'] as const) {
      expect(kinds).toContain(kind);
    }
    expect(history.operations.some(({ answers }) => answers.length > 1)).toBe(true);
  });
});

describe('found in what the clients were told', () => {
  const balanceOf =
    (change: number): Change =>
    (operation) => {
      const { data, message } = (operation.answers[0] as Answer).body as { data: Schemas['User']; message: string };
      return answered({ status: 200, body: { data: { ...data, balance: data.balance + change }, message } })(operation);
    };
  const isPlainRead = (operation: Operation) => is('read-user', 200)(operation) && operation.account.role === 'plain';
  const isPlainDecision = (operation: Operation) =>
    operation.kind === 'decide' && isSuccess(operation) && operation.account.role === 'plain';
  const isCrossTenant = is('cross-tenant');
  const movementAgain: Change = (operation) => {
    const { data } = (operation.answers[0] as Answer).body as { data: Schemas['Movement'] };
    return answered({ status: 201, body: { data: { ...data, id: 999_999 }, message: '' } })(operation);
  };

  const changedLast: Change = (operation) => {
    const request = { ...operation.request, body: { name: 'Lost' } };
    return { ...operation, request, calledAt: 1e9, answeredAt: 1e9 + 1 };
  };

  it.each<[string, () => History, RegExp[]]>([
    [
      'an effect that was lost',
      () => changing(is('fund', 201), movementAgain),
      [/money in and out: acknowledged, but not there: .* by 999999/],
    ],
    [
      'an effect that nobody was told of',
      () => without(is('make-offer', 201)),
      [/offers made: there, but never acknowledged/],
    ],
    [
      'an account that nobody registered',
      () => without(is('register', 201)),
      [/accounts registered: there, but never/],
    ],
    [
      'a refusal that had an effect',
      () => changing(is('withdraw', 201), answered({ status: 400, body: { status: 400, error: 'no' } })),
      [/money in and out: there, but never/, /the answer kept for a key is the one given/],
    ],
    [
      'a change that was lost',
      () => changing(is('change-user', 200), changedLast),
      [/what was written last is there: .*name of user .*last written: Lost/],
    ],
    [
      'a wager decided twice',
      () => ({ ...history, operations: [...history.operations, ...history.operations.filter(isPlainDecision)] }),
      [/a wager is decided once: .* was decided again/],
    ],
    [
      'a storm in which nothing happened',
      () => ({ ...history, operations: [], seconds: 60 }),
      [/there was enough of everything: operations: 0, at least/],
    ],
    [
      'a stale read',
      () => changing(isPlainRead, balanceOf(-0.123457), 'last'),
      [/balances are linearizable: plain-.*no order explains/s],
    ],
    [
      'more at risk than in hand',
      () => changing(isPlainRead, balanceOf(-200_000), 'last'),
      [/nobody had more at risk than in hand/],
    ],
    [
      'another account shown',
      () => changing(isCrossTenant, answered({ status: 200, body: { data: { id: 1 } } })),
      [/every answer was one of those expected: .*probe/],
    ],
    [
      'another text for what belongs to others',
      () => changing(isCrossTenant, answered({ status: 404, body: { status: 404, error: 'Not yours' } })),
      [/every answer was one of those expected: .*Not yours/],
    ],
    [
      'two answers for one key',
      () => changing(is('fund', 201), (each) => ({ ...each, answers: [...each.answers, { status: 201, body: {} }] })),
      [/a key has one answer: .*fund/],
    ],
    [
      'a fault of the service',
      () => changing(is('read'), (each) => ({ ...each, tries: [500, 200] })),
      [/no answer was a fault of the service: .*was answered 500/],
    ],
    [
      'a request without an answer',
      () => changing(is('read'), answered()),
      [/every request was answered: .*was never answered/],
    ],
    [
      'a refusal where none is possible',
      () => changing(is('create-user', 201), answered({ status: 409, body: {} })),
      [/every answer was one of those expected/],
    ],
  ])('%s', async (_name, changed, expected) => {
    const found = (await findingsIn(changed())).join('\n');
    for (const text of expected) expect(found).toMatch(text);
  });
});

describe('found in the database', () => {
  const oneOf = (table: string, more = '') => `(SELECT id FROM ${table} ${more} ORDER BY id LIMIT 1)`;

  it('a bet that was not settled', async () => {
    const open = oneOf(
      'wagers',
      `WHERE outcome = 'undecided' AND EXISTS (SELECT FROM bets b WHERE b.wager_id = wagers.id AND accepting_user_id IS NOT NULL)`,
    );
    const [row] = await storm.database.query(`SELECT ${open} AS id`);
    await whileChanged(
      `UPDATE wagers SET outcome = 'win' WHERE id = ${row?.id}`,
      `UPDATE wagers SET outcome = 'undecided' WHERE id = ${row?.id}`,
      async () => {
        const found = (await findingsIn()).join('\n');
        expect(found).toMatch(/each bet of a decided wager is settled once: .*was settled 0 times/);
        expect(found).toMatch(/the books balance: /);
        expect(found).toMatch(/what was written last is there: .*is win, last written: never/);
      },
    );
  });

  it('work that is never done', async () => {
    const change = `INSERT INTO outbox (account_id, id, topic, relayed_at) VALUES (0, 999999, 'verification-mail', now() + interval '1 day')`;
    await whileChanged(change, 'DELETE FROM outbox WHERE id = 999999', async () => {
      expect((await findingsIn(history, 0)).join('\n')).toMatch(/all work is done within 0 s: outbox entry 999999/);
    });
  });

  it('another answer kept than was given', async () => {
    const key = history.operations.find(is('fund', 201))?.key;
    await whileChanged(
      `UPDATE stored_answers SET status = 202 WHERE key = '${key}'`,
      `UPDATE stored_answers SET status = 201 WHERE key = '${key}'`,
      async () => {
        expect((await findingsIn()).join('\n')).toMatch(/the answer kept for a key is the one given: there, but never/);
      },
    );
  });
});

describe('found among the mails', () => {
  it('one that is missing, and one that nobody asked for', async () => {
    const [file = ''] = await readdir(storm.mailFolder);
    const mail = path.join(storm.mailFolder, file);
    await rename(mail, `${mail}.gone`);
    const stray = path.join(storm.mailFolder, 'stray.eml');
    await writeFile(stray, 'To: somebody@storm.example\nMessage-ID: <verification-mail-0@betting-ledger>\n\nhello\n');
    const found = (await findingsIn()).join('\n');
    await rename(`${mail}.gone`, mail);
    expect(found).toMatch(/every mail arrived: not arrived: verification-mail-\d+ to /);
    expect(found).toMatch(
      /no mail was sent without cause: nobody asked for verification-mail-0 to somebody@storm.example/,
    );
  });
});
