import { type EventKind, eventKinds } from '#core/records.js';
import type { BetPicture, WagerPicture } from '#proof/second-ledger/picture.js';
import type { TrailRecord, TransactionRecord } from '#proof/second-ledger/records.js';
import type { Queryable } from '../finding.js';

/* What the database holds of an account, read by SQL of its own: the event log in its order, and the rows as lines. */

export interface LoggedEvent {
  readonly kind: EventKind;
  readonly ref: string;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What one request, or one chunk of the worker, has done. */
export interface LoggedOperation {
  readonly lastSeq: number;
  readonly by: 'worker' | 'admin' | 'business';
  readonly requestId: string;
  /** The time of its events, in microseconds. */
  readonly at: bigint;
  readonly events: readonly LoggedEvent[];
}

export interface StoredStep {
  readonly id: string;
  readonly bet: string;
  readonly wager: string;
  readonly description: string;
  /** The time at which its transaction began, in microseconds, and stored in whole milliseconds: rounded. */
  readonly at: bigint;
  readonly line: string;
}

/** Of a bet, in microseconds. */
export interface StoredTimes {
  readonly expiresAt: bigint | null;
  readonly acceptedAt: bigint | null;
}

export interface StoredMovement {
  readonly id: string;
  /** Null: a payment. */
  readonly step: string | null;
  readonly reference: string;
  readonly line: string;
}

export interface StoredLog {
  readonly operations: readonly LoggedOperation[];
  readonly steps: ReadonlyMap<string, StoredStep>;
  readonly bets: ReadonlyMap<string, StoredTimes>;
  /** By the step that moved the money; a payment by `payment` and its id. */
  readonly movements: ReadonlyMap<string, readonly StoredMovement[]>;
}

const micros = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

interface GroupRow {
  readonly at: string;
  readonly first: number;
  readonly kinds: readonly number[];
  readonly refs: readonly string[];
  readonly operations: string;
  readonly extras: Readonly<Record<string, LoggedEvent['extra']>> | null;
}

const GROUPS = `
  SELECT first_seq::int AS first, ${micros('at')} AS at, kinds, refs, operations, extras FROM event_groups WHERE account_id = $1 ORDER BY first_seq`;

const STEPS = `
  SELECT id, bet_id AS bet, wager_id AS wager, description, ${micros('created_at')} AS at,
         format('bet %s is %s, outcome %s, override %s, matched %s%s', bet_id, offer_status, outcome,
                coalesce(override_outcome, 'none'), coalesce(effective_amount::text, 'none'),
                CASE WHEN description LIKE '% by admin %' THEN ', by an admin' END) AS line
    FROM bet_trails WHERE account_id = $1`;

const MOVEMENTS = `
  SELECT t.id, t.bet_trail_id AS step, 'TX_' || lpad(to_hex((extract(epoch FROM t.created_at) * 1000)::bigint), 12, '0') || to_hex(t.id) AS reference,
         format('%s %s of %s to user %s for bet %s, who then has %s', t.transaction_source, t.transaction_type, t.amount,
                t.user_id, coalesce(s.bet_id::text, 'none'), t.balance_after) AS line
    FROM transactions t LEFT JOIN bet_trails s ON s.account_id = t.account_id AND s.id = t.bet_trail_id
   WHERE t.account_id = $1 ORDER BY t.id`;

const TIMES = `
  SELECT id, ${micros('expires_at')} AS expires, ${micros('accepted_at')} AS accepted FROM bets
   WHERE account_id = $1 AND num_nonnulls(expires_at, accepted_at) > 0`;

interface TimesRow {
  readonly id: string;
  readonly expires: string | null;
  readonly accepted: string | null;
}

const kindOf: ReadonlyMap<number, EventKind> = new Map(
  Object.entries(eventKinds).map(([kind, number]) => [number, kind as EventKind]),
);

export const readOperations = async (database: Queryable, accountId: number): Promise<LoggedOperation[]> =>
  (await database.query<GroupRow>(GROUPS, [accountId])).rows.flatMap(operationsOf);

export async function readStoredLog(database: Queryable, accountId: number): Promise<StoredLog> {
  const operations = await readOperations(database, accountId);
  const steps = await database.query<Omit<StoredStep, 'at'> & { readonly at: string }>(STEPS, [accountId]);
  const times = await database.query<TimesRow>(TIMES, [accountId]);
  const { rows } = await database.query<StoredMovement>(MOVEMENTS, [accountId]);
  const movements = new Map<string, StoredMovement[]>();
  for (const movement of rows) {
    const key = movement.step ?? `payment ${movement.id}`;
    movements.set(key, [...(movements.get(key) ?? []), movement]);
  }
  return {
    operations,
    steps: new Map(steps.rows.map((step) => [step.id, { ...step, at: BigInt(step.at) }])),
    bets: new Map(times.rows.map(timesOfBet)),
    movements,
  };
}

const bigintOrNull = (value: string | null): bigint | null => (value === null ? null : BigInt(value));
const timesOfBet = ({ id, expires, accepted }: TimesRow): [string, StoredTimes] => [
  id,
  { expiresAt: bigintOrNull(expires), acceptedAt: bigintOrNull(accepted) },
];

function operationsOf({ first, at, kinds, refs, operations, extras }: GroupRow): LoggedOperation[] {
  let place = 0;
  return operations.split('\n').map((line) => {
    const [count, actor = '', requestId = ''] = line.split(' ');
    const from = place;
    place += Number(count);
    const events = kinds.slice(from, place).map((kind, index) => ({
      kind: kindOf.get(kind) ?? 'log.opened',
      ref: refs[from + index] ?? '',
      extra: extras?.[from + index] ?? {},
    }));
    const by = actor === 'worker' ? 'worker' : actor.startsWith('admin:') ? 'admin' : 'business';
    return { lastSeq: first + place - 1, by, requestId, at: BigInt(at), events };
  });
}

export const lineOfTrail = (step: TrailRecord): string =>
  `bet ${step.betId} is ${step.offerStatus}, outcome ${step.outcome}, override ${step.overrideOutcome ?? 'none'}, ` +
  `matched ${step.effectiveAmount ?? 'none'}${step.isByAdmin ? ', by an admin' : ''}`;

export const lineOfTransaction = (moved: TransactionRecord): string =>
  `${moved.transactionSource} ${moved.transactionType} of ${moved.amount} to user ${moved.userId} for bet ` +
  `${moved.betId ?? 'none'}, who then has ${moved.balanceAfter}`;

/** The rows that change, as one line each. */
export async function readRows(database: Queryable, accountId: number): Promise<string[]> {
  const { rows } = await database.query<{ line: string }>(
    `SELECT format('account: %s, %s', name, preferences ->> 'allow_negative_balance') AS line FROM accounts WHERE id = $1
     UNION ALL
     SELECT format('user %s (%s): %s', id, reference, name) FROM users WHERE account_id = $1
     UNION ALL
     SELECT format('%s of user %s is %s', key, id, value)
       FROM users CROSS JOIN jsonb_each_text(CASE WHEN jsonb_typeof(meta) = 'object' THEN meta END) WHERE account_id = $1
     UNION ALL
     SELECT format('user %s has %s, at risk %s', user_id, balance, exposure) FROM balances WHERE account_id = $1
     UNION ALL
     SELECT format('reference %s of user %s: %s', l.own_reference, t.user_id,
                   CASE t.transaction_type WHEN 'debit' THEN -t.amount ELSE t.amount END)
       FROM movement_labels l JOIN transactions t ON t.account_id = l.account_id AND t.id = l.transaction_id
      WHERE l.account_id = $1
     UNION ALL
     SELECT format('wager %s (%s): %s, %s (%s) until %s, of %s at %s, revision %s', id, reference, outcome, status,
                   status_reason, ${micros('closes_at')}, event, ${micros('starts_at')}, revision)
       FROM wagers WHERE account_id = $1
     UNION ALL
     SELECT format('position of user %s on wager %s: %s, %s, %s', user_id, wager_id, win, loss, offered)
       FROM positions WHERE account_id = $1 AND (win <> 0 OR loss <> 0 OR offered <> 0)
     UNION ALL -- the lone offers, by a condition of its own
     SELECT format('position of user %s on wager %s: 0, 0, %s', requesting_user_id, wager_id, requesting_amount)
       FROM bets b WHERE account_id = $1 AND offer_status = 'requesting' AND is_active AND NOT EXISTS (
         SELECT FROM positions p WHERE p.account_id = $1 AND p.user_id = b.requesting_user_id AND p.wager_id = b.wager_id)
     UNION ALL
     SELECT format('bet %s (%s) on wager %s of user %s: %s at %s, %s, %s; taken by %s: %s at %s; override %s, settled %s, %s; until %s, matched %s, timed out %s', id,
                   queue_place, wager_id, requesting_user_id, requesting_amount, requesting_odds, offer_status,
                   array_to_string(allowed_acceptor_ids, '+'), accepting_user_id, effective_amount, effective_odds,
                   override_outcome, settled_outcome, is_active, ${micros('expires_at')}, ${micros('accepted_at')}, timed_out)
       FROM bets WHERE account_id = $1`,
    [accountId],
  );
  return rows.map(({ line }) => line);
}

/** The same of a wager of the second ledger. */
export const lineOfWager = ({
  id,
  reference,
  outcome,
  status,
  statusReason,
  closesAt,
  event,
  startsAt,
  revision,
}: WagerPicture): string =>
  `wager ${id} (${reference}): ${outcome}, ${status} (${statusReason ?? ''}) until ${closesAt ?? ''}, of ${event ?? ''} at ${startsAt ?? ''}, revision ${revision}`;

/** And of a bet. */
export const lineOfBet = (bet: BetPicture, queuePlace: bigint | undefined): string => {
  const shown = (value: unknown) => String(value ?? '');
  return (
    `bet ${bet.id} (${queuePlace}) on wager ${bet.wagerId} of user ${bet.requestingUserId}: ${bet.requestingAmount} at ` +
    `${bet.requestingOdds}, ${bet.offerStatus}, ${bet.allowedAcceptorIds.join('+')}; taken by ` +
    `${shown(bet.acceptingUserId)}: ${shown(bet.effectiveAmount)} at ${shown(bet.effectiveOdds)}; ` +
    `override ${shown(bet.overrideOutcome)}, settled ${shown(bet.settledOutcome)}, ${bet.isActive ? 't' : 'f'}; ` +
    `until ${shown(bet.expiresAt)}, matched ${shown(bet.acceptedAt)}, timed out ${bet.timedOut ? 't' : 'f'}`
  );
};
