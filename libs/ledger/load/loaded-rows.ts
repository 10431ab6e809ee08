import type { AdminAction } from '#core/admin-action.js';
import { type Micros, type OddsMicros, ZERO } from '#core/money.js';
import type { DecidedOutcome, OfferStatus, Outcome } from '#core/outcome.js';
import type { Bet, Position, User, Wager } from '#core/records.js';
import type { StoredAnswer } from '#idempotency/stored-answers.js';
import type { TextRow } from '#platform/database/statements.js';
import { pendingCancelOf, type StoredPendingCancel } from '../pending-cancels.js';

export type OfAccount<Row> = Row & { readonly accountId: bigint };

export interface WagerName {
  readonly accountId: bigint;
  readonly reference: string;
}

export interface LoadedBet {
  readonly accountId: bigint;
  readonly bet: Bet;
  readonly kind: 'bet' | 'offer' | 'pending';
  /** Index of the wanted offers, or of the wanted pending bets, that it belongs to. */
  readonly place: number;
}

/** What the function `load_group` returns. */
export interface LoadedGroup {
  readonly accounts: OfAccount<{ allowNegativeBalance: boolean }>[];
  /** Locked. */
  readonly wagers: OfAccount<{ wager: Wager }>[];
  /** Locked or not; those by id and by bet, and the others when one of them is not locked. */
  readonly storedWagers: OfAccount<{ id: bigint; reference: string; betId: bigint | null }>[];
  /** Names of wagers that are not stored and now claimed, each with an id for it. */
  readonly freeNames: (WagerName & { readonly wagerId: bigint })[];
  /** With the answer stored before, if there is one. */
  readonly claimedKeys: OfAccount<{ key: string; answer: StoredAnswer | undefined }>[];
  readonly bets: LoadedBet[];
  /** Locked, with their money. */
  readonly users: OfAccount<{ user: User }>[];
  /** Locked or not: all wanted users, when one of them is not locked. */
  readonly knownUsers: OfAccount<Pick<User, 'id' | 'reference'>>[];
  /** Only looked up. */
  readonly namedUsers: OfAccount<Pick<User, 'id' | 'reference'>>[];
  /** The stored ones; a position that is not stored is empty. */
  readonly positions: OfAccount<{ position: Position }>[];
  readonly betIds: bigint[];
}

/** `wagers.forced_by` as JSON. */
export interface StoredAdminAction {
  readonly admin_id: number;
  readonly admin_email: string;
  readonly description: string | null;
}

export const storedAdminAction = ({ adminId, adminEmail, description }: AdminAction): StoredAdminAction => ({
  admin_id: Number(adminId),
  admin_email: adminEmail,
  description,
});

/** The columns of the type `loaded_row`, by their places. */
class LoadedRow {
  constructor(private readonly columns: TextRow) {}

  get kind(): string | null {
    return this.text(0);
  }
  get accountId(): bigint {
    return this.number(1);
  }
  get id(): bigint {
    return this.number(2);
  }
  get wagerId(): bigint {
    return this.number(3);
  }
  get userId(): bigint {
    return this.number(4);
  }
  get otherUserId(): bigint | null {
    return this.numberOrNull(5);
  }
  get place(): bigint | null {
    return this.numberOrNull(6);
  }
  get flag(): boolean | null {
    const flag = this.text(11);
    return flag === null ? null : flag === 't';
  }
  /** The figures a to d, from 0. */
  figure(index: number): bigint {
    return this.number(7 + index);
  }
  figureOrNull(index: number): bigint | null {
    return this.numberOrNull(7 + index);
  }
  /** The texts, from 1. */
  textAt(index: number): string | null {
    return this.text(11 + index);
  }
  get name(): string {
    return this.text(12) ?? '';
  }

  private text(index: number): string | null {
    return this.columns[index] ?? null;
  }
  private number(index: number): bigint {
    return BigInt(this.columns[index] as string);
  }
  private numberOrNull(index: number): bigint | null {
    const text = this.columns[index];
    return text == null ? null : BigInt(text);
  }
}

const adminActionOf = (stored: StoredAdminAction | null): AdminAction | null =>
  stored && { adminId: BigInt(stored.admin_id), adminEmail: stored.admin_email, description: stored.description };

const jsonOf = <Value>(text: string | null): Value | null => (text === null ? null : (JSON.parse(text) as Value));

const wagerOf = (row: LoadedRow): Wager => ({
  id: row.id,
  reference: row.name,
  outcome: row.textAt(2) as Outcome,
  forcedBy: adminActionOf(jsonOf<StoredAdminAction>(row.textAt(3))),
  isSettling: row.flag === true,
  pendingCancels: (jsonOf<readonly StoredPendingCancel[]>(row.textAt(4)) ?? []).map(pendingCancelOf),
});

const NO_ONE: readonly bigint[] = [];

function betOf(row: LoadedRow): Bet {
  const [queuePlace = '', ...allowed] = (row.textAt(4) ?? '').split(' ');
  return {
    id: row.id,
    wagerId: row.wagerId,
    requestingUserId: row.userId,
    acceptingUserId: row.otherUserId,
    requestingOdds: row.figure(0) as OddsMicros,
    requestingAmount: row.figure(1) as Micros,
    effectiveOdds: row.figureOrNull(2) as OddsMicros | null,
    effectiveAmount: row.figureOrNull(3) as Micros | null,
    isActive: row.flag === true,
    sparedUpTo: null,
    offerStatus: row.textAt(1) as OfferStatus,
    overrideOutcome: row.textAt(2) as Outcome | null,
    settledOutcome: row.textAt(3) as DecidedOutcome | null,
    queuePlace: BigInt(queuePlace),
    allowedAcceptorIds: allowed.length === 0 ? NO_ONE : allowed.map(BigInt),
    paid: ZERO,
  };
}

const userOf = (row: LoadedRow): User => ({
  id: row.id,
  reference: row.name,
  allowNegativeBalance: row.flag,
  balance: row.figure(0) as Micros,
  exposure: row.figure(1) as Micros,
  isDisputed: row.figureOrNull(2) !== null,
});

const positionOf = (row: LoadedRow): Position => ({
  userId: row.userId,
  wagerId: row.wagerId,
  win: row.figure(0) as Micros,
  loss: row.figure(1) as Micros,
  offered: row.figure(2) as Micros,
});

function answerOf(row: LoadedRow): StoredAnswer | undefined {
  const { accountId, name: key, place: status } = row;
  if (status === null) return undefined;
  return { accountId, key, status: Number(status), requestHash: row.textAt(2) ?? '', body: row.textAt(3) ?? '' };
}

const adders: Record<string, (loaded: LoadedGroup, row: LoadedRow) => void> = {
  account: (loaded, { accountId, flag }) => loaded.accounts.push({ accountId, allowNegativeBalance: flag === true }),
  wager: (loaded, row) => loaded.wagers.push({ accountId: row.accountId, wager: wagerOf(row) }),
  'stored wager': (loaded, { accountId, id, name: reference, place: betId }) =>
    loaded.storedWagers.push({ accountId, id, reference, betId }),
  'free name': (loaded, { accountId, id: wagerId, name: reference }) =>
    loaded.freeNames.push({ accountId, wagerId, reference }),
  'claimed key': (loaded, row) =>
    loaded.claimedKeys.push({ accountId: row.accountId, key: row.name, answer: answerOf(row) }),
  bet: (loaded, row) => addBet(loaded, row, 'bet'),
  offer: (loaded, row) => addBet(loaded, row, 'offer'),
  pending: (loaded, row) => addBet(loaded, row, 'pending'),
  user: (loaded, row) => loaded.users.push({ accountId: row.accountId, user: userOf(row) }),
  'known user': (loaded, { accountId, id, name: reference }) => loaded.knownUsers.push({ accountId, id, reference }),
  'named user': (loaded, { accountId, id, name: reference }) => loaded.namedUsers.push({ accountId, id, reference }),
  position: (loaded, row) => loaded.positions.push({ accountId: row.accountId, position: positionOf(row) }),
  'bet ids': (loaded, { name }) => loaded.betIds.push(...name.split(' ').map(BigInt)),
};

function addBet({ bets }: LoadedGroup, row: LoadedRow, kind: LoadedBet['kind']): void {
  bets.push({ accountId: row.accountId, bet: betOf(row), kind, place: Number(row.place ?? 1n) - 1 });
}

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
  for (const columns of rows) {
    const row = new LoadedRow(columns);
    const add = adders[row.kind ?? ''];
    if (add === undefined) throw new Error(`load_group returned a row of kind ${row.kind}`);
    add(loaded, row);
  }
  return loaded;
}
