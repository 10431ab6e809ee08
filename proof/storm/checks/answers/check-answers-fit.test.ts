import { describe, expect, it } from '@jest/globals';
import { micros, oddsMicros } from '#tools/shared/amounts.js';
import type { AccountRole, Expected, Kind, Operation, Request } from '../../history.js';
import type { BetTerms } from '../bet-terms.js';
import { AcknowledgedEffects, UserNames } from '../effects.js';
import type { Queryable } from '../finding.js';
import { checkAnswersFit, mismatchesOf } from './check-answers-fit.js';
import { type KnownFacts, wagerKey } from './known-facts.js';
import { mismatchesOfRead } from './read-mismatches.js';
import { mismatchesOfRefusal } from './refusal-mismatches.js';

const ANN = 1;
const BOB = 2;

interface Exchange {
  readonly path?: string;
  readonly body?: object;
  readonly status?: number;
  readonly answer?: unknown;
  readonly role?: AccountRole;
  readonly expected?: Expected;
  readonly calledAt?: number;
}

function exchange(kind: Kind, { path = '/somewhere', body, status = 201, answer, ...more }: Exchange): Operation {
  const { role = 'plain', expected = 'success or refusal', calledAt = 10 } = more;
  const request: Request = { method: 'POST', path, ...(body !== undefined && { body }) };
  return {
    client: 1,
    account: { role, name: 'plain-1', email: 'plain-1@storm.example', id: 7 },
    kind,
    request,
    key: 'key',
    expected,
    calledAt,
    answeredAt: calledAt + 1,
    tries: [status],
    answers: [{ status, body: answer }],
  };
}

const created = (id: number, reference: string): Operation =>
  exchange('create-user', { body: { reference }, answer: { data: { id, reference } } });

/** Ann's offers: 1 and 2 on `w`, 3 the rest of a canceled offer of 5 there, 4 on another wager; Bob's: 5 on `w`. */
const offer = (
  id: number,
  wager: string,
  requesterId: number,
  odds: number,
  amount = 2,
  restOf?: number,
): BetTerms => ({
  id,
  accountId: 7,
  wager,
  requesterId,
  odds: oddsMicros(odds),
  offered: micros(amount),
  acceptorId: undefined,
  accepted: undefined,
  restOf,
});
const known: KnownFacts = {
  names: new UserNames({ operations: [created(ANN, 'plain-1-ann'), created(BOB, 'plain-1-bob')] }),
  bets: new Map(
    [
      offer(1, 'w', ANN, 2),
      offer(2, 'w', ANN, 2.5),
      offer(3, 'w', ANN, 2, 2, 6),
      offer(4, 'other', ANN, 9),
      offer(5, 'w', BOB, 2),
      offer(6, 'w', ANN, 2, 5),
    ].map((bet) => [bet.id, bet]),
  ),
  wagersSince: new Map([[wagerKey(7, 'w'), 5]]),
};

type Case = readonly [name: string, change: object, mismatches: readonly string[]];

describe('a payment', () => {
  const body = { user_reference: 'plain-1-ann', amount: 5 };
  const moved = { account_id: 7, user_id: ANN, amount: 5, transaction_type: 'credit', transaction_source: 'funding' };

  it.each<Case>([
    ['as asked', {}, []],
    ['of another user', { user_id: BOB }, ['it was user 2, not 1']],
    ['of another amount', { amount: 700 }, ['the amount was 700']],
    ['in another account', { account_id: 8 }, ['it belongs to account 8']],
    [
      'the other way',
      { transaction_type: 'debit', transaction_source: 'withdrawal' },
      ['it was a debit', 'it was a withdrawal'],
    ],
  ])('%s', (_name, change, mismatches) => {
    const operation = exchange('fund', { body, answer: { data: { ...moved, ...change } } });
    expect(mismatchesOf(operation, known)).toEqual(mismatches);
  });
});

describe('a user', () => {
  const user = { id: ANN, account_id: 7, reference: 'plain-1-ann', name: 'Ann', meta: { field_1: 'x' } };
  const path = `/account/user/${ANN}`;

  it('that was created has the requested reference', () => {
    expect(mismatchesOf(created(ANN, 'plain-1-ann'), known)).toEqual([]);
    const other = exchange('create-user', { body: { reference: 'plain-1-cid' }, answer: { data: user } });
    expect(mismatchesOf(other, known)).toEqual(['created was plain-1-ann']);
  });

  it.each<Case>([
    ['as asked', {}, []],
    ['another one', { id: BOB }, ['it was user 2 (plain-1-ann)']],
    ['of another account', { account_id: 8 }, ['user 1 is one of account 8']],
    ['of another business', { reference: 'bulk-ann' }, ['bulk-ann is a user of another account']],
  ])('read: %s', (_name, change, mismatches) => {
    const answer = { data: { ...user, ...change } };
    expect(mismatchesOf(exchange('read-user', { path, status: 200, answer }), known)).toEqual(mismatches);
  });

  it('read by reference is the one that has it', () => {
    const read = (name: string) =>
      exchange('read-user', { path: `/account/user/${name}/reference`, status: 200, answer: { data: user } });
    expect(mismatchesOf(read('plain-1-ann'), known)).toEqual([]);
    expect(mismatchesOf(read('plain-1-bob'), known)).toEqual(['it was user 1 (plain-1-ann)']);
  });

  it('in a list is one of the account', () => {
    const items = [user, { ...user, id: 9, account_id: 8 }];
    const list = exchange('read-users', { status: 200, answer: { data: { items } } });
    expect(mismatchesOf(list, known)).toEqual(['user 9 is one of account 8']);
  });

  it.each<Case>([
    ['as asked', {}, []],
    ['another one', { id: BOB }, ['it was user 2 (plain-1-ann)']],
    ['otherwise', { meta: { field_1: 'y' } }, ['field_1 became y']],
  ])('changed: %s', (_name, change, mismatches) => {
    const answer = { data: { ...user, ...change } };
    expect(mismatchesOf(exchange('change-user', { path, body: { meta: { field_1: 'x' } }, answer }), known)).toEqual(
      mismatches,
    );
  });
});

describe('an acceptance', () => {
  const asked = { wager_reference: 'w', maximum_odds: 2, accepting_amount: 1, accepting_user_id: BOB };
  const match = {
    bet_id: 1,
    wager_reference: 'w',
    requesting_user_id: ANN,
    requesting_user_reference: 'plain-1-ann',
    accepted_amount: 1,
    accepted_odds: 2,
  };
  const accept = (body: object, ...matches: object[]) =>
    mismatchesOf(exchange('accept-offer', { body, answer: { data: matches } }), known);

  it.each<Case>([
    ['as asked', {}, []],
    ['of too much', { accepted_amount: 500 }, ['more was accepted: 500']],
    ['beyond the odds', { bet_id: 2, accepted_odds: 2.5 }, ['bet 2 has odds of 2.5']],
    [
      'of another wager',
      { bet_id: 4, wager_reference: 'other', accepted_odds: 2 },
      ['bet 4 is on other', 'bet 4 has odds of 9, and not of 2'],
    ],
    ['of an unknown bet', { bet_id: 99 }, ['there is no bet 99']],
    ['at other odds than offered', { accepted_odds: 1.5 }, ['bet 1 has odds of 2, and not of 1.5']],
    [
      "of the acceptor's own offer",
      { bet_id: 5, requesting_user_id: BOB, requesting_user_reference: 'plain-1-bob' },
      ["bet 5 is the acceptor's own offer"],
    ],
    ["of another user's bet", { bet_id: 5 }, ['bet 5 is of user 2, and not of 1']],
    ['of a user of another name', { requesting_user_reference: 'plain-1-bob' }, ['user 1 is not plain-1-bob']],
  ])('%s', (_name, change, mismatches) => {
    expect(accept(asked, { ...match, ...change })).toEqual(mismatches);
  });

  it('takes the bet, the offers of the user, and the lowest odds first', () => {
    expect(accept({ ...asked, bet_id: 2 }, match)).toEqual(['it was bet 1']);
    expect(accept({ ...asked, requesting_user_id: BOB }, match)).toEqual(['bet 1 is an offer of user 1']);
    const dear = { ...match, bet_id: 2, accepted_odds: 2.5 };
    const most = { ...asked, maximum_odds: 3, accepting_amount: 2 };
    expect(accept(most, match, dear)).toEqual([]);
    expect(accept(most, dear, match)).toEqual(['the lowest odds did not come first: 2.5, 2']);
    expect(accept(asked)).toEqual(['nothing was accepted']);
  });
});

describe('a cancel', () => {
  const all = { wager_references: ['w'], cancel_all: true, requesting_user_id: ANN };
  const some = { wager_references: ['w'], cancel_amount: 3, requesting_user_id: ANN };
  const whole = (betId: number, wager = 'w') => ({ bet_id: betId, wager_reference: wager });
  const rest = { ...whole(3), note: 'Remaining amount: 2' };

  it.each<[string, object, object[], string[]]>([
    ['as asked', all, [whole(1), whole(2)], []],
    ['of a part', some, [rest], []],
    ['of nothing', all, [], ['nothing was canceled']],
    ["of another user's bet", all, [whole(5)], ['bet 5 is of user 2, and not of 1']],
    ['on another wager', all, [whole(4, 'other')], ['bet 4 is on other']],
    ['below the odds', { ...all, minimum_odds: 3 }, [whole(1)], ['bet 1 has odds of 2']],
    ['above the odds', { ...all, maximum_odds: 2 }, [whole(2)], ['bet 2 has odds of 2.5']],
    ['of all but a rest', all, [rest], ['1 rests remained']],
    ['of too much', some, [whole(1), whole(2)], ['more was canceled: 4']],
    ['of too little', { ...some, cancel_amount: 4 }, [rest], ['less was canceled: 3']],
    ['of another bet', { ...all, bet_id: 2 }, [whole(1)], ['it was bet 1']],
  ])('%s', (_name, body, data, mismatches) => {
    expect(mismatchesOf(exchange('cancel-offer', { body, answer: { data } }), known)).toEqual(mismatches);
  });
});

describe('a batch', () => {
  const operations = [
    { operation_type: 'make_bet_offer', operation_id: 'a', data: { wager_reference: 'w' } },
    { operation_type: 'update_wager_outcome', operation_id: 'b', data: { reference: 'w', outcome: 'win' } },
  ];
  const made = { operation_type: 'make_bet_offer', operation_id: 'a', data: { bet_id: 1, wager_reference: 'w' } };
  const decided = { operation_type: 'update_wager_outcome', operation_id: 'b', message: 'Wager outcome updated' };

  it.each<[string, object[], string[]]>([
    ['as asked', [made, decided], []],
    [
      'in another order',
      [decided, made],
      ['the result of a is that of update_wager_outcome b', 'the result of b is that of make_bet_offer a'],
    ],
    ['not whole', [made], ['it has no result']],
    ['of more', [made, decided, decided], ['there are more results than operations']],
    [
      'with an offer elsewhere',
      [{ ...made, data: { wager_reference: 'other' } }, decided],
      ["operation 'a': the offer is on other"],
    ],
    ['that says something else', [made, { ...decided, message: 'no' }], [`operation 'b': was answered "no"`]],
  ])('%s', (_name, results, mismatches) => {
    expect(mismatchesOf(exchange('batch', { body: { operations }, answer: { results } }), known)).toEqual(mismatches);
  });
});

describe('a refusal', () => {
  const DECIDED = 'Wager has already been decided';
  const byBet = { bet_id: 1, accepting_user_id: BOB };
  const ownBet = { bet_id: 5, accepting_user_id: BOB };
  const inBatch = { operations: [{ operation_type: 'accept_bet_offer', operation_id: 'a', data: byBet }] };

  it.each<[Kind, number, string, Exchange, boolean]>([
    ['make-offer', 400, DECIDED, {}, true],
    ['make-offer', 404, DECIDED, {}, false],
    ['make-offer', 404, 'User not found', {}, false],
    ['make-offer', 400, 'no', {}, false],
    ['accept-offer', 400, 'No matching bet offers found', { body: { wager_reference: 'w' } }, true],
    ['accept-offer', 400, 'No matching bet offers found', { body: byBet }, false],
    ['accept-offer', 404, 'Bet not found', { body: byBet }, false],
    ['accept-offer', 400, 'a user cannot accept its own offer', { body: byBet }, false],
    ['accept-offer', 400, 'a user cannot accept its own offer', { body: ownBet }, true],
    ['accept-offer', 400, 'bet is not active', { body: byBet }, false],
    ['accept-offer', 400, 'bet is not active', { body: byBet, role: 'corrected' }, true],
    ['cancel-offer', 400, 'No cancelable bets found', {}, true],
    ['cancel-offer', 404, 'Bet not found', {}, false],
    ['decide', 404, 'Wager not found', { body: { reference: 'w' } }, false],
    ['decide', 404, 'Wager not found', { body: { reference: 'w' }, calledAt: 4 }, true],
    ['decide', 404, 'Wager not found', { body: { reference: 'new' } }, true],
    ['force-outcome', 404, 'Wager not found', { body: { account_id: 7, wager_reference: 'w' }, role: 'admin' }, false],
    ['override', 404, 'Bet not found', {}, false],
    ['set-active', 400, 'Bet is already inactive', {}, false],
    ['batch', 400, `operation 'a': ${DECIDED}`, { body: inBatch }, true],
    ['batch', 404, "operation 'a': Bet not found", { body: inBatch }, false],
    ['batch', 400, `operation 'b': ${DECIDED}`, { body: inBatch }, false],
    ['reset-password', 400, 'Current password is incorrect', {}, false],
  ])('of %s with %i %s', (kind, status, error, more, canBe) => {
    const mismatches = mismatchesOfRefusal(exchange(kind, { ...more, status, answer: { status, error } }), known);
    expect(mismatches).toEqual(canBe ? [] : [`was refused: ${status} ${error}`]);
  });
});

describe('a read', () => {
  const wager = { reference: 'plain-1-w', outcome: 'win', account_id: 7 };
  const bet = { id: 1, account_id: 7, wager_reference: 'plain-1-w', requesting_user_id: ANN, wager };
  const mismatches = (path: string, data: unknown, role: AccountRole = 'plain') =>
    mismatchesOfRead(exchange('read', { path, role }), { data });

  it('shows only rows that its path asks for', () => {
    expect(mismatches('/bets/history?user_ids=1', [bet])).toEqual([]);
    expect(mismatches('/bets/history?user_ids=2', [bet])).toEqual([expect.stringMatching(/^not asked for: {"id":1/)]);
    expect(mismatches('/bets/2', bet)).toHaveLength(1);
    expect(mismatches('/wagers/plain-1-v', wager)).toHaveLength(1);
    expect(mismatches('/bets/history?account_ids=7&wager_references=plain-1-w', [bet], 'admin')).toEqual([]);
    expect(mismatches('/bets/history?account_ids=8', [bet], 'admin')).toHaveLength(1);
  });

  it.each([
    ['a row', { ...bet, account_id: 8 }],
    ['a part of one', { ...bet, bet_trails: [{ transactions: [{ account_id: 8 }] }] }],
    ['a wager', { ...bet, wager: { ...wager, reference: 'bulk-w' } }],
    ['a user', { ...bet, accepting_user_reference: 'bulk-ann' }],
    ['an account', { email: 'bulk@storm.example' }],
  ])('shows nothing of another account: %s', (_name, row) => {
    expect(mismatches('/bets/open-bets', [row])).toEqual([expect.stringMatching(/^of another account: /)]);
  });

  it('is reported later', () => {
    const operation = exchange('read', { status: 200, answer: { mismatches: ['so'] } });
    expect(mismatchesOf(operation, known)).toEqual(['so']);
  });
});

describe('the checks of a whole history', () => {
  /** Bet 1 is Bob's. */
  const row = {
    ...{ id: 1, account: 7, wager: 'w', requester: BOB, odds: '2000000', offered: '2000000' },
    ...{ acceptor: null, accepted: null, origin: null },
  };
  const database = { query: () => Promise.resolve({ rows: [row] }) } as unknown as Queryable;

  it('name the request and the difference', async () => {
    const body = { wager_references: ['w'], cancel_all: true, requesting_user_id: ANN };
    const canceled = { data: [{ bet_id: 1, wager_reference: 'w' }] };
    const operations = [
      exchange('cancel-offer', { body, answer: canceled }),
      exchange('cancel-offer', { body, status: 404, answer: { error: 'User not found' } }),
    ];
    const history = {
      accounts: [],
      logs: [],
      webhooks: [],
      hostility: { sent: 0, unread: 0, asked: 0, findings: [] },
      operations,
      seconds: 1,
    };
    const effects = new AcknowledgedEffects(history);
    expect(await checkAnswersFit({ history, effects, database })).toEqual([
      {
        check: 'answers match their requests',
        text: expect.stringMatching(/^plain-1, client 1: cancel-offer .*: bet 1 is of user 2, and not of 1$/),
      },
      {
        check: 'refusals have a possible reason',
        text: expect.stringMatching(/: was refused: 404 User not found$/),
      },
    ]);
  });
});
