import type pg from 'pg';

/** A violated expectation. */
export interface Finding {
  readonly check: string;
  readonly text: string;
}

/** A direct connection to the database, without the API and the proxies. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** The texts that a query selects, one in each row. */
export async function textsIn(database: Queryable, sql: string): Promise<string[]> {
  const { rows } = await database.query<[string]>({ text: sql, rowMode: 'array' });
  return rows.map(([text]) => text);
}

/** More of a kind would not help to understand it. */
const SHOWN = 20;

/** The findings of one check, with a count in place of those beyond the limit. */
export function findingsOf(check: string, texts: readonly string[]): Finding[] {
  const shown = texts.slice(0, SHOWN).map((text) => ({ check, text }));
  return texts.length > SHOWN ? [...shown, { check, text: `and ${texts.length - SHOWN} more` }] : shown;
}
