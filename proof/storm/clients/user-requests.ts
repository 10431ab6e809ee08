import { type Schemas, successOf } from '../history.js';
import type { Client } from './client.js';
import type { Bettor } from './known-account.js';

// Users, their payments, and reads of both.

const PAYMENTS = [0.01, 1, 2.5, 5, 7.25, 10, 12.000001] as const;
const FAR_TOO_MUCH = 900_000_000;
/** Below the API's limit of ten fields. */
const META_FIELDS = 8;
const mustSucceed = { expected: 'success' } as const;

const userOf = ({ chance }: Client, { id, reference }: Bettor): object =>
  chance.happens(0.5) ? { user_id: id } : { user_reference: reference };

const pathOf = ({ chance }: Client, { id, reference }: Bettor): string =>
  chance.happens(0.5) ? `/account/user/${id}` : `/account/user/${reference}/reference`;

const REFERENCE_TAKEN = { status: 409, text: 'A transaction with this reference already exists' } as const;

interface Named {
  readonly reference?: string | undefined;
  readonly isTaken?: boolean;
}

export async function pay(
  client: Client,
  kind: 'fund' | 'withdraw',
  amount: number,
  bettor: Bettor,
  { reference, isTaken = false }: Named = {},
): Promise<void> {
  const path = kind === 'fund' ? '/transactions/fund-user' : '/transactions/withdraw';
  const answer = kind === 'fund' ? 'success' : 'success or refusal';
  const body = { ...userOf(client, bettor), amount, ...(reference !== undefined && { reference }) };
  const operation = await client.post(kind, path, body, { expected: isTaken ? REFERENCE_TAKEN : answer });
  const moved = successOf<{ readonly data: Schemas['Movement'] }>(operation);
  if (moved !== undefined) client.known.movements.add(moved.data);
}

/** Often none, and now and then that of another movement. */
function ownName(client: Client): Named {
  const { chance, known } = client;
  const taken = chance.happens(0.2) ? known.movements.pick(chance)?.own_reference : undefined;
  if (taken !== undefined) return { reference: taken, isTaken: true };
  return chance.happens(0.3) ? { reference: `payment ${client.newName()}` } : {};
}

export const fund = (client: Client) =>
  pay(client, 'fund', client.chance.pick(PAYMENTS), client.known.anyBettor(client.chance), ownName(client));

/** Often more than the user has. */
export function withdraw(client: Client): Promise<void> {
  const { chance, known } = client;
  const amount = chance.happens(0.1) ? FAR_TOO_MUCH : chance.pick(PAYMENTS);
  return pay(client, 'withdraw', amount, known.anyBettor(chance), ownName(client));
}

export async function createUser(client: Client): Promise<Bettor | undefined> {
  const reference = `${client.known.account.name}-${client.newName()}`;
  const body = { name: reference, reference } satisfies Schemas['CreateUser'];
  const operation = await client.post('create-user', '/account/user', body, mustSucceed);
  const created = successOf<{ readonly data: Schemas['CreatedUser'] }>(operation);
  if (created === undefined) return undefined;
  const bettor = { id: created.data.id, reference };
  client.known.addBettor(bettor);
  return bettor;
}

/** Each value is unique, and each change writes one field. */
export async function changeUser(client: Client): Promise<void> {
  const value = client.newName();
  const meta = { [`field_${client.chance.below(META_FIELDS)}`]: value };
  const body = client.chance.happens(0.5) ? { name: value } : { meta };
  const path = pathOf(client, client.known.anyBettor(client.chance));
  await client.patch('change-user', path, body, mustSucceed);
}

export async function readUser(client: Client): Promise<void> {
  await client.get('read-user', pathOf(client, client.known.anyBettor(client.chance)), mustSucceed);
}

/** All balances at one moment. */
export async function readUsers(client: Client): Promise<void> {
  await client.get('read-users', '/account/user?per_page=100&sort_by=id&sort_order=asc', mustSucceed);
}

export async function readSomething(client: Client): Promise<void> {
  const { chance, known } = client;
  const bettor = known.anyBettor(chance);
  const offer = known.offers.pick(chance);
  const movement = known.movements.pick(chance);
  const paths = [
    `/account/user/${bettor.id}/positions`,
    `/bets/history?user_ids=${bettor.id}&include_bet_trails_transactions=true&per_page=5`,
    `/transactions?user_references=${bettor.reference}&per_page=5`,
    '/wagers?sort_direction=desc&per_page=5',
    '/auth/account/me',
    ...(offer === undefined ? [] : [`/bets/${offer.betId}`, `/bets/open-bets?wager_references=${offer.wager}`]),
    ...(offer === undefined ? [] : [`/wagers/${offer.wager}`]),
    ...(movement === undefined ? [] : [`/transactions/${movement.reference}/reference`]),
  ] as const;
  await client.get('read', chance.pick(paths as unknown as [string, ...string[]]), mustSucceed);
}
