import { randomUUID } from 'node:crypto';
import { presentAcceptedOffers } from '#apps/api/routes/bets/accept-offer.js';
import { presentCanceledOffers } from '#apps/api/routes/bets/cancel-offer.js';
import { presentMovement } from '#apps/api/routes/transactions/movement.js';
import type { Operation } from '#core/operation.js';
import type { Outcome } from '#core/records.js';
import type { IdempotencyContext } from '#idempotency/idempotency.js';
import { createLanes } from '#ledger/lanes.js';
import { createLedger } from '#ledger/ledger.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import { connectDatabase } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { admin as anAdmin, cancellation, micros } from './core/builders.js';
import type { TestDatabase } from './databases.js';
import { acceptanceOf, decisionOf, fundOf, offerOf } from './ledger-fixture.js';

// A ledger with bets in every state, made by the real operations.

export const ACCOUNT = 1n;
export const USERS = ['ann', 'bob', 'cat'] as const;

const admin = { ...anAdmin, description: 'as it should be' };

/** The key of one more request, whose answer is stored. */
const keyed = (key: string = randomUUID()): IdempotencyContext => ({
  accountId: ACCOUNT,
  key,
  requestHash: key,
  status: 201,
  answerToError: () => undefined,
});

export type LedgerDriver = Awaited<ReturnType<typeof openLedger>>;

/** The ledger without its API. Work for the worker stays in the outbox. */
export async function openLedger({ url }: Pick<TestDatabase, 'url'>, logger: Logger) {
  const database = await connectDatabase({ url, connections: 4, onConnectionError: () => undefined });
  const work = createUnitOfWork({ database, relaySoon: () => undefined, logger });
  const lanes = createLanes({ work, database, logger });
  const ledger = createLedger(lanes);
  const run = async (operation: Operation) => void (await ledger.execute(ACCOUNT, operation, { present: Object }));

  async function offer(user: string, wager: string, amount: number, atOdds = 2, allowed: readonly string[] = []) {
    const operation = { ...offerOf(user, wager, amount, atOdds), allowedAcceptorReferences: allowed };
    const made = await ledger.execute(ACCOUNT, operation, { present: ({ betId }) => ({ betId }) });
    return (made as { betId: bigint }).betId;
  }

  /** With a key, its answer is stored as the API would. */
  async function accept(user: string, betId: bigint, amount: number, key?: string): Promise<void> {
    const operation = { ...acceptanceOf(user, '', amount), wagerReference: null, betId };
    await ledger.execute(ACCOUNT, operation, {
      call: { idempotency: key === undefined ? undefined : keyed(key) },
      present: (accepted) => ({ data: presentAcceptedOffers(accepted) }),
    });
  }

  return {
    ledger,
    database,
    run,
    offer,
    accept,
    async fund(user: string, amount: number): Promise<void> {
      await ledger.move(ACCOUNT, fundOf(user, amount), {
        call: { idempotency: keyed() },
        present: (moved) => ({ data: presentMovement(moved, ACCOUNT) }),
      });
    },
    /** An offer of the requester, wholly accepted by the acceptor. */
    async match(requester: string, acceptor: string, wager: string, amount: number, atOdds?: number) {
      const betId = await offer(requester, wager, amount, atOdds);
      await accept(acceptor, betId, amount);
      return betId;
    },
    async cancel(user: string, betId: bigint, amount?: number): Promise<void> {
      const how = amount === undefined ? {} : { cancelAll: false, cancelAmount: micros(amount) };
      const operation = cancellation({ requestingUser: { reference: user }, wagerReferences: [], betId, ...how });
      await ledger.execute(ACCOUNT, operation, {
        call: { idempotency: keyed() },
        present: presentCanceledOffers,
      });
    },
    decide: (wager: string, outcome: Outcome, bound?: number) => run({ ...decisionOf(wager, bound), outcome }),
    force: (wagerReference: string, outcome: Outcome) =>
      run({ type: 'force_wager_outcome', wagerReference, outcome, bound: 500, action: admin }),
    override: (betId: bigint, overrideOutcome: Outcome) =>
      run({ type: 'override_bet_outcome', betId, overrideOutcome }),
    forceOverride: (betId: bigint, overrideOutcome: Outcome | null) =>
      run({ type: 'force_bet_override', betId, overrideOutcome, action: admin }),
    setActive: (betId: bigint, isActive: boolean) => run({ type: 'set_bet_active', betId, isActive, action: admin }),
    async close() {
      await lanes.drained();
      await database.disconnect();
    },
  };
}

/** Creates the account and its users, each with 1000. */
export async function openAccount(database: TestDatabase, driver: LedgerDriver): Promise<void> {
  await database.query(`
    INSERT INTO accounts (id, name, email) VALUES (${ACCOUNT}, 'a', 'a@example.com');
    INSERT INTO users (account_id, id, reference, name)
      SELECT ${ACCOUNT}, n, reference, 'User' FROM unnest('{${USERS.join()}}'::text[]) WITH ORDINALITY AS given (reference, n);
    INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM users`);
  // At once: fundings of one group, each with an answer of its own.
  await Promise.all(USERS.map((user) => driver.fund(user, 1000)));
}

/** One export that waits, one that runs, and one that is done. */
export async function askForExports(database: TestDatabase): Promise<void> {
  await database.query(`
    INSERT INTO exports (account_id, id, kind, format, period_start, period_end, state, runs)
      SELECT ${ACCOUNT}, n, 'transactions', 'csv', '2026-01-01', '2026-02-01', state, runs
        FROM (VALUES (1, 'queued', 0), (2, 'running', 1)) AS given (n, state, runs);
    INSERT INTO exports (account_id, id, kind, format, period_start, period_end, state, runs, rows, bytes, sha256, as_of,
                         finished_at, expires_at)
      VALUES (${ACCOUNT}, 3, 'bets', 'parquet', '2026-01-01', '2026-02-01', 'done', 1, 0, 100, repeat('0', 64), 'AQ', now(),
              now() + interval '1 day');
    INSERT INTO outbox (account_id, topic, payload, done_at)
      SELECT ${ACCOUNT}, 'make-export', jsonb_build_object('exportId', n::text), CASE WHEN n = 3 THEN now() END
        FROM generate_series(1, 3) n`);
}

/** One endpoint that works, and one that fails. */
export async function addWebhookEndpoints(database: TestDatabase): Promise<void> {
  await database.query(`
    INSERT INTO webhook_endpoints (account_id, id, url, types, mode, cursor_seq, secret_now, state, failing_since)
      SELECT ${ACCOUNT}, n, 'https://example.com', '{*}', 'ordered', 5, '0123abcd:' || repeat('A', 80), state, since
        FROM (VALUES (1, 'active', NULL), (2, 'failing', now())) AS given (n, state, since);
    INSERT INTO webhook_deliveries (account_id, endpoint_id, seq, line, attempts, next_at)
      VALUES (${ACCOUNT}, 1, 5, 'all', 0, now()), (${ACCOUNT}, 2, 4, 'all', 1, now()), (${ACCOUNT}, 2, 5, 'all', 0, now())`);
}

/** Makes bets of every kind; returns their ids by their states. */
export async function fillLedger(driver: LedgerDriver) {
  const { offer, accept, match, cancel, decide, force, override, forceOverride, setActive } = driver;
  const withdrawal = {
    type: 'withdraw',
    user: { reference: 'cat' },
    amount: micros(1),
    description: 'Withdrawal',
  } as const;
  await driver.run({ ...withdrawal, ownReference: 'payout-1', meta: { bank: 'x' } });
  const open = await offer('ann', 'open', 10, 2.5);
  const forBob = await offer('ann', 'open', 4, 3, ['bob']);
  await accept('bob', forBob, 1.5, 'for bob');
  const accepted = await match('bob', 'ann', 'open', 7, 1.333333);
  await match('cat', 'bob', 'open', 3, 1);
  const canceled = await offer('cat', 'open', 6);
  await cancel('cat', canceled, 2);
  const inactive = await match('ann', 'cat', 'open', 5);
  await setActive(inactive, false);
  await setActive(await offer('bob', 'open', 8), false);

  const won = await match('ann', 'bob', 'won', 12.345678, 2.000001);
  const expired = await offer('cat', 'won', 9);
  await match('cat', 'ann', 'won', 20, 1.5);
  await decide('won', 'win');
  const pushed = await match('bob', 'cat', 'pushed', 11);
  await decide('pushed', 'push');
  await match('ann', 'cat', 'half', 0.000003, 1.5);
  await match('ann', 'bob', 'half', 33.333333, 3.777777);
  await decide('half', 'half-win');

  const forced = await match('bob', 'ann', 'forced', 15, 4);
  const returned = await offer('bob', 'forced', 2);
  for (const outcome of ['win', 'loss', 'undecided', 'half-loss', 'undecided'] as const) await force('forced', outcome);

  const overridden = await match('cat', 'bob', 'overridden', 14);
  await override(overridden, 'win');
  const forcedBet = await match('cat', 'ann', 'overridden', 13);
  await forceOverride(forcedBet, 'loss');
  const undone = await match('ann', 'bob', 'overridden', 16);
  for (const outcome of ['half-loss', 'undecided', null] as const) await forceOverride(undone, outcome);
  await forceOverride(await offer('ann', 'overridden', 17), 'void');

  const settling = [await match('ann', 'bob', 'settling', 1), await match('bob', 'cat', 'settling', 2)] as const;
  const waitingOffer = await offer('cat', 'settling', 3);
  await offer('cat', 'settling', 4);
  await decide('settling', 'loss', 1);
  return {
    open,
    forBob,
    accepted,
    canceled,
    inactive,
    won,
    expired,
    pushed,
    forced,
    returned,
    overridden,
    forcedBet,
    settling,
    waitingOffer,
  };
}

export type Bets = Awaited<ReturnType<typeof fillLedger>>;
