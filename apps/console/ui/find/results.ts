import type { Schemas } from '../api/api.js';

export type Hit = Schemas['SearchHit'];

export const kindText: Readonly<Record<Hit['kind'], string>> = {
  user: 'User',
  wager: 'Wager',
  bet: 'Bet',
  transaction: 'Transaction',
  event: 'Event',
};

/** What a hit is called; a number without a name stands for itself. */
export const nameOf = ({ reference, id }: Hit): string => reference ?? String(id);

const userAddress = (reference: string) => `/users/${encodeURIComponent(reference)}`;

/** A transaction is shown in the statement of its user. */
const addresses: Readonly<Record<Hit['kind'], (hit: Hit) => string>> = {
  user: (hit) => userAddress(nameOf(hit)),
  wager: (hit) => `/wagers/${encodeURIComponent(nameOf(hit))}`,
  bet: ({ id }) => `/bets/${id}`,
  transaction: ({ detail }) => userAddress(detail ?? ''),
  event: ({ id }) => `/events/${id}`,
};

/** The page of a hit. */
export const addressOf = (hit: Hit): string => addresses[hit.kind](hit);
