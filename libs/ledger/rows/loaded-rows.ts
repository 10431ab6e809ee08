import { type Micros, ZERO } from '#core/money.js';
import type { Bet, Position, User, Wager } from '#core/records.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { type OfAccount, type RowOf, SqlFunction } from '#platform/database/row-type.js';
import type { TextRow } from '#platform/database/statements.js';
import {
  betRow,
  claimedKey,
  drawnIds,
  freeName,
  loadedAccount,
  loadedUser,
  positionRow,
  rowKey,
  storedWager,
  userName,
  wagerRow,
} from './row-types.js';

export interface LoadedBet {
  readonly accountId: bigint;
  readonly bet: Bet;
  readonly kind: 'bet' | 'offer' | 'pending';
  /** Of the wanted offers, or of the wanted pending bets, that it belongs to. */
  readonly index: number;
}

/** What the function `load_group` returns. */
export interface LoadedGroup {
  readonly accounts: RowOf<typeof loadedAccount>[];
  /** Locked. */
  readonly wagers: OfAccount<Wager>[];
  /** Locked or not; those by id and by bet, and the others when one of them is not locked. */
  readonly storedWagers: RowOf<typeof storedWager>[];
  readonly freeNames: RowOf<typeof freeName>[];
  readonly claimedKeys: { readonly accountId: bigint; readonly key: string; readonly answer?: StoredAnswer }[];
  readonly bets: LoadedBet[];
  /** Locked, with their money. */
  readonly users: OfAccount<User>[];
  /** Locked or not: all wanted users, when one of them is not locked. */
  readonly knownUsers: RowOf<typeof userName>[];
  /** Only looked up. */
  readonly namedUsers: RowOf<typeof userName>[];
  /** The stored ones; a position that is not stored is empty. */
  readonly positions: OfAccount<Position>[];
  readonly betIds: bigint[];
}

/** The columns of a bet, from a table with the alias `b`. */
export const betColumns = Prisma.raw(betRow.columnsOf('b'));

/** A bet whose `paid`, what its transactions have moved, the caller fills in later if it needs it. */
export const betOf = (row: Omit<Bet, 'paid'>): Bet => Object.assign(row, { paid: ZERO });

/** Of a row of `betColumns` as PostgreSQL wrote it. */
export const betOfText = (fields: TextRow): Bet => betOf(betRow.readRest(fields));

function claimedKeyOf({ accountId, key, requestHash, status, body }: RowOf<typeof claimedKey>) {
  if (requestHash === null || status === null || body === null) return { accountId, key };
  return { accountId, key, answer: { accountId, key, requestHash, status, body } };
}

function addBet(loaded: LoadedGroup, fields: string, kind: LoadedBet['kind'], number: number): void {
  const { accountId, item } = betRow.readOf(fields);
  loaded.bets.push({ accountId, bet: betOf(item), kind, index: number - 1 });
}

const adders: Readonly<Record<string, (loaded: LoadedGroup, fields: string, number: number) => void>> = {
  account: (loaded, fields) => loaded.accounts.push(loadedAccount.read(fields)),
  wager: (loaded, fields) => loaded.wagers.push(wagerRow.readOf(fields)),
  'stored wager': (loaded, fields) => loaded.storedWagers.push(storedWager.read(fields)),
  'free name': (loaded, fields) => loaded.freeNames.push(freeName.read(fields)),
  'claimed key': (loaded, fields) => loaded.claimedKeys.push(claimedKeyOf(claimedKey.read(fields))),
  bet: (loaded, fields) => addBet(loaded, fields, 'bet', 1),
  offer: (loaded, fields, number) => addBet(loaded, fields, 'offer', number),
  pending: (loaded, fields, number) => addBet(loaded, fields, 'pending', number),
  user: (loaded, fields) => loaded.users.push(loadedUser.readOf(fields)),
  'known user': (loaded, fields) => loaded.knownUsers.push(userName.read(fields)),
  'named user': (loaded, fields) => loaded.namedUsers.push(userName.read(fields)),
  position: (loaded, fields) => loaded.positions.push(positionRow.readOf(fields)),
  'bet ids': (loaded, fields) => loaded.betIds.push(...drawnIds.read(fields).ids),
};

/** Of rows of the type `result_row`. */
export function loadedGroupOf(rows: readonly TextRow[]): LoadedGroup {
  const loaded: LoadedGroup = {
    accounts: [],
    wagers: [],
    storedWagers: [],
    freeNames: [],
    claimedKeys: [],
    bets: [],
    users: [],
    knownUsers: [],
    namedUsers: [],
    positions: [],
    betIds: [],
  };
  for (const [kind, number, fields] of rows) {
    const add = adders[kind ?? ''];
    if (add === undefined) throw new Error(`load_group returned a row of kind ${kind}`);
    add(loaded, fields as string, Number(number));
  }
  return loaded;
}

/** Ids drawn from a sequence; `next` returns them in ascending order. */
export class DrawnIds {
  #ids: bigint[] = [];

  add(ids: readonly bigint[]): void {
    this.#ids = [...this.#ids, ...ids].sort((one, other) => (one < other ? -1 : 1));
  }

  readonly next = (): bigint => {
    const id = this.#ids.shift();
    if (id === undefined) throw new Error('more ids are used than were drawn');
    return id;
  };
}

const paidAmounts = new SqlFunction('paid_amounts', ['bets']);

/** Notes in settled bets what their transactions have moved. Only corrections load settled bets, so no other group asks. */
export async function notePaidAmounts(tx: Tx, bets: readonly Pick<LoadedBet, 'accountId' | 'bet'>[]): Promise<void> {
  const settled = bets.filter(({ bet }) => bet.settledOutcome !== null);
  if (settled.length === 0) return;
  const keys = settled.map(({ accountId, bet: { id } }) => ({ accountId, id }));
  const rows = await paidAmounts.call(tx, { bets: rowKey.literal(keys) });
  const amounts = new Map(rows.map(([accountId, id, paid]) => [`${accountId} ${id}`, paid]));
  for (const { accountId, bet } of settled) {
    const paid = amounts.get(`${accountId} ${bet.id}`);
    bet.paid = paid == null ? null : (BigInt(paid) as Micros);
  }
}
