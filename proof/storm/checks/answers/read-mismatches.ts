import { finalAnswer, type Operation } from '../../history.js';

// Whether all that a read shows is the caller's own, and what the path asks for. All bodies together would be much to
// keep, so a client looks at each at once, and keeps only what is wrong with it.

type Row = Readonly<Record<string, unknown>>;

/** What the path names, and whether a row is, or has, that. */
const filters: readonly (readonly [named: RegExp, fits: (row: Row, name: string) => boolean])[] = [
  [/^\/bets\/(\d+)/, ({ id }, name) => String(id) === name],
  [/^\/wagers\/([^/?]+)/, ({ reference }, name) => reference === name],
  [/^\/transactions\/([^/?]+)\/reference/, ({ reference }, name) => reference === name],
  [/^\/admin\/accounts\/(\d+)/, ({ id }, name) => String(id) === name],
  [/\baccount_ids=(\d+)/, ({ account_id }, name) => String(account_id) === name],
  [/\bwager_references=([^&]+)/, ({ wager_reference }, name) => wager_reference === name],
  [/\buser_references=([^&]+)/, ({ user_reference }, name) => user_reference === name],
  [
    /\buser_ids=(\d+)/,
    ({ requesting_user_id, accepting_user_id }, name) =>
      [requesting_user_id, accepting_user_id].map(String).includes(name),
  ],
];

const REFERENCES = ['wager_reference', 'user_reference', 'requesting_user_reference', 'accepting_user_reference'];

export function mismatchesOfRead({ request, account }: Operation, body: unknown): string[] {
  const rows = [(body as { readonly data?: Row | readonly Row[] }).data ?? []].flat();
  const unasked = filters.flatMap(([named, fits]) => {
    const name = named.exec(request.path)?.[1];
    const others = name === undefined ? [] : rows.filter((row) => !fits(row, name));
    return others.map((row) => `not asked for: ${nameOf(row)}`);
  });
  // An admin looks at the rows of others.
  if (account.role === 'admin') return unasked;
  const strangers = [...rowsIn(rows)].filter((row) => !isOwn(row, account));
  return [...unasked, ...strangers.map((row) => `somebody else's: ${nameOf(row)}`)];
}

/** What there was to say of a read when it was answered. */
export const rememberedMismatches = (operation: Operation): readonly string[] =>
  (finalAnswer(operation)?.body as { readonly mismatches?: readonly string[] } | undefined)?.mismatches ?? [];

const SHOWN = 200;

const nameOf = (row: Row): string => JSON.stringify(row).slice(0, SHOWN);

/** Everything has the account's id, or something in it that the business named by itself. */
function isOwn(row: Row, { id, name, email }: Operation['account']): boolean {
  const references = REFERENCES.map((field) => row[field]).filter((reference) => typeof reference === 'string');
  if ('outcome' in row && typeof row.reference === 'string') references.push(row.reference);
  return (
    (row.account_id ?? id) === id &&
    (row.email ?? email) === email &&
    references.every((reference) => reference.startsWith(`${name}-`))
  );
}

/** Those in others too: the wager of a bet, its trail, the transactions of that. */
function* rowsIn(value: unknown): Generator<Row> {
  if (Array.isArray(value)) for (const each of value) yield* rowsIn(each);
  else if (typeof value === 'object' && value !== null) {
    yield value as Row;
    for (const each of Object.values(value)) yield* rowsIn(each);
  }
}
