import { type BetOperationType, betOperations } from '../bet-operations.js';
import type { Expected, Request } from '../history.js';
import type { Client } from './client.js';
import type { Bettor, KnownAccount } from './known-account.js';

// Requests that name something of another account, in every place where a request can name something. The API must
// answer as if it did not exist.

interface CrossTenantRequest {
  readonly request: Request;
  readonly expected: Expected;
}

const get = (path: string, text: string): CrossTenantRequest => ({
  request: { method: 'GET', path },
  expected: { status: 404, text },
});
const post = (path: string, body: object, text: string, status = 404): CrossTenantRequest => ({
  request: { method: 'POST', path, body },
  expected: { status, text },
});

const NO_USER = 'User not found';
const NO_ACCEPTOR = 'Allowed acceptor not found';
const NO_BET = 'Bet not found';
const NO_WAGER = 'Wager not found';
const NO_TRANSACTION = 'Transaction not found';
const ADMINS_ONLY = 'Only admin accounts may do this';

const patchUser = (path: string, body: object): CrossTenantRequest => ({
  request: { method: 'PATCH', path, body },
  expected: { status: 404, text: NO_USER },
});

/** Inside a batch, together with an operation of the caller's own; the whole batch must be refused. */
const batched = (type: BetOperationType, data: object, text: string, own: object): CrossTenantRequest => {
  const operations = [
    { operation_type: 'make_bet_offer', operation_id: 'ours', data: own },
    { operation_type: type, operation_id: 'theirs', data },
  ];
  return post('/bets/batch', { operations }, `operation 'theirs': ${text}`);
};

/** An operation of the caller's own, on a wager that must never be created. */
const ownOffer = ({ account }: KnownAccount, own: Bettor) => ({
  wager_reference: `${account.name}-refused`,
  requesting_odds: 2,
  requesting_amount: 0.5,
  requesting_user_id: own.id,
});
type OwnOffer = ReturnType<typeof ownOffer>;

function userRequests({ id, reference }: Bettor): CrossTenantRequest[] {
  const change = { name: 'taken over' };
  return [
    get(`/account/user/${id}`, NO_USER),
    get(`/account/user/${reference}/reference`, NO_USER),
    get(`/account/user/${id}/positions`, NO_USER),
    patchUser(`/account/user/${id}`, change),
    patchUser(`/account/user/${reference}/reference`, change),
    ...['/transactions/fund-user', '/transactions/withdraw'].flatMap((path) => [
      post(path, { user_id: id, amount: 1 }, NO_USER),
      post(path, { user_reference: reference, amount: 1 }, NO_USER),
    ]),
  ];
}

/** Each operation on bets that names users, by id and by reference, alone and in a batch. */
function bettorRequests({ id, reference }: Bettor, ours: OwnOffer): CrossTenantRequest[] {
  const { requesting_user_id: own, ...offer } = ours;
  const acceptance = { wager_reference: offer.wager_reference, maximum_odds: 2, accepting_amount: 1 };
  const cancel = { wager_references: [offer.wager_reference], cancel_all: true };
  const single = [
    ['make_bet_offer', { ...offer, requesting_user_id: id }],
    ['make_bet_offer', { ...offer, requesting_user_reference: reference }],
    ['make_bet_offer', { ...ours, allowed_acceptor_ids: [id] }, NO_ACCEPTOR],
    ['make_bet_offer', { ...ours, allowed_acceptor_references: [reference] }, NO_ACCEPTOR],
    ['accept_bet_offer', { ...acceptance, accepting_user_id: id }],
    ['accept_bet_offer', { ...acceptance, accepting_user_reference: reference }],
    ['accept_bet_offer', { ...acceptance, accepting_user_id: own, requesting_user_id: id }],
    ['accept_bet_offer', { ...acceptance, accepting_user_id: own, requesting_user_reference: reference }],
    ['cancel_bet_offer', { ...cancel, requesting_user_id: id }],
    ['cancel_bet_offer', { ...cancel, requesting_user_reference: reference }],
  ] as const;
  return single.flatMap(([type, data, text = NO_USER]) => [
    post(betOperations[type].path, data, text),
    batched(type, data, text, ours),
  ]);
}

function betRequests(betId: number, ours: OwnOffer): CrossTenantRequest[] {
  const own = ours.requesting_user_id;
  const single = [
    ['override_bet_outcome', { bet_id: betId, override_outcome: 'win' }],
    ['accept_bet_offer', { bet_id: betId, maximum_odds: 9, accepting_amount: 1, accepting_user_id: own }],
    ['cancel_bet_offer', { requesting_user_id: own, bet_id: betId, cancel_all: true }],
  ] as const;
  return [
    get(`/bets/${betId}`, NO_BET),
    ...single.flatMap(([type, data]) => [
      post(betOperations[type].path, data, NO_BET),
      batched(type, data, NO_BET, ours),
    ]),
    post(`/admin/bets/${betId}/set-inactive`, {}, ADMINS_ONLY, 403),
  ];
}

function wagerRequests(reference: string, accountId: number, ours: OwnOffer): CrossTenantRequest[] {
  const own = ours.requesting_user_id;
  const decision = { reference, outcome: 'win' };
  const correction = { account_id: accountId, wager_reference: reference, outcome: 'win' };
  const acceptance = { wager_reference: reference, maximum_odds: 9, accepting_amount: 1, accepting_user_id: own };
  const cancel = { wager_references: [reference], cancel_all: true, requesting_user_id: own };
  return [
    get(`/wagers/${reference}`, NO_WAGER),
    get(`/wagers/${reference}?account_id=${accountId}`, NO_WAGER),
    post(betOperations.update_wager_outcome.path, decision, NO_WAGER),
    batched('update_wager_outcome', decision, NO_WAGER, ours),
    ...(['suspend_wager', 'resume_wager', 'close_wager'] as const).flatMap((type) => [
      post(betOperations[type].path.replace(':reference', reference), {}, NO_WAGER),
      batched(type, { wager_reference: reference }, NO_WAGER, ours),
    ]),
    post(betOperations.accept_bet_offer.path, acceptance, 'No matching bet offers found', 400),
    post(betOperations.cancel_bet_offer.path, cancel, 'No cancelable bets found', 400),
    post('/admin/wagers/force-update-outcome', correction, ADMINS_ONLY, 403),
  ];
}

/** Only an admin may name an account. */
function adminRequests(accountId: number): CrossTenantRequest[] {
  const expected = { status: 403, text: ADMINS_ONLY };
  const path = `/admin/accounts/${accountId}`;
  return [
    { request: { method: 'GET', path: '/admin/accounts' }, expected },
    { request: { method: 'GET', path }, expected },
    { request: { method: 'PATCH', path, body: { name: 'taken over' } }, expected },
  ];
}

/** A list is not refused: it leaves out rows of other accounts. */
const emptyList = (path: string): CrossTenantRequest => ({
  request: { method: 'GET', path },
  expected: { status: 200, total: 0 },
});

const listRequests = ({ id, reference }: Bettor, accountId: number): CrossTenantRequest[] =>
  [
    `/bets/history?account_ids=${accountId}`,
    `/bets/history?user_ids=${id}`,
    `/bets/history?user_references=${reference}`,
    `/bets/open-bets?account_ids=${accountId}`,
    `/bets/open-bets?requesting_user_ids=${id}`,
    `/bets/open-bets?requesting_user_references=${reference}`,
    `/transactions?user_ids=${id}`,
    `/transactions?user_references=${reference}`,
    `/wagers?account_ids=${accountId}`,
    `/account/user?search=${reference}`,
  ].map(emptyList);

const listsOfWager = (reference: string): CrossTenantRequest[] =>
  [
    `/bets/history?wager_references=${reference}`,
    `/bets/open-bets?wager_references=${reference}`,
    `/wagers?reference=${reference}`,
  ].map(emptyList);

function requestsTo(client: Client, other: KnownAccount): readonly CrossTenantRequest[] {
  const { chance, known } = client;
  const victim = other.anyBettor(chance);
  const ours = ownOffer(known, known.anyBettor(chance));
  const offer = other.offers.pick(chance);
  const movement = other.movements.pick(chance);
  return [
    ...userRequests(victim),
    ...bettorRequests(victim, ours),
    ...listRequests(victim, other.account.id),
    ...adminRequests(other.account.id),
    ...(offer === undefined
      ? []
      : [
          ...betRequests(offer.betId, ours),
          ...wagerRequests(offer.wager, other.account.id, ours),
          ...listsOfWager(offer.wager),
        ]),
    ...(movement === undefined
      ? []
      : [
          get(`/transactions/${movement.id}`, NO_TRANSACTION),
          get(`/transactions/${movement.reference}/reference`, NO_TRANSACTION),
        ]),
  ];
}

export async function requestOtherAccount(client: Client): Promise<void> {
  const { chance, otherAccounts } = client;
  const other = chance.pick(otherAccounts as [KnownAccount, ...KnownAccount[]]);
  const requests = requestsTo(client, other) as [CrossTenantRequest, ...CrossTenantRequest[]];
  const { request, expected } = chance.pick(requests);
  await client.request('cross-tenant', request, { expected, keyed: request.method !== 'GET' });
}
