import type pg from 'pg';
import type { History } from '../history.js';
import type { AcknowledgedEffects } from './effects.js';

/** Something that should not be. */
export interface Finding {
  readonly check: string;
  readonly text: string;
}

/** Where the checks look: past the service, and past whatever stood between it and its database. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** What a check compares: the clients' record, and the database. */
export interface CheckInput {
  readonly history: History;
  readonly effects: AcknowledgedEffects;
  readonly database: Queryable;
}

/** As many of a kind as help to understand it. */
const SHOWN = 20;

/** Findings of one check; what there are too many of is counted. */
export function findingsOf(check: string, texts: readonly string[]): Finding[] {
  const shown = texts.slice(0, SHOWN).map((text) => ({ check, text }));
  return texts.length > SHOWN ? [...shown, { check, text: `and ${texts.length - SHOWN} more` }] : shown;
}
