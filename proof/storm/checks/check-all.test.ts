import { readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FAULTLESS_STORM_MS, type FaultlessStorm, runFaultlessStorm } from '#testing/faultless-storm.js';
import { rowFaults, withRowFault } from '#testing/row-faults.js';
import { withPostgresClient } from '#tools/services/with-postgres-client.js';
import {
  type Answer,
  type FollowedLog,
  type History,
  isSuccess,
  type Kind,
  type Operation,
  type Schemas,
  type WebhookRecord,
  type WebhookRequest,
} from '../history.js';
import { checkAll, compareWithRecord } from './check-all.js';
import type { Finding, Queryable } from './finding.js';

// A short storm without faults has no findings. Then each test falsifies the record of the clients or the database, and
// expects the finding.

let storm: FaultlessStorm;
let history: History;

beforeAll(async () => {
  storm = await runFaultlessStorm();
  history = storm.history;
}, FAULTLESS_STORM_MS);

afterAll(() => storm?.close());

async function findingsIn(changed: History = history, patience = 1): Promise<string[]> {
  const options = { databaseUrl: storm.database.url, mailFolder: storm.mailFolder, patience };
  const { findings } = await checkAll({ ...options, history: changed });
  return findings.map(lineOf);
}

const lineOf = ({ check, text }: Finding) => `${check}: ${text}`;

/** Without the audit, which knows nothing of the record. */
async function differencesIn(changed: History, database: Queryable): Promise<string> {
  const { findings } = await compareWithRecord({ history: changed, mailFolder: storm.mailFolder }, database);
  return findings.map(lineOf).join('\n');
}

type Change = (operation: Operation) => Operation;

/** The history with one operation changed: the first, or the last, that fits. */
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

/** Falsifies the database for the duration of `look`. */
async function whileChanged(change: string, back: string, look: () => Promise<void>): Promise<void> {
  await storm.database.query(change);
  try {
    await look();
  } finally {
    await storm.database.query(back);
  }
}

describe('a storm without faults', () => {
  it('has no findings, and contains every kind of operation', async () => {
    expect(await findingsIn()).toEqual([]);
    const kinds = new Set(history.operations.map(({ kind }) => kind));
    for (const kind of ['batch', 'accept-offer', 'withdraw', 'read-users', 'cross-tenant', 'force-override'] as const) {
      expect(kinds).toContain(kind);
    }
    expect(history.operations.some(({ answers }) => answers.length > 1)).toBe(true);
    const { sent, unread, asked } = history.hostility;
    for (const count of [sent, unread, asked]) expect(count).toBeGreaterThan(0);
  });
});

describe('in the record of the clients, the checks find', () => {
  const balanceOf =
    (change: number): Change =>
    (operation) => {
      const { data, message } = (operation.answers[0] as Answer).body as { data: Schemas['User']; message: string };
      const balance = Math.round((data.balance + change) * 1e6) / 1e6;
      return answered({ status: 200, body: { data: { ...data, balance }, message } })(operation);
    };
  const isPlainRead = (operation: Operation) => is('read-user', 200)(operation) && operation.account.role === 'plain';
  const isPlainDecision = (operation: Operation) =>
    operation.kind === 'decide' && isSuccess(operation) && operation.account.role === 'plain';
  const isCrossTenant = is('cross-tenant');
  const movementAgain: Change = (operation) => {
    const { data } = (operation.answers[0] as Answer).body as { data: Schemas['Movement'] };
    return answered({ status: 201, body: { data: { ...data, id: 999_999 }, message: '' } })(operation);
  };

  const changedTo =
    (body: object): Change =>
    (operation) => ({ ...operation, request: { ...operation.request, body } });

  const followed = (change: (log: FollowedLog) => Partial<FollowedLog>): History => ({
    ...history,
    logs: history.logs.map((log, place) => (place === 0 ? { ...log, ...change(log) } : log)),
  });

  const received = (
    mode: WebhookRecord['mode'],
    change: (record: WebhookRecord) => Partial<WebhookRecord>,
  ): History => ({
    ...history,
    webhooks: history.webhooks.map((record) => (record.mode === mode ? { ...record, ...change(record) } : record)),
  });
  const [ordered, keyed] = ['ordered', 'keyed'] as const;
  /** The first request about a wager comes last. */
  const firstLast = ({ requests }: WebhookRecord): WebhookRequest[] => {
    const place = requests.findIndex(({ about }) => about.startsWith('wager'));
    const moved = { ...(requests[place] as WebhookRequest), cameAt: 1e9, takenAt: 1e9 + 1 };
    return [...requests.toSpliced(place, 1), moved];
  };
  const withForeign = ({ requests }: WebhookRecord): WebhookRequest[] => {
    const others = history.webhooks.find(({ mode }) => mode === ordered)?.requests ?? [];
    return [...requests, ...others.slice(0, 1)];
  };

  it.each<[string, () => History, RegExp[]]>([
    [
      'an effect that was lost',
      () => changing(is('fund', 201), movementAgain),
      [/explains everything: .*: fund .*999999.*: the second ledger answers/],
    ],
    [
      'an effect that was never acknowledged',
      () => without(is('make-offer', 201)),
      [/explains everything: .*stored, but never sent: .*offer\.made/],
    ],
    [
      'an account without a registration',
      () => without(is('register', 201)),
      [/accounts registered: stored, but never/],
    ],
    [
      'a refusal that had an effect',
      () => changing(is('withdraw', 201), answered({ status: 400, body: { status: 400, error: 'no' } })),
      [/explains everything: .*withdraw.*a refusal that had an effect/, /the answer stored for a key is the one given/],
    ],
    [
      'a change that was lost',
      () => changing(is('change-user', 200), changedTo({ name: 'Lost' })),
      [/explains everything: .*change-user .*"Lost".*the log has user/],
    ],
    [
      'a wager decided twice',
      () => {
        const again = history.operations.filter(isPlainDecision).map((each) => ({ ...each, requestId: 'again' }));
        return { ...history, operations: [...history.operations, ...again] };
      },
      [/explains everything: .*decide .*no state of its time explains it.*it would be Wager has already been decided/],
    ],
    [
      'settings that were lost',
      () => changing(is('change-account', 200), changedTo({ preferences: { allow_negative_balance: 'lost' } })),
      [/explains everything: .*: change-account .*: the log has/],
    ],
    [
      'a user that was never stored',
      () => ({
        ...history,
        operations: [
          ...history.operations,
          { ...(history.operations.find(is('create-user')) as Operation), requestId: 'lost' },
        ],
      }),
      [/explains everything: .*: create-user .*: the log does not have it/],
    ],
    [
      'the answer to another request',
      () => {
        const other = history.operations.findLast(is('accept-offer', 201))?.answers[0] as Answer;
        return changing(is('accept-offer', 201), answered(other));
      },
      [/explains everything: .*: accept-offer .*: the second ledger answers/],
    ],
    [
      'another request than that which was answered',
      () =>
        changing(is('accept-offer', 201), (each) => changedTo({ ...each.request.body, accepting_amount: 0.25 })(each)),
      [/explains everything: .*: accept-offer .*acknowledged, but missing: bet .*matched 250000/],
    ],
    [
      'a refusal for another reason',
      () => changing(is('withdraw', 400), answered({ status: 404, body: { status: 404, error: 'User not found' } })),
      [/explains everything: .*: withdraw .*User not found.*no state of its time explains it/],
    ],
    [
      'a refusal without a reason',
      // All of them: a user that owes more than it has may not withdraw even a cent.
      () => ({
        ...history,
        operations: history.operations.map((each) =>
          is('withdraw', 400)(each) ? changedTo({ ...each.request.body, amount: 0.01 })(each) : each,
        ),
      }),
      [/explains everything: .*: withdraw .*no state of its time explains it.*, with an effect/],
    ],
    [
      'a payment that the log has before one that was answered earlier',
      () => changing(is('fund', 201), (each) => ({ ...each, calledAt: 1e9, answeredAt: 1e9 + 1 })),
      [/explains everything: .*: fund .*: is number \d+ of the log, and \d+ was answered before/],
    ],
    [
      'a read of another moment than it names',
      () => {
        const last = history.operations.findLast(isPlainRead);
        const first = history.operations.find((each) => isPlainRead(each) && each.account === last?.account);
        const { asOf = '' } = first?.answers[0] ?? {};
        return changing((each) => each === last, answered({ ...(last?.answers[0] as Answer), asOf }));
      },
      [/explains everything: plain-.*read-user .* of the log, and \d+ was answered before/],
    ],
    [
      'a storm in which nothing happened',
      () => ({ ...history, operations: [], seconds: 60 }),
      [/the storm exercised enough of everything: operations: 0, at least/],
    ],
    [
      'a stale read',
      () => changing(isPlainRead, balanceOf(-0.123457), 'last'),
      [/explains everything: plain-.*read-user .*no state of its time explains it/],
    ],
    [
      'an exposure above the balance',
      () => changing(isPlainRead, balanceOf(-200_000), 'last'),
      [/explains everything: plain-.*read-user .*no state of its time explains it/],
    ],
    [
      'data of another account',
      () => changing(isCrossTenant, answered({ status: 200, body: { data: { id: 1 } } })),
      [/every answer was expected: .*cross-tenant/],
    ],
    [
      'a different text for data of other accounts',
      () => changing(isCrossTenant, answered({ status: 404, body: { status: 404, error: 'Not yours' } })),
      [/every answer was expected: .*Not yours/],
    ],
    [
      'two answers for one key',
      () => changing(is('fund', 201), (each) => ({ ...each, answers: [...each.answers, { status: 201, body: {} }] })),
      [/a key has one answer: .*fund/],
    ],
    [
      'a server error',
      () => changing(is('read'), (each) => ({ ...each, tries: [500, 200] })),
      [/no answer was a server error: .*was answered 500/],
    ],
    [
      'a request without an answer',
      () => changing(is('read'), answered()),
      [/every request was answered: .*was never answered/],
    ],
    [
      'a refusal where none is possible',
      () => changing(is('create-user', 201), answered({ status: 409, body: {} })),
      [/every answer was expected/],
    ],
    [
      'an event that a reader of the log missed',
      () => followed(({ cursors }) => ({ cursors: cursors.toSpliced(10, 1) })),
      [/readers of the event log miss nothing and read nothing twice: .*another event than number 11/],
    ],
    [
      'a reader of the log that was refused',
      () => followed(() => ({ refusal: '409 cursor unknown' })),
      [/readers of the event log .*was refused after \d+ events: 409/],
    ],
    [
      'an event that a webhook endpoint never got',
      () => received(ordered, ({ requests }) => ({ requests: requests.toSpliced(10, 1) })),
      [/every event reaches .*the ordered endpoint of plain-2: event \d+ was never taken/, /only after all before it/],
    ],
    [
      'webhooks of one wager in another order',
      () => received(keyed, (record) => ({ requests: firstLast(record) })),
      [/only after all before it were taken: the keyed endpoint of corrected: event \d+ \(wager \d+\)/],
    ],
    [
      'a webhook of another account',
      () => received(keyed, (record) => ({ requests: withForeign(record) })),
      [/webhooks have only events .*the keyed endpoint of corrected: .* is none of its events/],
    ],
    [
      'a webhook with a false signature',
      () => received(keyed, () => ({ faults: ['evt_1_2: No matching signature found'] })),
      [/webhooks are signed .*No matching signature/],
    ],
    [
      'what a hostile tenant got of others',
      () => ({ ...history, hostility: { ...history.hostility, findings: ['GET /x got what belongs to another'] } }),
      [/a hostile tenant harms nobody: GET \/x got what belongs to another/],
    ],
  ])('%s', async (_name, changed, expected) => {
    const found = await withPostgresClient({ connectionString: storm.database.url }, (client) =>
      differencesIn(changed(), client),
    );
    for (const text of expected) expect(found).toMatch(text);
  });
});

describe('in the database, the checks find', () => {
  const oneOf = (table: string, more = '') => `(SELECT id FROM ${table} ${more} ORDER BY id LIMIT 1)`;

  it('a bet that was not settled', async () => {
    const open = oneOf(
      'wagers',
      `WHERE outcome = 'undecided' AND reference NOT LIKE 'corrected%'
         AND EXISTS (SELECT FROM bets b WHERE b.wager_id = wagers.id AND accepting_user_id IS NOT NULL)`,
    );
    const [row] = await storm.database.query(`SELECT ${open} AS id`);
    await whileChanged(
      `UPDATE wagers SET outcome = 'win' WHERE id = ${row?.id}`,
      `UPDATE wagers SET outcome = 'undecided' WHERE id = ${row?.id}`,
      async () => {
        const found = (await findingsIn()).join('\n');
        expect(found).toMatch(/the books balance: /);
        expect(found).toMatch(/explains everything: .*stored, but never acknowledged: wager .*: win/);
      },
    );
  });

  it('work that is never done', async () => {
    const change = `INSERT INTO outbox (account_id, id, topic, relayed_at) VALUES (0, 999999, 'verification-mail', now() + interval '1 day')`;
    await whileChanged(change, 'DELETE FROM outbox WHERE id = 999999', async () => {
      expect((await findingsIn(history, 0)).join('\n')).toMatch(/all work is done within 0 s: outbox entry 999999/);
    });
  });

  it('a stored answer that differs from the one given', async () => {
    const key = history.operations.find(is('fund', 201))?.key;
    await whileChanged(
      `UPDATE stored_answers SET status = 202 WHERE key = '${key}'`,
      `UPDATE stored_answers SET status = 201 WHERE key = '${key}'`,
      async () => {
        expect((await findingsIn()).join('\n')).toMatch(
          /the answer stored for a key is the one given: stored, but never/,
        );
      },
    );
  });
});

describe('in a falsified row, the checks find', () => {
  it.each(rowFaults)('%s', async (_name, fault, expected) => {
    const found = await withRowFault(storm.database, fault, (database) => differencesIn(history, database));
    expect(found).toMatch(expected);
  });
});

describe('among the mails, the checks find', () => {
  it('a missing one, and one without a request', async () => {
    const [file = ''] = await readdir(storm.mailFolder);
    const mail = path.join(storm.mailFolder, file);
    await rename(mail, `${mail}.gone`);
    const stray = path.join(storm.mailFolder, 'stray.eml');
    await writeFile(stray, 'To: somebody@storm.example\nMessage-ID: <verification-mail-0@betting-ledger>\n\nhello\n');
    const found = (await findingsIn()).join('\n');
    await rename(`${mail}.gone`, mail);
    expect(found).toMatch(/every mail arrived: missing: verification-mail-\d+ to /);
    expect(found).toMatch(
      /no mail was sent without a request: not requested: verification-mail-0 to somebody@storm.example/,
    );
  });
});
