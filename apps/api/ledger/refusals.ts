import type { UserField } from '#core/find-user.js';
import { formatMicros, LEDGER_BOUND_MICROS } from '#core/money.js';
import { type Rejection, reject } from '#core/rejection.js';

// What the core may refuse of each operation, for the API's documentation.

const bound = formatMicros(LEDGER_BOUND_MICROS);
const beyondLedger = reject('ledger-bound', bound);

const namedUser = (field: UserField): readonly Rejection[] => [reject('user-not-found'), reject('users-differ', field)];
const neededUser = (field: UserField): readonly Rejection[] => [
  reject('not-defined', `${field}_id`, `${field}_reference`),
  ...namedUser(field),
];

export const fundRefusals = [...neededUser('user'), beyondLedger];
export const withdrawRefusals = [...neededUser('user'), reject('withdrawal-unfunded'), beyondLedger];

export const makeOfferRefusals = [
  ...neededUser('requesting_user'),
  reject('wager-decided'),
  reject('allowed-acceptor-not-found'),
  reject('offer-unfunded'),
  reject('winnings-too-large', bound),
  beyondLedger,
];

export const acceptOfferRefusals = [
  ...neededUser('accepting_user'),
  ...namedUser('requesting_user'),
  reject('not-defined', 'wager_reference', 'bet_id'),
  reject('no-matching-offers'),
  reject('wager-decided'),
  reject('bet-not-found'),
  reject('bet-not-requesting'),
  reject('bet-inactive'),
  reject('own-offer'),
  reject('other-requester'),
  reject('acceptor-not-allowed'),
  reject('odds-above-maximum', '2.5', '2'),
  reject('acceptance-unfunded'),
  beyondLedger,
];

export const cancelOfferRefusals = [
  ...neededUser('requesting_user'),
  reject('not-defined', 'wager_references', 'bet_id'),
  reject('not-defined', 'cancel_amount', 'cancel_all'),
  reject('bet-not-found'),
  reject('no-cancelable-bets'),
];

export const decideWagerRefusals = [reject('wager-not-found'), reject('wager-decided')];

export const overrideOutcomeRefusals = [reject('bet-not-found'), reject('bet-not-accepted'), reject('bet-inactive')];

export const batchRefusals = [
  reject('operation-ids-repeated'),
  ...makeOfferRefusals,
  ...acceptOfferRefusals,
  ...cancelOfferRefusals,
  ...decideWagerRefusals,
  ...overrideOutcomeRefusals,
];

export const forceOutcomeRefusals = [reject('wager-not-found')];
export const forceOverrideRefusals = [reject('bet-not-found'), reject('bet-canceled')];
export const setActiveRefusals = (isActive: boolean) => [
  reject(isActive ? 'bet-already-active' : 'bet-already-inactive'),
];
