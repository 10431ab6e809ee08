import type { Expected, Request } from '../history.js';
import type { Client } from './client.js';
import type { Bettor, House } from './house.js';

// Asking for what belongs to another account, in every place where a request can name something. It must be answered as
// if it did not exist.

interface Probe {
  readonly request: Request;
  readonly expected: Expected;
}

const get = (path: string, text: string): Probe => ({
  request: { method: 'GET', path },
  expected: { status: 404, text },
});
const post = (path: string, body: object, text: string, status = 404): Probe => ({
  request: { method: 'POST', path, body },
  expected: { status, text },
});

const NO_USER = 'User not found';
const NO_BET = 'Bet not found';
const NO_WAGER = 'Wager not found';
const NO_TRANSACTION = 'Transaction not found';
const ADMINS_ONLY = 'Only admin accounts may do this';

function userProbes({ id, reference }: Bettor, own: Bettor, wager: string): Probe[] {
  const offer = { wager_reference: wager, requesting_odds: 2, requesting_amount: 1 };
  const acceptance = { wager_reference: wager, maximum_odds: 2, accepting_amount: 1 };
  const change = { name: 'taken over' };
  return [
    get(`/account/user/${id}`, NO_USER),
    get(`/account/user/${reference}/reference`, NO_USER),
    get(`/account/user/${id}/positions`, NO_USER),
    {
      request: { method: 'PATCH', path: `/account/user/${id}`, body: change },
      expected: { status: 404, text: NO_USER },
    },
    post('/transactions/fund-user', { user_id: id, amount: 1 }, NO_USER),
    post('/transactions/fund-user', { user_reference: reference, amount: 1 }, NO_USER),
    post('/transactions/withdraw', { user_id: id, amount: 1 }, NO_USER),
    post('/bets/make-offer', { ...offer, requesting_user_id: id }, NO_USER),
    post('/bets/make-offer', { ...offer, requesting_user_reference: reference }, NO_USER),
    post(
      '/bets/make-offer',
      { ...offer, requesting_user_id: own.id, allowed_acceptor_ids: [id] },
      'Allowed acceptor not found',
    ),
    post('/bets/accept-offer', { ...acceptance, accepting_user_id: id }, NO_USER),
    post('/bets/accept-offer', { ...acceptance, accepting_user_id: own.id, requesting_user_id: id }, NO_USER),
    post('/bets/cancel-offer', { requesting_user_id: id, wager_references: [wager], cancel_all: true }, NO_USER),
  ];
}

function betProbes(betId: number, own: Bettor, wager: string): Probe[] {
  const override = { bet_id: betId, override_outcome: 'win' };
  const offer = { wager_reference: wager, requesting_odds: 2, requesting_amount: 0.5, requesting_user_id: own.id };
  const batch = [
    { operation_type: 'override_bet_outcome', operation_id: 'theirs', data: override },
    { operation_type: 'make_bet_offer', operation_id: 'ours', data: offer },
  ];
  const cancel = { requesting_user_id: own.id, bet_id: betId, cancel_all: true };
  return [
    get(`/bets/${betId}`, NO_BET),
    post(
      '/bets/accept-offer',
      { bet_id: betId, maximum_odds: 9, accepting_amount: 1, accepting_user_id: own.id },
      NO_BET,
    ),
    post('/bets/cancel-offer', cancel, NO_BET),
    post('/bets/override-outcome', override, NO_BET),
    post('/bets/batch', { operations: batch }, `operation 'theirs': ${NO_BET}`),
    post(`/admin/bets/${betId}/set-inactive`, {}, ADMINS_ONLY, 403),
  ];
}

function wagerProbes(wager: string, accountId: number): Probe[] {
  const decision = { reference: wager, outcome: 'win' };
  const batch = [{ operation_type: 'update_wager_outcome', operation_id: 'theirs', data: decision }];
  const correction = { account_id: accountId, wager_reference: wager, outcome: 'win' };
  return [
    get(`/wagers/${wager}`, NO_WAGER),
    get(`/wagers/${wager}?account_id=${accountId}`, NO_WAGER),
    post('/bets/update-wager-outcome', decision, NO_WAGER),
    post('/bets/batch', { operations: batch }, `operation 'theirs': ${NO_WAGER}`),
    post('/admin/wagers/force-update-outcome', correction, ADMINS_ONLY, 403),
  ];
}

/** Lists do not refuse: what is not the caller's is not in them. */
const emptyList = (path: string): Probe => ({ request: { method: 'GET', path }, expected: { status: 200, total: 0 } });

function probesOf(client: Client, stranger: House): readonly Probe[] {
  const { chance, house } = client;
  const [victim, own] = [stranger.anyBettor(chance), house.anyBettor(chance)];
  const offer = stranger.offers.pick(chance);
  const movement = stranger.movements.pick(chance);
  const wager = `${house.account.name}-probed`;
  return [
    ...userProbes(victim, own, wager),
    emptyList(`/bets/history?account_ids=${stranger.account.id}`),
    emptyList(`/bets/open-bets?requesting_user_ids=${victim.id}`),
    emptyList(`/transactions?user_references=${victim.reference}`),
    emptyList(`/wagers?account_ids=${stranger.account.id}`),
    ...(offer === undefined
      ? []
      : [...betProbes(offer.betId, own, wager), ...wagerProbes(offer.wager, stranger.account.id)]),
    ...(movement === undefined
      ? []
      : [
          get(`/transactions/${movement.id}`, NO_TRANSACTION),
          get(`/transactions/${movement.reference}/reference`, NO_TRANSACTION),
        ]),
  ];
}

export async function probe(client: Client): Promise<void> {
  const { chance, strangers } = client;
  const stranger = chance.pick(strangers as [House, ...House[]]);
  const probes = probesOf(client, stranger) as [Probe, ...Probe[]];
  const { request, expected } = chance.pick(probes);
  await client.ask('probe', request, { expected, keyed: request.method !== 'GET' });
}
