import { joinWithMails } from './account-requests.js';
import { decideByTwo } from './approval-requests.js';
import { acceptOffer, cancelOffer, decide, failingBatch, makeOffer, mixedBatch, override } from './bet-requests.js';
import type { Client } from './client.js';
import {
  type Correction,
  changeAccount,
  forceOutcome,
  forceOverride,
  lookAround,
  setActive,
} from './correction-requests.js';
import { requestOtherAccount } from './cross-tenant-requests.js';
import type { KnownAccount } from './known-account.js';
import { playLargeWager } from './large-wagers.js';
import { changeUser, createUser, fund, readSomething, readUser, readUsers, withdraw } from './user-requests.js';
import { closeAndDecide, schedule, suspendForAWhile } from './wager-requests.js';

// The activities of each kind of client, with their weights.

export interface ActivityContext {
  /** The account whose wagers and bets the admin corrects. */
  readonly corrected: KnownAccount;
  readonly finishing: AbortSignal;
}

/** One request, or several that belong together. */
export type Activity = (client: Client, context: ActivityContext) => Promise<unknown>;

interface Weighted<Activity> {
  readonly weight: number;
  readonly activity: Activity;
}

/** How often a business decides first, if a wager waits for it. Few activities fit into a short storm on a slow machine. */
const DECIDES_FIRST = 0.3;

const decisions: readonly [Weighted<Activity>, ...Weighted<Activity>[]] = [
  { weight: 4, activity: decide },
  { weight: 4, activity: closeAndDecide },
  { weight: 3, activity: decideByTwo },
];

const businessMix: readonly [Weighted<Activity>, ...Weighted<Activity>[]] = [
  ...decisions,
  { weight: 16, activity: makeOffer },
  { weight: 18, activity: acceptOffer },
  { weight: 6, activity: cancelOffer },
  { weight: 8, activity: mixedBatch },
  { weight: 2, activity: failingBatch },
  { weight: 5, activity: suspendForAWhile },
  { weight: 4, activity: schedule },
  { weight: 8, activity: override },
  { weight: 6, activity: fund },
  { weight: 8, activity: withdraw },
  { weight: 1, activity: (client) => createUser(client) },
  { weight: 3, activity: changeUser },
  { weight: 14, activity: readUser },
  { weight: 6, activity: readUsers },
  { weight: 5, activity: readSomething },
  { weight: 4, activity: requestOtherAccount },
  { weight: 3, activity: (client) => client.repeat() },
  { weight: 1, activity: (client) => client.reuseKey() },
  { weight: 0.5, activity: joinWithMails },
];

const correctionMix: readonly [Weighted<Correction>, ...Weighted<Correction>[]] = [
  // Rare, so that the wager has bets by then.
  { weight: 1.5, activity: forceOutcome },
  { weight: 6, activity: forceOverride },
  { weight: 6, activity: setActive },
  { weight: 1, activity: changeAccount },
  { weight: 2, activity: lookAround },
  { weight: 1, activity: (admin) => admin.repeat() },
];

export const businessActivity: Activity = (client, context) => {
  const decidesFirst = client.known.hasWagerToDecide && client.chance.happens(DECIDES_FIRST);
  return client.chance.pickWeighted(decidesFirst ? decisions : businessMix).activity(client, context);
};

export const largeWagerActivity: Activity = (client, { finishing }) => playLargeWager(client, finishing);

export const adminActivity: Activity = (admin, { corrected }) =>
  admin.chance.pickWeighted(correctionMix).activity(admin, corrected);
