import { LRUCache } from 'lru-cache';
import { Prisma } from './generated/client.js';

// A statement with a name is parsed and planned once for each connection. Planning the page of a list takes several times
// as long as reading it. A name is used for the life of a connection, and PostgreSQL stores the plan there: about 100 kB
// for a list. So names are few.

const NAMED = /^\/\* prepared: ([\w ]+) \*\//;

/** Begins a statement of one text that `queryRows` runs: PostgreSQL plans it once for each connection. */
export const preparedAs = (name: string): Prisma.Sql => Prisma.raw(`/* prepared: ${name} */`);

/** Begins a statement whose text varies with the request. */
export const PREPARED_WHEN_FREQUENT = '/* prepared when frequent */';

const FREQUENT = 20;
const NAMES = 24;
const COUNTED_TEXTS = 200;

/** Gives the names of one pool's statements. Empty: PostgreSQL plans the statement anew. */
export function createStatementNames(): (text: string) => string {
  const names = new Map<string, string>();
  const counts = new LRUCache<string, number>({ max: COUNTED_TEXTS });

  function frequentNameOf(text: string): string {
    const name = names.get(text);
    if (name !== undefined || names.size === NAMES) return name ?? '';
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    if (count === FREQUENT) names.set(text, `frequent ${names.size + 1}`);
    return names.get(text) ?? '';
  }

  return (text) => (text.startsWith(PREPARED_WHEN_FREQUENT) ? frequentNameOf(text) : (NAMED.exec(text)?.[1] ?? ''));
}
