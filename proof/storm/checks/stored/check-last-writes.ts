import { isSuccess, type Operation, type Schemas, type StormAccount } from '../../history.js';
import { type AcknowledgedEffects, type UserNames, userInPath } from '../effects.js';
import { type CheckInput, type Finding, findingsOf } from '../finding.js';

// An attribute that is written repeatedly must hold one of the last values: one whose write no later write followed.

interface Write {
  /** The attribute that is written. */
  readonly place: string;
  readonly value: string;
  readonly calledAt: number;
  readonly answeredAt: number;
}

const places = `
  SELECT format('%s: outcome of %s', a.email, w.reference) AS place, w.outcome AS value
    FROM wagers w JOIN accounts a ON a.id = w.account_id WHERE w.outcome <> 'undecided'
  UNION ALL
  SELECT format('%s: name of user %s', a.email, u.id), u.name FROM users u JOIN accounts a ON a.id = u.account_id
  UNION ALL
  SELECT format('%s: %s of user %s', a.email, m.key, u.id), m.value
    FROM users u JOIN accounts a ON a.id = u.account_id CROSS JOIN LATERAL jsonb_each_text(u.meta) m
  UNION ALL
  SELECT format('%s: name', a.email), a.name FROM accounts a
  UNION ALL
  SELECT format('%s: negative balances', a.email), a.preferences ->> 'allow_negative_balance' FROM accounts a`;

/** Values before the first write. */
const INITIAL = ['undecided', 'false'];

export async function checkLastWrites({ history, effects, database }: CheckInput): Promise<Finding[]> {
  const writes = new Map<string, Write[]>();
  const { accounts, operations } = history;
  for (const operation of operations) {
    for (const write of writesOf(operation, accounts, effects)) {
      const before = writes.get(write.place);
      if (before === undefined) writes.set(write.place, [write]);
      else before.push(write);
    }
  }
  const { rows } = await database.query<{ place: string; value: string }>(places);
  const found = new Map(rows.map(({ place, value }) => [place, value]));
  const texts = [...new Set([...writes.keys(), ...found.keys()])].flatMap((place) => {
    const written = lastOf(writes.get(place) ?? []).map(({ value }) => value);
    const value = found.get(place);
    const isRight = value === undefined ? mayBeInitial(written) : written.includes(value) || isInitial(value, written);
    return isRight ? [] : [`${place} is ${value ?? 'not there'}, last written: ${written.join(' or ') || 'never'}`];
  });
  return [
    ...findingsOf('the database holds the last written value', texts),
    ...findingsOf('a wager is decided once', decidedTwice(operations, effects)),
  ];
}

const isInitial = (value: string, written: readonly string[]): boolean =>
  INITIAL.includes(value) && written.length === 0;
const mayBeInitial = (written: readonly string[]): boolean => written.some((value) => INITIAL.includes(value));

/** The writes that no other write follows. */
export function lastOf<Written extends Pick<Write, 'calledAt' | 'answeredAt'>>(writes: readonly Written[]): Written[] {
  const lastCall = writes.reduce((latest, { calledAt }) => Math.max(latest, calledAt), Number.NEGATIVE_INFINITY);
  return writes.filter(({ answeredAt }) => answeredAt >= lastCall);
}

function writesOf(operation: Operation, accounts: readonly StormAccount[], effects: AcknowledgedEffects): Write[] {
  const { calledAt, answeredAt = Number.POSITIVE_INFINITY, account, kind, request } = operation;
  const write = (place: string, value: string, email = account.email): Write => ({
    place: `${email}: ${place}`,
    value,
    calledAt,
    answeredAt,
  });
  const emailOf = (id: number) => accounts.find((each) => each.id === id)?.email ?? '';
  const isDone = isSuccess(operation);
  switch (kind) {
    case 'register':
      return [write('name', account.name)];
    case 'change-account': {
      const { name, preferences } = request.body as Schemas['ChangeAccount'];
      const email = emailOf(Number(request.path.split('/').at(-1)));
      return isDone
        ? [
            write('name', name ?? '', email),
            write('negative balances', String(preferences?.allow_negative_balance), email),
          ]
        : [];
    }
    case 'force-outcome': {
      const { account_id: id, wager_reference: wager, outcome } = request.body as Schemas['ForceOutcome'];
      return isDone ? [write(`outcome of ${wager}`, outcome, emailOf(id))] : [];
    }
    case 'change-user':
      return isDone ? userWrites(operation, effects.names).map(([field, value]) => write(field, value)) : [];
    default:
      return effects.of(operation).flatMap((effect) => {
        if (effect.type === 'user') return [write(`name of user ${effect.id}`, effect.reference)];
        return effect.type === 'decision' ? [write(`outcome of ${effect.wager}`, effect.outcome)] : [];
      });
  }
}

function userWrites(operation: Operation, names: UserNames): (readonly [field: string, value: string])[] {
  const { name, meta } = operation.request.body as Schemas['ChangeUser'];
  const named = userInPath(operation);
  const id = 'id' in named ? named.id : names.idOf(operation, undefined, named.reference);
  const fields = Object.entries(meta ?? {}).map(([key, value]) => [`${key} of user ${id}`, String(value)] as const);
  return name === undefined ? fields : [[`name of user ${id}`, name], ...fields];
}

/** Only an admin can reopen a wager, and only in corrected accounts. */
function decidedTwice(operations: readonly Operation[], effects: AcknowledgedEffects): string[] {
  const decided = new Set<string>();
  return operations.flatMap((operation) => {
    if (operation.account.role === 'corrected') return [];
    return effects.of(operation).flatMap((effect) => {
      if (effect.type !== 'decision') return [];
      const wager = `${operation.account.email}: ${effect.wager}`;
      const isSecond = decided.has(wager);
      decided.add(wager);
      return isSecond ? [`${wager} was decided again, as ${effect.outcome}`] : [];
    });
  });
}
