import type { Operation, Schemas } from '../../history.js';
import { type Effect, type EffectOf, wasDone } from '../effects.js';
import { type CheckInput, type Finding, findingsOf, textsIn } from '../finding.js';

// Compares the acknowledged effects with the database. Both sides become lines of text with all attributes; unequal counts
// of a line mean that an effect was lost, repeated, or never acknowledged.

interface Comparison {
  readonly name: string;
  acknowledged(operation: Operation, effects: readonly Effect[]): readonly string[];
  /** Selects a `line` for each effect in the database. */
  readonly found: string;
  /** Such an effect may leave no row. */
  readonly leavesNoTrace?: boolean;
}

/** The lines of effects of one type. */
const effectLines =
  <Type extends Effect['type']>(type: Type, lineOf: (effect: EffectOf<Type>) => string): Comparison['acknowledged'] =>
  ({ account }, effects) =>
    effects
      .filter((effect): effect is EffectOf<Type> => effect.type === type)
      .map((effect) => `${account.email}: ${lineOf(effect)}`);

/** One line for each successful operation. */
const done =
  (kinds: readonly Operation['kind'][], lineOf: (operation: Operation) => string): Comparison['acknowledged'] =>
  (operation) =>
    kinds.includes(operation.kind) && wasDone(operation) ? [lineOf(operation)] : [];

const ofAccount = (rows: string, line: string): string =>
  `SELECT a.email || ': ' || ${line} AS line FROM accounts a JOIN ${rows}`;

const rests = `(
  SELECT account_id, bet_id, requesting_amount, substring(description FROM 'bet (\\d+)$')::bigint AS origin
    FROM bet_trails WHERE description LIKE 'Offer for the rest of canceled bet %')`;

const reasonOf = ({ request }: Operation): string => (request.body as { readonly description: string }).description;

/** The id of the corrected bet is in the path or in the body. */
const correctedBet = ({ request }: Operation): number =>
  (request.body as Partial<Schemas['ForceOverride']>).bet_id ?? Number(request.path.split('/')[3]);

const comparisons: readonly Comparison[] = [
  {
    name: 'accounts registered',
    acknowledged: done(['register'], ({ account }) => account.email),
    found: 'SELECT email AS line FROM accounts',
  },
  {
    name: 'users created',
    acknowledged: effectLines('user', ({ id, reference }) => `user ${id} is ${reference}`),
    found: ofAccount('users u ON u.account_id = a.id', `format('user %s is %s', u.id, u.reference)`),
  },
  {
    name: 'payments',
    acknowledged: effectLines(
      'movement',
      ({ id, reference, userId, received }) => `${received} for user ${userId} by ${id} (${reference})`,
    ),
    found: ofAccount(
      `transactions t ON t.account_id = a.id AND t.transaction_source IN ('funding', 'withdrawal')`,
      `format('%s for user %s by %s (%s)', CASE transaction_type WHEN 'debit' THEN -amount ELSE amount END, user_id,
              t.id, t.reference)`,
    ),
  },
  {
    name: 'offers made',
    acknowledged: effectLines(
      'offer',
      ({ betId, wager, userId, odds, amount }) => `bet ${betId} of user ${userId} on ${wager}: ${amount} at ${odds}`,
    ),
    found: ofAccount(
      'bets b ON b.account_id = a.id AND b.queue_place = b.id JOIN wagers w ON w.account_id = a.id AND w.id = b.wager_id',
      `format('bet %s of user %s on %s: %s at %s', b.id, requesting_user_id, w.reference, requesting_amount,
              requesting_odds)`,
    ),
  },
  {
    name: 'offers accepted',
    acknowledged: effectLines(
      'acceptance',
      ({ betId, userId, odds, amount }) => `bet ${betId} accepted by user ${userId}: ${amount} at ${odds}`,
    ),
    found: ofAccount(
      'bets b ON b.account_id = a.id AND b.accepting_user_id IS NOT NULL',
      `format('bet %s accepted by user %s: %s at %s', b.id, accepting_user_id, effective_amount, effective_odds)`,
    ),
  },
  {
    name: 'offers canceled',
    acknowledged: effectLines('cancellation', ({ betId, rest }) =>
      rest === undefined ? `bet ${betId} canceled` : `canceled but for bet ${betId}: ${rest}`,
    ),
    found: ofAccount(
      `bets b ON b.account_id = a.id AND b.offer_status = 'canceled'
       LEFT JOIN ${rests} r ON r.account_id = a.id AND r.origin = b.id`,
      `CASE WHEN r.bet_id IS NULL THEN format('bet %s canceled', b.id)
            ELSE format('canceled but for bet %s: %s', r.bet_id, r.requesting_amount) END`,
    ),
  },
  {
    name: 'outcomes overridden',
    acknowledged: effectLines('override', ({ betId, outcome }) => `bet ${betId} is overridden to ${outcome}`),
    found: ofAccount(
      `bet_trails t ON t.account_id = a.id AND t.description LIKE 'Outcome overridden: %'`,
      `format('bet %s is overridden to %s', bet_id, override_outcome)`,
    ),
  },
  {
    name: 'bets corrected by the admin',
    acknowledged: done(
      ['set-active', 'set-inactive', 'force-override'],
      (operation) => `bet ${correctedBet(operation)}: ${reasonOf(operation)}`,
    ),
    found: `SELECT format('bet %s: %s', bet_id, substring(description FROM '\\): (.*)$')) AS line
              FROM bet_trails WHERE description ~ '^(Bet set (in)?active|Override).* by admin '`,
  },
  {
    name: 'wagers corrected by the admin',
    acknowledged: done(['force-outcome'], reasonOf),
    found: `SELECT DISTINCT substring(description FROM '\\): (.*)$') AS line
              FROM bet_trails WHERE description ~ '^(Bet settled|Settlement undone|Offer).* by admin '`,
    leavesNoTrace: true,
  },
  {
    name: 'mails asked for',
    acknowledged: (operation) => [
      ...done(['register', 'resend-verification'], ({ account }) => `verification-mail to ${account.email}`)(
        operation,
        [],
      ),
      ...done(['reset-password'], ({ account }) => `password-changed-mail to ${account.email}`)(operation, []),
    ],
    found: `SELECT format('%s to %s', topic, a.email) AS line FROM outbox o JOIN accounts a ON a.id = o.account_id
             WHERE topic IN ('verification-mail', 'password-changed-mail')`,
  },
];

export interface Compared {
  readonly findings: readonly Finding[];
  /** The number of effects of each kind. */
  readonly counts: ReadonlyMap<string, number>;
}

export async function compareEffects({ history, effects, database }: CheckInput): Promise<Compared> {
  const known = history.operations.map((operation) => ({ operation, done: effects.of(operation) }));
  const findings: Finding[] = [];
  const counts = new Map<string, number>();
  for (const { name, acknowledged, found, leavesNoTrace = false } of comparisons) {
    const lines = known.flatMap(({ operation, done: own }) => acknowledged(operation, own));
    const stored = await textsIn(database, found);
    const texts = differencesBetween(lines, stored);
    findings.push(...findingsOf(name, leavesNoTrace ? texts.filter((text) => !text.startsWith(LOST)) : texts));
    // Of effects that may leave no row, only the rows are counted.
    counts.set(name, leavesNoTrace ? stored.length : lines.length);
  }
  return { findings, counts };
}

const LOST = 'acknowledged, but missing';

/** Compares two collections in which the same line may occur several times. */
export function differencesBetween(acknowledged: readonly string[], found: readonly string[]): string[] {
  const surplus = new Map<string, number>();
  const count = (line: string, by: number) => surplus.set(line, (surplus.get(line) ?? 0) + by);
  for (const line of acknowledged) count(line, -1);
  for (const line of found) count(line, 1);
  const known = new Set(acknowledged);
  return [...surplus].flatMap(([line, extra]) => {
    if (extra === 0) return [];
    if (extra < 0) return [`${LOST}: ${line}`];
    return [`${known.has(line) ? 'stored more often than acknowledged' : 'stored, but never acknowledged'}: ${line}`];
  });
}
