import type { AdminAction } from '#core/admin-action.js';
import { asMicros, type OddsMicros } from '#core/money.js';
import type { Operation } from '#core/operation.js';
import type { Outcome } from '#core/outcome.js';
import { createLanes } from '#ledger/lanes.js';
import { createLedger, type Ledger } from '#ledger/ledger.js';
import { createUnitOfWork } from '#ledger/unit-of-work.js';
import { type Database, openDatabase } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import type { TestDatabase } from './databases.js';

// A ledger with bets in every state, made by the real operations.

export const ACCOUNT = 1n;
export const USERS = ['ann', 'bob', 'cat'] as const;

const admin: AdminAction = { adminId: 9n, adminEmail: 'ops@example.com', description: 'as it should be' };

/** From units to micro-units. */
export const micros = (value: number) => asMicros(BigInt(Math.round(value * 1e6)));
const odds = (value: number) => BigInt(Math.round(value * 1e6)) as OddsMicros;

export interface LedgerDriver {
  readonly ledger: Ledger;
  readonly database: Database;
  run(operation: Operation): Promise<void>;
  fund(user: string, amount: number): Promise<void>;
  offer(user: string, wager: string, amount: number, atOdds?: number, allowed?: readonly string[]): Promise<bigint>;
  accept(user: string, betId: bigint, amount: number): Promise<void>;
  /** An offer of the requester, wholly accepted by the acceptor. */
  match(requester: string, acceptor: string, wager: string, amount: number, atOdds?: number): Promise<bigint>;
  cancel(user: string, betId: bigint, amount?: number): Promise<void>;
  decide(wager: string, outcome: Outcome, bound?: number): Promise<void>;
  force(wager: string, outcome: Outcome): Promise<void>;
  override(betId: bigint, outcome: Outcome): Promise<void>;
  forceOverride(betId: bigint, outcome: Outcome | null): Promise<void>;
  setActive(betId: bigint, isActive: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The ledger without its API. Work for the worker stays in the outbox. */
export function openLedger({ url }: Pick<TestDatabase, 'url'>, logger: Logger): LedgerDriver {
  const database = openDatabase({ url, connections: 4, onConnectionError: () => undefined });
  const lanes = createLanes({ work: createUnitOfWork({ database, relaySoon: () => undefined, logger }), logger });
  const ledger = createLedger(lanes);
  return {
    ledger,
    database,
    ...betOperationsOn(ledger),
    async close() {
      await lanes.drained();
      await database.$disconnect();
    },
  };
}

function betOperationsOn(ledger: Ledger): Omit<LedgerDriver, 'ledger' | 'database' | 'close'> {
  const run = async (operation: Operation) => void (await ledger.execute(ACCOUNT, operation, { present: Object }));
  const { offer, accept, cancel } = offerOperationsOn(ledger, run);
  return {
    run,
    offer,
    accept,
    cancel,
    fund: (user, amount) =>
      run({ type: 'fund_user', user: { reference: user }, amount: micros(amount), description: 'Balance funded' }),
    async match(requester, acceptor, wager, amount, atOdds) {
      const betId = await offer(requester, wager, amount, atOdds);
      await accept(acceptor, betId, amount);
      return betId;
    },
    decide: (reference, outcome, bound = 500) => run({ type: 'update_wager_outcome', reference, outcome, bound }),
    force: (wagerReference, outcome) =>
      run({ type: 'force_wager_outcome', wagerReference, outcome, bound: 500, action: admin }),
    override: (betId, overrideOutcome) => run({ type: 'override_bet_outcome', betId, overrideOutcome }),
    forceOverride: (betId, overrideOutcome) =>
      run({ type: 'force_bet_override', betId, overrideOutcome, action: admin }),
    setActive: (betId, isActive) => run({ type: 'set_bet_active', betId, isActive, action: admin }),
  };
}

type Run = LedgerDriver['run'];

/** The operations on an offer. */
function offerOperationsOn(ledger: Ledger, run: Run): Pick<LedgerDriver, 'offer' | 'accept' | 'cancel'> {
  return {
    async offer(user, wagerReference, amount, atOdds = 2, allowed = []) {
      const made = await ledger.execute(
        ACCOUNT,
        {
          type: 'make_bet_offer',
          wagerReference,
          requestingUser: { reference: user },
          requestingOdds: odds(atOdds),
          requestingAmount: micros(amount),
          allowedAcceptorIds: [],
          allowedAcceptorReferences: allowed,
          meta: null,
        },
        { present: ({ betId }) => ({ betId }) },
      );
      return (made as { betId: bigint }).betId;
    },
    accept: (user, betId, amount) =>
      run({
        type: 'accept_bet_offer',
        wagerReference: null,
        betId,
        acceptingUser: { reference: user },
        requestingUser: null,
        maximumOdds: odds(1000),
        acceptingAmount: micros(amount),
        bound: 1,
      }),
    cancel: (user, betId, amount) =>
      run({
        type: 'cancel_bet_offer',
        requestingUser: { reference: user },
        wagerReferences: [],
        betId,
        cancelAmount: amount === undefined ? null : micros(amount),
        cancelAll: amount === undefined,
        minimumOdds: null,
        maximumOdds: null,
        bound: 1,
      }),
  };
}

/** Creates the account and its users, each with 1000. */
export async function openAccount(database: TestDatabase, driver: LedgerDriver): Promise<void> {
  await database.query(`
    INSERT INTO accounts (id, name, email, password_hash) VALUES (${ACCOUNT}, 'a', 'a@example.com', 'x');
    INSERT INTO users (account_id, id, reference, name)
      SELECT ${ACCOUNT}, n, reference, 'User' FROM unnest('{${USERS.join()}}'::text[]) WITH ORDINALITY AS given (reference, n);
    INSERT INTO balances (account_id, user_id) SELECT account_id, id FROM users`);
  for (const user of USERS) await driver.fund(user, 1000);
}

/** Makes bets of every kind; returns their ids by their states. */
export async function fillLedger(driver: LedgerDriver) {
  const { offer, accept, match, cancel, decide, force, override, forceOverride, setActive } = driver;
  await driver.run({ type: 'withdraw', user: { reference: 'cat' }, amount: micros(1), description: 'Withdrawal' });
  const open = await offer('ann', 'open', 10, 2.5);
  const forBob = await offer('ann', 'open', 4, 3, ['bob']);
  await accept('bob', forBob, 1.5);
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
