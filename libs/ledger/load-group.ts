import type { Book } from '#core/book.js';
import { type Micros, ZERO } from '#core/money.js';
import type { Needs, UserIdentifier } from '#core/needs.js';
import type { Bet, Position, User, Wager } from '#core/records.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import { Prisma, type Tx } from '#platform/database/database.js';
import { type OfAccount, type RowOf, SqlFunction, scalars, type TextRow } from '#platform/database/statements.js';
import type { AccountNeeds, FirstOffers, GroupRequest } from './group-request.js';
import {
  betRow,
  claimedKey,
  claimedReference,
  drawnIds,
  freeName,
  loadedAccount,
  loadedUser,
  loneOffer,
  positionRow,
  rowKey,
  storedWager,
  userNameRow,
  wagerRow,
  wantedName,
  wantedOffers,
  wantedPending,
  wantedUser,
  wantedWager,
} from './row-types.js';

/** `skip`: what another transaction holds is passed over and its tasks are set aside. `wait`: the call waits for it. */
export type LockMode = 'skip' | 'wait';

const offersRow = ({ accountId, wagerReference, requestingUser, odds, limit, amount }: FirstOffers) => ({
  accountId,
  wagerReference,
  isOwn: requestingUser !== null,
  userId: requestingUser?.id ?? null,
  userReference: requestingUser?.reference ?? null,
  minimumOdds: odds.minimumOdds,
  maximumOdds: odds.maximumOdds,
  bound: limit,
  amount,
});

const load = new SqlFunction('load_group', [
  'waits',
  'accounts',
  'wagers',
  'bets',
  'offers',
  'pending',
  'users',
  'namedUsers',
  'keys',
  'newBets',
]);

/** What the function `load_group` is called with. */
export type GroupCall = Parameters<typeof load.call>[1];

export const callOf = (request: GroupRequest, lockMode: LockMode): GroupCall => ({
  waits: lockMode === 'wait',
  accounts: scalars(request.accountIds),
  wagers: wantedWager.literal(request.wagers),
  bets: rowKey.literal(request.bets),
  offers: wantedOffers.literal(request.offers.map(offersRow)),
  pending: wantedPending.literal(request.pending),
  users: wantedUser.literal(request.users),
  namedUsers: wantedUser.literal(request.namedUsers),
  keys: wantedName.literal(request.keys.map(({ accountId, key }) => ({ accountId, name: key }))),
  newBets: request.newBets,
});

/** Locks and reads everything that the request of the call names. */
export const loadGroup = async (tx: Tx, call: GroupCall): Promise<LoadedGroup> =>
  loadedGroupOf(await load.call(tx, call));

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
  /** Of the wanted pending bets with that index, all accepted bets before this one were examined, and it was not. */
  readonly unexamined: { readonly betId: bigint; readonly index: number }[];
  /** Locked, with their money. */
  readonly users: OfAccount<User>[];
  /** Locked or not: all wanted users, when one of them is not locked. */
  readonly knownUsers: RowOf<typeof userNameRow>[];
  /** Only looked up. */
  readonly namedUsers: RowOf<typeof userNameRow>[];
  readonly positions: OfAccount<Position>[];
  /** Positions that are not stored; one that is neither stored nor here is empty. */
  readonly loneOffers: RowOf<typeof loneOffer>[];
  readonly betIds: bigint[];
}

/** Of bets `b`. */
export const betText = Prisma.raw(betRow.textOf('b'));

/** What its transactions have moved is read later. */
const betOf = (row: Omit<Bet, 'paid'>): Bet => Object.assign(row, { paid: ZERO });

/** Of a `betText`. */
export const betOfText = (text: string): Bet => betOf(betRow.readOf(text).item);

function claimedKeyOf({ accountId, key, requestHash, status, body, ...error }: RowOf<typeof claimedKey>) {
  if (requestHash === null || status === null || body === null) return { accountId, key };
  return { accountId, key, answer: { accountId, key, requestHash, status, body, ...error } };
}

function addBet(loaded: LoadedGroup, fields: string, kind: LoadedBet['kind'], number: number): void {
  const { accountId, item } = betRow.readOf(fields);
  loaded.bets.push({ accountId, bet: betOf(item), kind, index: number - 1 });
}

type Adder = (loaded: LoadedGroup, fields: string, number: number) => void;

const adders: Readonly<Record<string, Adder>> = {
  account: (loaded, fields) => loaded.accounts.push(loadedAccount.read(fields)),
  wager: (loaded, fields) => loaded.wagers.push(wagerRow.readOf(fields)),
  'stored wager': (loaded, fields) => loaded.storedWagers.push(storedWager.read(fields)),
  'free name': (loaded, fields) => loaded.freeNames.push(freeName.read(fields)),
  'claimed key': (loaded, fields) => loaded.claimedKeys.push(claimedKeyOf(claimedKey.read(fields))),
  bet: (loaded, fields) => addBet(loaded, fields, 'bet', 1),
  offer: (loaded, fields, number) => addBet(loaded, fields, 'offer', number),
  pending: (loaded, fields, number) => addBet(loaded, fields, 'pending', number),
  unexamined: (loaded, fields, number) =>
    loaded.unexamined.push({ betId: betRow.readOf(fields).item.id, index: number - 1 }),
  user: (loaded, fields) => loaded.users.push(loadedUser.readOf(fields)),
  'known user': (loaded, fields) => loaded.knownUsers.push(userNameRow.read(fields)),
  'named user': (loaded, fields) => loaded.namedUsers.push(userNameRow.read(fields)),
  position: (loaded, fields) => loaded.positions.push(positionRow.readOf(fields)),
  'lone offer': (loaded, fields) => loaded.loneOffers.push(loneOffer.read(fields)),
  'bet ids': (loaded, fields) => loaded.betIds.push(...drawnIds.read(fields).ids),
};

/** Of rows of the type `result_row`. */
function loadedGroupOf(rows: readonly TextRow[]): LoadedGroup {
  const loaded: LoadedGroup = {
    accounts: [],
    wagers: [],
    storedWagers: [],
    freeNames: [],
    claimedKeys: [],
    bets: [],
    unexamined: [],
    users: [],
    knownUsers: [],
    namedUsers: [],
    positions: [],
    loneOffers: [],
    betIds: [],
  };
  let latest: string | null | undefined;
  let add: Adder | undefined;
  for (const [kind, number, fields] of rows) {
    // Mostly rows of one kind follow each other, and V8 is slow to find a property by a text that was just read.
    if (kind !== latest) {
      latest = kind;
      add = adders[kind ?? ''];
    }
    if (add === undefined) throw new Error(`load_group returned a row of kind ${kind}`);
    add(loaded, fields as string, Number(number));
  }
  return loaded;
}

const claim = new SqlFunction('claim_own_references', ['waits', 'names']);

/**
 * Claims what new movements of money are to be called, and returns what it got. Only a group that names some asks: those of bets
 * have no statement for it.
 */
export async function claimOwnReferences(
  tx: Tx,
  needs: readonly AccountNeeds[],
  lockMode: LockMode,
): Promise<readonly RowOf<typeof claimedReference>[]> {
  const names = needs.flatMap(({ accountId, ownReferences }) => ownReferences.map((name) => ({ accountId, name })));
  if (names.length === 0) return [];
  const rows = await claim.call(tx, { waits: lockMode === 'wait', names: wantedName.literal(names) });
  return rows.map(([, , fields]) => claimedReference.read(fields as string));
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

export interface HeldWager {
  readonly accountId: bigint;
  /** Null: another transaction is creating it. */
  readonly id: bigint | null;
  readonly reference: string;
  readonly betId: bigint | null;
}

/** Rows and names that other transactions hold, and which tasks must therefore be set aside. */
export class HeldRows {
  readonly #wagerIds = new Set<bigint>();
  readonly #wagerNames = new Set<string>();
  readonly #bets = new Set<string>();
  readonly #users = new Set<string>();
  readonly #ownReferences = new Set<string>();
  #isEmpty = true;

  addWager({ accountId, id, reference, betId }: HeldWager): void {
    this.#isEmpty = false;
    this.#wagerNames.add(`${accountId} ${reference}`);
    if (id !== null) this.#wagerIds.add(id);
    if (betId !== null) this.#bets.add(`${accountId} ${betId}`);
  }

  /** With a held user every wager is held of which a loaded bet is the user's: a task on it may move the user. */
  addUser({ accountId, id }: { readonly accountId: bigint; readonly id: bigint }, loaded: readonly LoadedBet[]): void {
    this.#isEmpty = false;
    this.#users.add(`${accountId} ${id}`);
    for (const { bet } of loaded) {
      if (bet.requestingUserId === id || bet.acceptingUserId === id) this.#wagerIds.add(bet.wagerId);
    }
  }

  /** Another transaction is giving it to a movement. */
  addOwnReference(accountId: bigint, ownReference: string): void {
    this.#isEmpty = false;
    this.#ownReferences.add(`${accountId} ${ownReference}`);
  }

  /** Whether the account's needs touch a held row. */
  areNeeded(accountId: bigint, { users, wagers, betIds, ownReferences }: Needs, book: Book): boolean {
    if (this.#isEmpty) return false;
    const isHeldUser = (user: UserIdentifier) => {
      const id = user.id ?? book.userIdOf(user);
      return typeof id === 'bigint' && this.#users.has(`${accountId} ${id}`);
    };
    const isHeldWager = (id: bigint | undefined) => id !== undefined && this.#wagerIds.has(id);
    return (
      ownReferences.some((reference) => this.#ownReferences.has(`${accountId} ${reference}`)) ||
      users.some(isHeldUser) ||
      betIds.some((id) => this.#bets.has(`${accountId} ${id}`) || isHeldWager(book.bets.get(id)?.wagerId)) ||
      wagers.some((wager) =>
        'id' in wager
          ? isHeldWager(wager.id)
          : this.#wagerNames.has(`${accountId} ${wager.reference}`) ||
            isHeldWager(book.wagerNamed(wager.reference)?.id),
      )
    );
  }
}
