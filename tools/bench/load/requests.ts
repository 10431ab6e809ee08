import { randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';
import type { LoadAccount, Workload } from './plan.js';

const AMOUNT = 10;
const MAXIMUM_ODDS = 1_000;
const REMEMBERED_OFFERS = 1_000;
const BATCH = 20;

interface Turn {
  readonly account: LoadAccount;
  readonly userId: number;
  readonly wager: string;
}

interface OpenOffer {
  readonly turn: Turn;
  readonly betId: number;
}

/** What autocannon keeps of a request until its answer. */
interface Context {
  maker?: Turn;
}

const below = (bound: number): number => Math.floor(Math.random() * bound);

/** The requests of a workload, without end. */
export function requestsOf(workload: Workload): Request {
  switch (workload.kind) {
    case 'get':
      return { method: 'GET', path: workload.path, headers: headersOf(workload) };
    case 'mixed':
      return mixed(workload.accounts);
    default: {
      const next = { make, 'make-keyed': makeKeyed, accept, batch }[workload.kind];
      return { setupRequest: () => next(someTurn(workload.accounts)) };
    }
  }
}

const someTurn = (accounts: readonly LoadAccount[]): Turn => turnOf(accounts[below(accounts.length)] as LoadAccount);

function turnOf(account: LoadAccount): Turn {
  return { account, userId: account.firstUserId + below(account.users), wager: `w${1 + below(account.wagers)}` };
}

const headersOf = ({ authorization }: Pick<LoadAccount, 'authorization'>) => ({ host: '127.0.0.1', authorization });

const post = (account: LoadAccount, path: string, body: unknown): Request => ({
  method: 'POST',
  path,
  headers: { ...headersOf(account), 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const offerOf = ({ userId, wager }: Turn) => ({
  wager_reference: wager,
  requesting_odds: (150 + below(151)) / 100,
  requesting_amount: AMOUNT,
  requesting_user_id: userId,
});

const make = (turn: Turn): Request => post(turn.account, '/bets/make-offer', offerOf(turn));

function makeKeyed(turn: Turn): Request {
  const request = make(turn);
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } };
}

const accept = ({ account, userId, wager }: Turn): Request =>
  post(account, '/bets/accept-offer', {
    wager_reference: wager,
    maximum_odds: MAXIMUM_ODDS,
    accepting_amount: AMOUNT,
    accepting_user_id: userId,
  });

function batch({ account }: Turn): Request {
  const operations = Array.from({ length: BATCH }, (_, index) => ({
    operation_type: 'make_bet_offer',
    operation_id: `o${index}`,
    data: offerOf(turnOf(account)),
  }));
  return post(account, '/bets/batch', { operations });
}

const cancel = ({ turn: { account, userId }, betId }: OpenOffer): Request =>
  post(account, '/bets/cancel-offer', { requesting_user_id: userId, bet_id: betId, cancel_all: true });

function read({ account, userId, wager }: Turn): Request {
  const paths = [
    `/account/user/${userId}`,
    `/bets/open-bets?wager_references=${wager}`,
    `/bets/history?user_ids=${userId}`,
  ];
  return { method: 'GET', path: paths[below(paths.length)], headers: headersOf(account) };
}

/** 50% make, 30% accept, 10% cancel, 10% reads of three kinds. */
function mixed(accounts: readonly LoadAccount[]): Request {
  const offers: OpenOffer[] = [];
  return {
    setupRequest(_defaults, context: Context) {
      const turn = someTurn(accounts);
      const dice = below(100);
      if (dice < 10) return read(turn);
      if (dice < 40) return accept(turn);
      const offer = dice < 50 ? offers.pop() : undefined;
      if (offer !== undefined) return cancel(offer);
      context.maker = turn;
      return make(turn);
    },
    onResponse(_status, body, { maker: turn }: Context) {
      const betId = /"bet_id":(\d+)/.exec(body)?.[1];
      if (turn === undefined || betId === undefined || offers.length >= REMEMBERED_OFFERS) return;
      offers.push({ turn, betId: Number(betId) });
    },
  };
}
