import { randomUUID } from 'node:crypto';
import type { FixedRequest, LoadAccount, NumberedWagers, Workload } from './plan.js';

export interface LoadRequest {
  readonly label: string;
  /** The bytes to send, all ASCII. */
  readonly text: string;
  /** Reads an answer 2xx. */
  readonly learn?: (body: Buffer) => void;
}

/** What connection number `connection` sends next; undefined when nothing is left. */
export type NextRequest = (connection: number) => LoadRequest | undefined;

interface Turn {
  readonly account: LoadAccount;
  readonly userId: number;
  readonly wager: string;
}

interface OpenOffer {
  readonly account: LoadAccount;
  readonly userId: number;
  readonly betId: number;
}

const AMOUNT = 10;
const MAXIMUM_ODDS = 1_000;
const REMEMBERED_OFFERS = 1_000;

export const below = (bound: number): number => Math.floor(Math.random() * bound);
const someOdds = (): number => (150 + below(151)) / 100;

function encode({ label, method, path, authorization, body, key }: FixedRequest): LoadRequest {
  const keyed = key === undefined ? '' : `Idempotency-Key: ${key}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${keyed}`;
  if (body === undefined) return { label, text: `${head}\r\n` };
  const json = JSON.stringify(body);
  return { label, text: `${head}Content-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}` };
}

export function createWorkload(workload: Workload, connections: number): NextRequest {
  switch (workload.kind) {
    case 'cycle':
      return cycle(workload.requests);
    case 'batch':
      return () => batch(spread(workload.accounts), workload.size);
    case 'decide':
      return decide(workload.accounts, workload.wagers);
    case 'mixed':
      return mixed(workload.accounts);
    case 'make':
      if (workload.choice === 'own') return makeOfOwnUsers(workload.accounts, connections);
      return () => make(spread(workload.accounts));
    case 'make-keyed':
      return () => make(spread(workload.accounts), randomUUID());
    case 'accept':
      return () => accept(spread(workload.accounts));
  }
}

function cycle(requests: readonly FixedRequest[]): NextRequest {
  const encoded = requests.map(encode);
  const places = new Map<number, number>();
  return (connection) => {
    const place = places.get(connection) ?? 0;
    places.set(connection, (place + 1) % encoded.length);
    return encoded[place] as LoadRequest;
  };
}

function spread(accounts: readonly LoadAccount[]): Turn {
  const account = accounts[below(accounts.length)] as LoadAccount;
  return turnOf(account, account.firstUserId + below(account.users));
}

const turnOf = (account: LoadAccount, userId: number): Turn => ({
  account,
  userId,
  wager: `w${1 + below(account.wagers)}`,
});

/** No two connections share a user, so that no request waits for another one of its user. */
function makeOfOwnUsers([account]: readonly LoadAccount[], connections: number): NextRequest {
  if (account === undefined) throw new Error('There is no account.');
  const rounds = new Map<number, number>();
  return (connection) => {
    const round = rounds.get(connection) ?? 0;
    rounds.set(connection, round + 1);
    return make(turnOf(account, account.firstUserId + ((connection + round * connections) % account.users)));
  };
}

const offerOf = ({ userId, wager }: Turn) => ({
  wager_reference: wager,
  requesting_odds: someOdds(),
  requesting_amount: AMOUNT,
  requesting_user_id: userId,
});

function make(turn: Turn, key?: string): LoadRequest {
  const { authorization } = turn.account;
  const request = {
    label: 'make',
    method: 'POST',
    path: '/bets/make-offer',
    authorization,
    body: offerOf(turn),
  } as const;
  return encode(key === undefined ? request : { ...request, key });
}

function accept({ account, userId, wager }: Turn): LoadRequest {
  const { authorization } = account;
  const body = {
    wager_reference: wager,
    maximum_odds: MAXIMUM_ODDS,
    accepting_amount: AMOUNT,
    accepting_user_id: userId,
  };
  return encode({ label: 'accept', method: 'POST', path: '/bets/accept-offer', authorization, body });
}

function batch(turn: Turn, size: number): LoadRequest {
  const { account } = turn;
  const operations = Array.from({ length: size }, (_, index) => ({
    operation_type: 'make_bet_offer',
    operation_id: `o${index}`,
    data: offerOf(turnOf(account, account.firstUserId + below(account.users))),
  }));
  const { authorization } = account;
  return encode({ label: 'batch', method: 'POST', path: '/bets/batch', authorization, body: { operations } });
}

/** Each request decides the next wager, of the accounts in turn, so that simultaneous requests rarely share rows. */
function decide(accounts: readonly LoadAccount[], { name, from, count }: NumberedWagers): NextRequest {
  let turn = 0;
  return () => {
    const place = Math.floor(turn / accounts.length);
    if (place >= count) return undefined;
    const { authorization } = accounts[turn % accounts.length] as LoadAccount;
    turn += 1;
    const body = { reference: `${name}${from + place}`, outcome: 'win' };
    return encode({ label: 'decide', method: 'POST', path: '/bets/update-wager-outcome', authorization, body });
  };
}

/** 50% make, 30% accept, 10% cancel, 10% reads of three kinds. */
function mixed(accounts: readonly LoadAccount[]): NextRequest {
  const offers: OpenOffer[] = [];
  return () => {
    const turn = spread(accounts);
    const dice = below(100);
    if (dice < 50) return makeAndRemember(turn, offers);
    if (dice < 80) return accept(turn);
    const offer = dice < 90 ? offers.pop() : undefined;
    if (dice < 90) return offer === undefined ? makeAndRemember(turn, offers) : cancel(offer);
    return read(turn);
  };
}

function makeAndRemember(turn: Turn, offers: OpenOffer[]): LoadRequest {
  const { account, userId } = turn;
  return {
    ...make(turn),
    learn(body) {
      const betId = /"bet_id":(\d+)/.exec(body.toString('latin1'))?.[1];
      if (betId === undefined || offers.length >= REMEMBERED_OFFERS) return;
      offers.push({ account, userId, betId: Number(betId) });
    },
  };
}

function cancel({ account, userId, betId }: OpenOffer): LoadRequest {
  const { authorization } = account;
  const body = { requesting_user_id: userId, bet_id: betId, cancel_all: true };
  return encode({ label: 'cancel', method: 'POST', path: '/bets/cancel-offer', authorization, body });
}

function read({ account, userId, wager }: Turn): LoadRequest {
  const { authorization } = account;
  const paths = [
    `/account/user/${userId}`,
    `/bets/open-bets?wager_references=${wager}`,
    `/bets/history?user_ids=${userId}`,
  ];
  return encode({ label: 'read', method: 'GET', path: paths[below(paths.length)] as string, authorization });
}
