import { signal } from '@preact/signals';
import type { Schemas } from '../api/api.js';
import { storageKeyOf } from '../api/session.js';

// What this tab has decided just now, and may still undo: the bar shows it on every page.

const UNDONE_WITHIN_MS = 60_000;
const STORED = 'decided';

export interface DecidedWager {
  readonly reference: string;
  readonly outcome: Schemas['Outcome'];
  /** By this browser's clock. */
  readonly until: number;
}

export const decided = signal<readonly DecidedWager[]>([]);

function show(wagers: readonly DecidedWager[]): void {
  decided.value = wagers;
  sessionStorage.setItem(storageKeyOf(STORED), JSON.stringify(wagers));
}

/** Offers to undo what was decided. */
export function offerUndo(wagers: readonly Omit<DecidedWager, 'until'>[]): void {
  const until = Date.now() + UNDONE_WITHIN_MS;
  const newer = wagers.map((wager) => ({ ...wager, until }));
  const references = new Set(wagers.map(({ reference }) => reference));
  show([...newer, ...decided.peek().filter(({ reference }) => !references.has(reference))]);
}

/** Without a reference: of all whose time is over. */
export function endUndo(reference?: string): void {
  const now = Date.now();
  const isLeft = (wager: DecidedWager) => (reference === undefined ? wager.until > now : wager.reference !== reference);
  show(decided.peek().filter(isLeft));
}

/** After a reload. */
export function restoreUndo(): void {
  const stored = JSON.parse(sessionStorage.getItem(storageKeyOf(STORED)) ?? '[]') as DecidedWager[];
  decided.value = stored.filter(({ until }) => until > Date.now());
}
