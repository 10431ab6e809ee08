import { finalAnswer, type Operation } from '../../history.js';

// Whether a read shows only rows of the caller, and only those that its path asks for. The bodies of all reads would fill
// the memory, so a client compares each at once and records only the mismatches.

type JsonRow = Readonly<Record<string, unknown>>;

/** The name in the path, and whether a row matches it. */
const filters: readonly (readonly [named: RegExp, fits: (row: JsonRow, name: string) => boolean])[] = [
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
  const rows = [(body as { readonly data?: JsonRow | readonly JsonRow[] }).data ?? []].flat();
  const unasked = filters.flatMap(([named, fits]) => {
    const name = named.exec(request.path)?.[1];
    const others = name === undefined ? [] : rows.filter((row) => !fits(row, name));
    return others.map((row) => `not asked for: ${nameOf(row)}`);
  });
  // An admin reads rows of all accounts.
  if (account.role === 'admin') return unasked;
  const strangers = [...rowsIn(rows)].filter((row) => !isOwn(row, account));
  return [...unasked, ...strangers.map((row) => `of another account: ${nameOf(row)}`)];
}

/** The mismatches that the client recorded when it got the answer. */
export const rememberedMismatches = (operation: Operation): readonly string[] =>
  (finalAnswer(operation)?.body as { readonly mismatches?: readonly string[] } | undefined)?.mismatches ?? [];

const SHOWN = 200;

const nameOf = (row: JsonRow): string => JSON.stringify(row).slice(0, SHOWN);

/** Each row carries the account's id, or a reference with the account's name as its prefix. */
function isOwn(row: JsonRow, { id, name, email }: Operation['account']): boolean {
  const references = REFERENCES.map((field) => row[field]).filter((reference) => typeof reference === 'string');
  if ('outcome' in row && typeof row.reference === 'string') references.push(row.reference);
  return (
    (row.account_id ?? id) === id &&
    (row.email ?? email) === email &&
    references.every((reference) => reference.startsWith(`${name}-`))
  );
}

/** Includes nested rows: the wager of a bet, its trail, the transactions of the trail. */
function* rowsIn(value: unknown): Generator<JsonRow> {
  if (Array.isArray(value)) for (const each of value) yield* rowsIn(each);
  else if (typeof value === 'object' && value !== null) {
    yield value as JsonRow;
    for (const each of Object.values(value)) yield* rowsIn(each);
  }
}
