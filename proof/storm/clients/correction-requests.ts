import type { Schemas } from '../history.js';
import { OUTCOMES } from './bet-requests.js';
import type { Client } from './client.js';
import type { KnownAccount } from './known-account.js';

// Corrections by an admin in another account. The trail of each corrected bet carries the correction's description, so
// each description is unique.

export type Correction = (admin: Client, known: KnownAccount) => Promise<void>;

const SUCCEEDS = { expected: 'success' } as const;

/** Includes reopening a wager. */
export const forceOutcome: Correction = async (admin, { account, wagers }) => {
  const reference = wagers.pick(admin.chance);
  if (reference === undefined) return;
  const body = {
    account_id: account.id,
    wager_reference: reference,
    outcome: admin.chance.pick(OUTCOMES),
    description: admin.newName(),
  } satisfies Schemas['ForceOutcome'];
  await admin.post('force-outcome', '/admin/wagers/force-update-outcome', body);
};

export const forceOverride: Correction = async (admin, { account, bets, offers }) => {
  const { chance } = admin;
  const known = chance.happens(0.7) ? bets.pick(chance) : offers.pick(chance);
  if (known === undefined) return;
  const body = {
    account_id: account.id,
    bet_id: known.betId,
    override_outcome: chance.pick([...OUTCOMES, null, null]),
    description: admin.newName(),
  } satisfies Schemas['ForceOverride'];
  await admin.post('force-override', '/admin/bets/force-update-override-outcome', body);
};

export const setActive: Correction = async (admin, { bets, offers }) => {
  const { chance } = admin;
  const known = chance.happens(0.7) ? bets.pick(chance) : offers.pick(chance);
  if (known === undefined) return;
  const kind = chance.pick(['set-active', 'set-inactive'] as const);
  await admin.post(kind, `/admin/bets/${known.betId}/${kind}`, { description: admin.newName() });
};

export const changeAccount: Correction = async (admin, { account }) => {
  const allowed = { allow_negative_balance: admin.chance.happens(0.5) };
  const body = { name: admin.newName(), preferences: allowed } satisfies Schemas['ChangeAccount'];
  await admin.patch('change-account', `/admin/accounts/${account.id}`, body, SUCCEEDS);
};

export const lookAround: Correction = async (admin, { account, wagers }) => {
  const wager = wagers.pick(admin.chance) ?? '';
  const paths = [
    `/admin/accounts/${account.id}`,
    '/admin/accounts?search=storm&per_page=10',
    `/bets/history?account_ids=${account.id}&wager_references=${wager}&include_bet_trails_transactions=true`,
    `/wagers?account_ids=${account.id}&sort_direction=desc`,
  ] as const;
  await admin.get('read', admin.chance.pick(paths), SUCCEEDS);
};
