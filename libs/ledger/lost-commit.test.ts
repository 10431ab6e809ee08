import os from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { CommitUnknown } from '#platform/database/errors.js';
import { expectBooksToBalance } from '#testing/books.js';
import { ACCOUNT } from '#testing/full-ledger.js';
import { decisionOf, fundOf, offerOf } from '#testing/ledger-fixture.js';
import { withOpenLedger } from '#testing/with-open-ledger.js';
import { createLanes } from './lanes.js';
import { singleTask, type Task } from './task.js';
import { createUnitOfWork } from './unit-of-work.js';

// PostgreSQL commits, and what the process hears of it is an error. Nothing is done twice by any error.

const ledger = withOpenLedger();
const unpresented = { present: (answer: object) => answer };

const coded = (code: string): Error => Object.assign(new Error(`read ${code}`), { code, errno: -1, syscall: 'read' });
/** As pg reports an error that PostgreSQL has sent. */
const sentByPostgres = (code: string, severity: string): Error =>
  Object.assign(new Error(`the server says ${code}`), { code, severity, length: 90 });

/** Of Node's sockets, streams and TLS, of OpenSSL, of Prisma, and some that do not exist. */
const CODES = [
  ...Object.keys(os.constants.errno),
  ...[
    'ERR_SOCKET_CLOSED',
    'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
    'ERR_SOCKET_CONNECTION_TIMEOUT',
    'ERR_SOCKET_BAD_PORT',
  ],
  ...[
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_PREMATURE_CLOSE',
    'ERR_STREAM_WRITE_AFTER_END',
    'ERR_STREAM_ALREADY_FINISHED',
  ],
  ...['ERR_STREAM_CANNOT_PIPE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ERR_STREAM_PUSH_AFTER_EOF', 'ERR_INVALID_ARG_TYPE'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_TLS_RENEGOTIATION_DISABLED'],
  ...[
    'ERR_TLS_SESSION_ATTACK',
    'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
    'ERR_TLS_INVALID_STATE',
    'ERR_TLS_ALPN_CALLBACK_INVALID_RESULT',
  ],
  ...[
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'ERR_SSL_UNEXPECTED_EOF_WHILE_READING',
  ],
  ...[
    'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC',
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'ERR_SSL_APPLICATION_DATA_AFTER_CLOSE_NOTIFY',
  ],
  ...[
    'ERR_OSSL_EVP_BAD_DECRYPT',
    'ERR_CRYPTO_OPERATION_FAILED',
    'EPROTO',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
  ...[
    'P1001',
    'P1002',
    'P1008',
    'P1011',
    'P1017',
    'P2024',
    'P2028',
    'P2034',
    'P2010',
    'P5011',
    'ABORT_ERR',
    'ERR_ABORTED',
  ],
  ...['ECONNVANISHED', 'ERR_QUIC_LOST', 'EXXXX', '40001', '23505', '00000', 'A1B2C', '', 'e', '4711'],
];
const TEXTS = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Query read timeout',
  'something else',
  '',
];
/** Of a server that ends the connection. */
const ENDS = ['08000', '08003', '08006', '08P01', '57P01', '57P02', '57P03', '57P05'];

const ERRORS: [string, unknown][] = [
  ...[...new Set(CODES)].map((code): [string, unknown] => [`code '${code}'`, coded(code)]),
  ...TEXTS.map((text): [string, unknown] => [`text '${text}'`, new Error(text)]),
  ...ENDS.map((code): [string, unknown] => [`${code} of PostgreSQL`, sentByPostgres(code, 'FATAL')]),
  ...ENDS.map((code): [string, unknown] => [`${code} of PostgreSQL, called an error`, sentByPostgres(code, 'ERROR')]),
  ...['58030', 'XX000', '53100'].map((code): [string, unknown] => [`a panic: ${code}`, sentByPostgres(code, 'PANIC')]),
  ['a code that is a number', Object.assign(new Error('x'), { code: 104 })],
  ['an error of several', new AggregateError([coded('ECONNRESET')], '')],
  ['an error with a cause', new Error('outer', { cause: coded('ENETUNREACH') })],
  ['a SQLSTATE in the cause', new Error('outer', { cause: Object.assign(new Error('x'), { code: '40001' }) })],
  ['a type error', new TypeError("Cannot read properties of null (reading 'handleCommandComplete')")],
];

/** Refusals that PostgreSQL would send before a commit: each makes the ledger run the group, or parts of it, again. */
const REFUSALS = ['23505', '23514', '40001', '40P01', '55P03', '57014', 'P0001', 'XX000', '53200', '25006'];

const original = pg.Client.prototype.query as unknown as (...args: unknown[]) => unknown;
const restore = () => {
  (pg.Client.prototype as unknown as { query: unknown }).query = original;
};
afterEach(restore);

const textOf = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string } | undefined)?.text ?? '');

/** From here on, the answer to the commit of this number is replaced by the error. Returns how many commits followed it. */
function loseCommit(number: number, error: unknown): () => number {
  let commits = 0;
  (pg.Client.prototype as unknown as { query: unknown }).query = function (this: pg.Client, ...args: unknown[]) {
    if (/^COMMIT/i.test(textOf(args[0]))) {
      commits += 1;
      const at = args.findIndex((one) => typeof one === 'function');
      const callback = args[at] as (error: unknown, result?: unknown) => void;
      if (commits === number) args[at] = () => callback(error);
    }
    return Reflect.apply(original, this, args);
  };
  return () => commits - number;
}

const sum = async () =>
  Number((await ledger.query('SELECT sum(balance)::bigint::text AS sum FROM balances'))[0]?.sum) / 1e6;
const fund = (user: string) => ledger.driver.ledger.move(ACCOUNT, fundOf(user), unpresented);
const failuresOf = async (calls: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(calls)).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));

describe('a commit that happened, and an error in place of its confirmation', () => {
  it.each(ERRORS)('%s: a group is not done again', async (_, error) => {
    const before = await sum();
    const commitsAfter = loseCommit(2, error);
    // The first runs alone, the others as a group.
    const failures = await failuresOf(['ann', 'bob', 'cat'].map(fund));
    expect([failures.length, failures.every((failure) => failure instanceof CommitUnknown)]).toEqual([2, true]);
    expect([commitsAfter(), (await sum()) - before]).toEqual([0, 3]);
  });

  it.each(REFUSALS)('a refusal %s that is not true: PostgreSQL refuses to do the group again', async (code) => {
    const before = await sum();
    loseCommit(2, sentByPostgres(code, 'ERROR'));
    const failures = await failuresOf(['ann', 'bob', 'cat'].map(fund));
    expect([
      failures.length,
      failures.every((failure) => failure instanceof CommitUnknown || code === '25006'),
    ]).toEqual([...[2, true]]);
    expect((await sum()) - before).toBe(3);
  });

  it.each(REFUSALS)('a refusal %s that is not true: a single task is not done again', async (code) => {
    const count = async () => (await ledger.query('SELECT count(*)::int AS n FROM bets'))[0]?.n;
    const before = Number(await count());
    loseCommit(1, sentByPostgres(code, 'ERROR'));
    expect(
      await failuresOf([ledger.driver.ledger.execute(ACCOUNT, offerOf('ann', `w ${code}`), unpresented)]),
    ).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it('leaves books that balance', () => expectBooksToBalance(ledger.environment.database));
});

describe('what follows a commit', () => {
  it('cannot fail it: the failure is logged, and the group is not done again', async () => {
    const fail = () => {
      throw new Error('the messenger failed');
    };
    const { driver, environment } = ledger;
    const { database } = driver;
    const work = createUnitOfWork({ database, relaySoon: fail, onLogged: fail, logger: environment.logger });
    const lanes = createLanes({ work, database, logger: environment.logger });
    await ledger.driver.offer('ann', 'messenger', 1);
    const [before, sumBefore] = [environment.logLines.length, await sum()];
    const tasks: Task[] = [singleTask(ACCOUNT, fundOf('ann')), singleTask(ACCOUNT, decisionOf('messenger', 0))];
    const results = await Promise.all(tasks.map((task) => lanes.add(task)));
    expect([results.map(({ kind }) => kind), (await sum()) - sumBefore]).toEqual([['done', 'done'], 1]);
    const failures = environment.logLines.slice(before).filter((line) => line.includes('the messenger failed'));
    expect(failures.length).toBeGreaterThanOrEqual(3);
  });

  it('does not let a task run a second time', async () => {
    const work = createUnitOfWork({
      database: ledger.driver.database,
      relaySoon: () => undefined,
      logger: ledger.environment.logger,
    });
    const task = singleTask(ACCOUNT, fundOf('ann'));
    const before = await sum();
    await work.run([task]);
    await expect(work.run([singleTask(ACCOUNT, fundOf('bob')), task])).rejects.toBeInstanceOf(CommitUnknown);
    await expect(work.runWaiting([task])).rejects.toBeInstanceOf(CommitUnknown);
    expect((await sum()) - before).toBe(1);
  });
});

describe('a commit that PostgreSQL refuses', () => {
  it('costs the one task that it refuses: the others of its group are done', async () => {
    await ledger.query(`
      CREATE FUNCTION refuse_late() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'refused late'; END $$;
      CREATE CONSTRAINT TRIGGER refuse_late AFTER INSERT ON transactions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (new.amount = 666000000) EXECUTE FUNCTION refuse_late()`);
    const before = await sum();
    const refused = ledger.driver.ledger.move(ACCOUNT, fundOf('bob', 666), unpresented);
    const failures = await failuresOf([fund('ann'), refused, fund('cat')]);
    expect(String(failures)).toMatch(/refused late/);
    expect([failures.length, (await sum()) - before]).toEqual([1, 2]);
  });
});
