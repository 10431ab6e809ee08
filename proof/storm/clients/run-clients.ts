import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createSeededRandom } from '#tools/shared/seeded-random.js';
import type { History, Operation, StormAccount } from '../history.js';
import { emailOf, logIn, register } from './accounts.js';
import { Client, type ClientParts } from './client.js';
import { House } from './house.js';
import { adminTurn, businessTurn, largeWagerTurn, type Surroundings, type Turn } from './mixes.js';
import { createUser, pay } from './money.js';
import { type Progress, Sender } from './sender.js';

export interface ClientOptions {
  readonly apiUrls: readonly string[];
  /** Only to make an account an admin, before the storm. */
  readonly databaseUrl: string;
  readonly seed: number;
  readonly clients: number;
  /** Aborted: nothing new is begun, and what is begun is finished. */
  readonly finishing: AbortSignal;
  /** Kept up to date. */
  readonly progress: Progress;
  /** The accounts are set up. */
  readonly onReady: () => void;
}

export const DEFAULT_CLIENTS = 12;

/** Who plays what in which account, over and over until all clients have something to do. */
const cast: readonly [Part, ...Part[]] = [
  { house: 'plain-1', turn: businessTurn },
  { house: 'plain-2', turn: businessTurn },
  { house: 'bulk', turn: largeWagerTurn },
  { house: 'corrected', turn: businessTurn },
  { house: 'admin', turn: adminTurn },
  { house: 'plain-1', turn: businessTurn },
  { house: 'plain-2', turn: businessTurn },
  { house: 'corrected', turn: largeWagerTurn },
  { house: 'plain-1', turn: businessTurn },
  { house: 'bulk', turn: largeWagerTurn },
  { house: 'corrected', turn: businessTurn },
  { house: 'plain-2', turn: businessTurn },
];

const houses = [
  { name: 'plain-1', role: 'plain', rich: 4, poor: 4 },
  { name: 'plain-2', role: 'plain', rich: 3, poor: 5 },
  { name: 'bulk', role: 'bulk', rich: 10, poor: 0 },
  { name: 'corrected', role: 'corrected', rich: 6, poor: 0 },
  { name: 'admin', role: 'admin', rich: 0, poor: 0 },
] as const;

/** So many streams of chances away from the clients' own. */
const SENDERS_FROM = 500;

const RICH = 100_000;
const POOR = 20;
/** Between two turns, at most: so that more happens than one API can do, and less than the history can hold. */
const LONGEST_REST_MS = 30;

interface Part {
  readonly house: (typeof houses)[number]['name'];
  readonly turn: Turn;
}

/** Sets up the accounts, lets all clients ask until they are to finish, and returns what came of it. */
export async function runClients(options: ClientOptions): Promise<History> {
  const { seed, clients, finishing, progress, onReady } = options;
  const operations: Operation[] = [];
  const partsOf = (number: number): Parts => {
    // Each its own stream of chances: what happens to one client does not change what another one does.
    const chance = createSeededRandom(seed * 1_000 + number);
    // And one for its retries: how often something has to be tried again does not change what it wishes for next.
    const sender = new Sender({ ...options, chance: createSeededRandom(seed * 1_000 + SENDERS_FROM + number) });
    return { number, chance, sender, progress, operations };
  };
  const open = new Map<string, House>();
  for (const house of houses) open.set(house.name, await openHouse(house, partsOf(0), options.databaseUrl));
  onReady();
  const readyAt = performance.now();
  let finishingAt = readyAt;
  finishing.addEventListener('abort', () => {
    finishingAt = performance.now();
  });
  const surroundings = { corrected: open.get('corrected') as House, finishing };
  await Promise.all(
    Array.from({ length: clients }, (_, index) => {
      const { house: name, turn } = cast[index % cast.length] ?? cast[0];
      const house = open.get(name) as House;
      const strangers = [...open.values()].filter((other) => other !== house && other.bettors.length > 0);
      return play(new Client({ ...partsOf(index + 1), house, strangers }), turn, surroundings);
    }),
  );
  const accounts = [...open.values()].map(({ account }) => account);
  return { accounts, operations, seconds: (finishingAt - readyAt) / 1_000 };
}

async function play(client: Client, turn: Turn, surroundings: Surroundings): Promise<void> {
  while (!surroundings.finishing.aborted) {
    await turn(client, surroundings);
    await delay(client.chance.below(LONGEST_REST_MS));
  }
}

type Parts = Omit<ClientParts, 'house' | 'strangers'>;

async function openHouse(plan: (typeof houses)[number], parts: Parts, databaseUrl: string): Promise<House> {
  const { name, role, rich, poor } = plan;
  const unknown: StormAccount = { role, name, email: emailOf(name), id: 0 };
  const outside = new Client({ ...parts, house: new House(unknown, ''), strangers: [] });
  await register(outside, unknown);
  const account = { ...unknown, id: await identify(unknown, databaseUrl) };
  const house = new House(account, (await logIn(outside, account)) ?? '');
  const client = new Client({ ...parts, house, strangers: [] });
  for (let made = 0; made < rich + poor; made += 1) {
    const isRich = made < rich;
    const bettor = await createUser(client, isRich);
    if (bettor !== undefined) await pay(client, 'fund', isRich ? RICH : POOR, bettor);
  }
  return house;
}

/** The account's id; and an admin's role comes from the database, as the command line gives it. */
async function identify({ email, role }: StormAccount, databaseUrl: string): Promise<number> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ id: number }>(
      'UPDATE accounts SET role = $2 WHERE email = $1 RETURNING id::int',
      [email, role === 'admin' ? 'admin' : 'business'],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`${email} could not be registered`);
    return row.id;
  } finally {
    await database.end();
  }
}
