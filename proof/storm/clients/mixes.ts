import { joinWithMails } from './accounts.js';
import { acceptOffer, cancelOffer, decide, failingBatch, makeOffer, mixedBatch, override } from './betting.js';
import { playLargeWager } from './bulk.js';
import type { Client } from './client.js';
import { type Correction, changeAccount, forceOutcome, forceOverride, lookAround, setActive } from './corrections.js';
import type { House } from './house.js';
import { changeUser, createUser, fund, readSomething, readUser, readUsers, withdraw } from './money.js';
import { probe } from './probes.js';

// Who asks for what, and how often.

export interface Surroundings {
  /** Whose wagers and bets the admin corrects. */
  readonly corrected: House;
  readonly finishing: AbortSignal;
}

/** One thing, or a few that belong together. */
export type Turn = (client: Client, surroundings: Surroundings) => Promise<unknown>;

interface Weighted<Turn> {
  readonly weight: number;
  readonly turn: Turn;
}

const businessMix: readonly [Weighted<Turn>, ...Weighted<Turn>[]] = [
  { weight: 16, turn: makeOffer },
  { weight: 18, turn: acceptOffer },
  { weight: 6, turn: cancelOffer },
  { weight: 8, turn: mixedBatch },
  { weight: 2, turn: failingBatch },
  { weight: 6, turn: decide },
  { weight: 8, turn: override },
  { weight: 6, turn: fund },
  { weight: 8, turn: withdraw },
  { weight: 1, turn: (client) => createUser(client) },
  { weight: 3, turn: changeUser },
  { weight: 14, turn: readUser },
  { weight: 6, turn: readUsers },
  { weight: 5, turn: readSomething },
  { weight: 4, turn: probe },
  { weight: 3, turn: (client) => client.repeat() },
  { weight: 1, turn: (client) => client.reuseKey() },
  { weight: 0.5, turn: joinWithMails },
];

const correctionMix: readonly [Weighted<Correction>, ...Weighted<Correction>[]] = [
  // Rarely: a wager shall have bets by then.
  { weight: 1.5, turn: forceOutcome },
  { weight: 6, turn: forceOverride },
  { weight: 6, turn: setActive },
  { weight: 1, turn: changeAccount },
  { weight: 2, turn: lookAround },
  { weight: 1, turn: (admin) => admin.repeat() },
];

export const businessTurn: Turn = (client, surroundings) =>
  client.chance.pickWeighted(businessMix).turn(client, surroundings);

export const largeWagerTurn: Turn = (client, { finishing }) => playLargeWager(client, finishing);

export const adminTurn: Turn = (admin, { corrected }) =>
  admin.chance.pickWeighted(correctionMix).turn(admin, corrected);
