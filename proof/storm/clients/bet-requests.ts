import type { ExpectedAnswer, Schemas } from '../history.js';
import type { Client } from './client.js';
import type { Bettor } from './known-account.js';
import { carryOut, inBatch, type Plan, sendBatch } from './plan.js';
import { endOfOffer, planResume, planSuspend } from './wager-plans.js';

// Requests of a business on bets: single operations and batches.

export const ODDS = [1.5, 1.8, 2, 2, 2.25, 2.5, 3.333333] as const;
const AMOUNTS = [0.5, 1, 1, 2, 2.5, 3, 5] as const;
const DECIDED = ['win', 'loss', 'push', 'half-win', 'half-loss', 'void'] as const;
export const OUTCOMES = [...DECIDED, 'undecided'] as const;
const ANY_ODDS = 10;
/** More than any bettor has. */
const FAR_TOO_MUCH = 900_000_000;
const NO_SUCH_BET = 999_999_999;

const named = ({ chance }: Client, role: 'requesting' | 'accepting', { id, reference }: Bettor): object =>
  chance.happens(0.5) ? { [`${role}_user_id`]: id } : { [`${role}_user_reference`]: reference };

export function planOffer(client: Client, wager = client.known.openWager(client.chance)): Plan {
  const { chance, known } = client;
  const requester = known.anyBettor(chance);
  const data = {
    wager_reference: wager,
    requesting_odds: chance.pick(ODDS),
    requesting_amount: chance.pick(AMOUNTS),
    ...named(client, 'requesting', requester),
    ...endOfOffer(client),
    ...(chance.happens(0.1) && { allowed_acceptor_references: [known.anyBettor(chance).reference] }),
  } satisfies Schemas['MakeOffer'];
  return {
    type: 'make_bet_offer',
    data,
    learn: (made) => known.learnOffer(made as Schemas['MadeOffer'], requester),
  };
}

export function planAcceptance(client: Client, wager?: string): Plan {
  const { chance, known } = client;
  const offer = wager === undefined && chance.happens(0.4) ? known.offers.pick(chance) : undefined;
  const acceptor = known.anyBettor(chance);
  const data = {
    ...(offer === undefined
      ? { wager_reference: wager ?? known.openWager(chance), maximum_odds: chance.pick([2, 2.5, ANY_ODDS]) }
      : { bet_id: offer.betId, maximum_odds: ANY_ODDS }),
    accepting_amount: chance.pick(AMOUNTS) * (wager === undefined ? 1 : 4),
    ...named(client, 'accepting', acceptor),
  } satisfies Schemas['AcceptOffer'];
  return {
    type: 'accept_bet_offer',
    data,
    learn: (matches) => known.learnMatches(matches as Schemas['AcceptedOffer'][]),
  };
}

function planCancel(client: Client): Plan {
  const { chance, known } = client;
  const offer = known.offers.pick(chance);
  const wager = offer?.wager ?? known.openWager(chance);
  const isWhole = chance.happens(0.5);
  const data = {
    wager_references: [wager],
    ...(offer !== undefined && chance.happens(0.5) && { bet_id: offer.betId }),
    ...(isWhole ? { cancel_all: true } : { cancel_amount: chance.pick(AMOUNTS) / 4 }),
    ...(chance.happens(0.2) && { minimum_odds: 2 }),
    ...named(client, 'requesting', offer?.requester ?? known.anyBettor(chance)),
  } satisfies Schemas['CancelOffer'];
  return { type: 'cancel_bet_offer', data };
}

function planDecision({ chance, known }: Client): Plan | undefined {
  const reference = known.nextToDecide() ?? (chance.happens(0.1) ? known.wagers.pick(chance) : undefined);
  if (reference === undefined) return undefined;
  return planDecisionOf(reference, chance.pick(chance.happens(0.1) ? OUTCOMES : DECIDED));
}

export const planDecisionOf = (reference: string, outcome: Schemas['Outcome']): Plan => ({
  type: 'update_wager_outcome',
  data: { reference, outcome } satisfies Schemas['DecideWager'],
});

function planOverride({ chance, known }: Client): Plan | undefined {
  const bet = known.bets.pick(chance);
  if (bet === undefined) return undefined;
  const data = { bet_id: bet.betId, override_outcome: chance.pick(OUTCOMES) } satisfies Schemas['OverrideOutcome'];
  return { type: 'override_bet_outcome', data };
}

export const makeOffer = (client: Client) => carryOut(client, planOffer(client));
export const acceptOffer = (client: Client) => carryOut(client, planAcceptance(client));
export const cancelOffer = (client: Client) => carryOut(client, planCancel(client));
export const decide = (client: Client) => carryOut(client, planDecision(client));
export const override = (client: Client) => carryOut(client, planOverride(client));

/** Operations of every kind: its success depends on the requests of other clients. */
export function mixedBatch(client: Client): Promise<void> {
  const { chance, known } = client;
  const plans = [planOffer(client)];
  for (let more = chance.below(3); more >= 0; more -= 1) {
    plans.push(chance.pick([planOffer, planOffer, planAcceptance, planCancel])(client));
  }
  if (chance.happens(0.3)) plans.push(planDecision(client) ?? planOffer(client));
  if (chance.happens(0.2)) plans.push(planOverride(client) ?? planOffer(client));
  const wager = chance.happens(0.15) ? known.anyWager(chance) : undefined;
  if (wager !== undefined) plans.push(chance.pick([planSuspend, planResume, planResume])(client, wager));
  return sendBatch(client, chance.shuffle(plans));
}

type FailingBatch = readonly [body: object, expected: ExpectedAnswer];

/** One of its operations must fail, so the whole batch must. */
export async function failingBatch(client: Client): Promise<void> {
  const { chance, known } = client;
  const offer = planOffer(client);
  const unknown: Plan = { type: 'override_bet_outcome', data: { bet_id: NO_SUCH_BET, override_outcome: 'win' } };
  const unfunded: Plan = { ...offer, data: { ...offer.data, requesting_amount: FAR_TOO_MUCH } };
  const sameIds = inBatch([offer, offer]).operations.map((each) => ({ ...each, operation_id: 'op' }));
  // In the corrected account the admin sometimes allows negative balances.
  const ofMoney: FailingBatch[] =
    known.account.role === 'corrected' ? [] : [[inBatch([offer, unfunded]), { status: 400 }]];
  const [body, expected] = chance.pick<FailingBatch>([
    [inBatch([unknown, offer]), { status: 404, text: "operation 'op-1': Bet not found" }],
    [{ operations: sameIds }, { status: 400, text: 'Operation IDs must be unique within a batch' }],
    ...ofMoney,
  ]);
  await client.post('batch', '/bets/batch', body, { expected });
}
