import type { Micros, OddsMicros } from '#core/money.js';
import type {
  AdminAction,
  DecidedOutcome,
  OfferEndReason,
  OfferStatus,
  Outcome,
  PendingCancel,
  TransactionSource,
  TransactionType,
  WagerStatus,
} from '#core/records.js';
import { loggedGroup } from '#events/log-events.js';
import { writtenAnswer } from '#idempotency/stored-answers.js';
import type { NewEntry } from '#jobs/outbox.js';
import {
  bigint,
  boolean,
  type Column,
  jsonColumn,
  list,
  momentColumn,
  momentInMicros,
  number,
  orNull,
  type RowOf,
  RowType,
  textColumn,
} from '#platform/database/statements.js';

// The rows that the functions of prisma/functions take and return. `npm run check` writes prisma/types.sql from them.

const accountId = bigint();
const odds = bigint<OddsMicros>();
const micros = bigint<Micros>();
const outcome = textColumn<Outcome>();
/** As the core has it. */
const moment = momentInMicros();
/** Of few enough things that a number holds it. */
const count = number('bigint');

/** A row of a table with the columns `account_id` and `id`. */
export const rowKey = new RowType('row_key', { accountId, id: bigint() });

// What a group of tasks wants to have loaded.

export const wantedWager = new RowType('wanted_wager', {
  accountId,
  id: orNull(bigint()),
  reference: orNull(textColumn()),
  mayCreate: boolean(),
});

/** A user by id or reference, and perhaps the wager of a position: by id, by reference or by one of its bets. */
export const wantedUser = new RowType('wanted_user', {
  accountId,
  id: orNull(bigint()),
  reference: orNull(textColumn()),
  wagerId: orNull(bigint()),
  wagerReference: orNull(textColumn()),
  betId: orNull(bigint()),
});

/** The first open offers of a wager: those of one user by age, or all in matching order for every acceptor. */
export const wantedOffers = new RowType('wanted_offers', {
  accountId,
  wagerReference: textColumn(),
  isOwn: boolean(),
  userId: orNull(bigint()),
  userReference: orNull(textColumn()),
  minimumOdds: orNull(odds),
  maximumOdds: orNull(odds),
  bound: number(),
  /** What the acceptances want to take together. Null: no matter how much the offers make up. */
  amount: orNull(micros),
});

export const wantedPending = new RowType('wanted_pending', {
  accountId,
  wagerId: orNull(bigint()),
  wagerReference: orNull(textColumn()),
  outcome: orNull(outcome),
  voidFrom: orNull(moment),
  bound: number(),
});

const wantedPosition = new RowType('wanted_position', { accountId, userId: bigint(), wagerId: orNull(bigint()) });

/** A name to be claimed: of a new wager, or of a request. */
export const wantedName = new RowType('wanted_name', { accountId, name: textColumn() });

// What was loaded, and what is written.

/** A row of any kind: the types below say what `fields` has. `number`: which of the wanted or given rows it belongs to, from 1. */
const resultRow = new RowType('result_row', { kind: textColumn(), number: orNull(number()), fields: textColumn() });

export const loadedAccount = new RowType('loaded_account', {
  accountId,
  allowNegativeBalance: boolean(),
  decimals: orNull(number('smallint')),
  /** As a moment is, without the quotes of a time. */
  now: bigint(),
  /** Of a sandbox; below zero when it is being deleted. */
  betsLeft: orNull(count),
});

const forcedBy: Column<AdminAction | null> = {
  sql: 'jsonb',
  read: (stored) => {
    const { admin_id: adminId, admin_email: adminEmail, description, is_own: isOwn } = JSON.parse(stored);
    return { adminId: BigInt(adminId), adminEmail, description, ...(isOwn === true && { isOwn }) };
  },
  write: (action) =>
    action &&
    JSON.stringify({
      admin_id: Number(action.adminId),
      admin_email: action.adminEmail,
      description: action.description,
      ...(action.isOwn === true && { is_own: true }),
    }),
};

/** The offers that a cancel takes, as the log and the wager store them. They count as canceled. All numbers are below 2^53. */
export interface CancelingOffers {
  /** Null: of every user. */
  readonly user_id: number | null;
  readonly minimum_odds: number | null;
  readonly maximum_odds: number | null;
  readonly queue_place: number;
  readonly bet_id: number;
  /** Left out: all offers of these odds. */
  readonly only_on_suspend?: true;
  readonly reason?: OfferEndReason;
}

/** An item of `wagers.pending_cancels`: offers that were made, or open again, after its position are not canceled. */
export interface StoredPendingCancel extends CancelingOffers {
  readonly position: number;
}

export const storedPendingCancel = ({
  position,
  userId,
  minimumOdds,
  maximumOdds,
  onlyOnSuspend,
  reason,
  upTo,
}: PendingCancel): StoredPendingCancel => ({
  position: Number(position),
  user_id: userId === null ? null : Number(userId),
  minimum_odds: minimumOdds === null ? null : Number(minimumOdds),
  maximum_odds: maximumOdds === null ? null : Number(maximumOdds),
  queue_place: Number(upTo.queuePlace),
  bet_id: Number(upTo.id),
  ...(onlyOnSuspend && { only_on_suspend: true }),
  ...(reason !== null && { reason }),
});

const oddsOf = (stored: number | null) => (stored === null ? null : (BigInt(stored) as OddsMicros));

const pendingCancelOf = (stored: StoredPendingCancel): PendingCancel => ({
  position: BigInt(stored.position),
  userId: stored.user_id === null ? null : BigInt(stored.user_id),
  minimumOdds: oddsOf(stored.minimum_odds),
  maximumOdds: oddsOf(stored.maximum_odds),
  onlyOnSuspend: stored.only_on_suspend ?? false,
  reason: stored.reason ?? null,
  upTo: { queuePlace: BigInt(stored.queue_place), id: BigInt(stored.bet_id) },
});

/** Null: none, so that an index finds the few wagers that have some. */
const pendingCancelsJson = (cancels: readonly PendingCancel[]): string | null =>
  cancels.length === 0 ? null : JSON.stringify(cancels.map(storedPendingCancel));

const pendingCancels: Column<readonly PendingCancel[]> = {
  sql: 'jsonb',
  read: (stored) => JSON.parse(stored).map(pendingCancelOf),
  write: pendingCancelsJson,
  absent: [],
};

export const wagerRow = new RowType('wager_row', {
  accountId,
  id: bigint(),
  reference: textColumn(),
  outcome,
  forcedBy,
  status: textColumn<WagerStatus>(),
  statusReason: orNull(textColumn()),
  closesAt: orNull(moment),
  event: orNull(textColumn()),
  startsAt: orNull(moment),
  revision: number(),
  hasSuspendable: boolean(),
  hasExpiring: boolean(),
  settlingSince: orNull(moment),
  pendingCancels,
  settledUpTo: bigint(),
  voidFrom: orNull(moment),
  createdAt: moment,
  updatedAt: moment,
});

export const storedWager = new RowType('stored_wager', {
  accountId,
  id: bigint(),
  reference: textColumn(),
  betId: orNull(bigint()),
});

/** The name of a wager that is not stored and now claimed, with an id for it. */
export const freeName = new RowType('free_name', { accountId, wagerId: bigint(), reference: textColumn() });

/** With the answer stored before, if there is one. */
export const claimedKey = new RowType('claimed_key', {
  accountId,
  key: textColumn(),
  requestHash: orNull(textColumn()),
  status: orNull(number('smallint')),
  body: orNull(textColumn()),
  errorCode: orNull(textColumn()),
  errorOperation: orNull(textColumn()),
});

/** What a movement of money is to be called, claimed by this transaction. */
export const claimedReference = new RowType('claimed_reference', {
  accountId,
  name: textColumn(),
  isTaken: boolean(),
});

const betState = {
  offerStatus: textColumn<OfferStatus>(),
  acceptingUserId: orNull(bigint()),
  effectiveOdds: orNull(odds),
  effectiveAmount: orNull(micros),
  overrideOutcome: orNull(outcome),
  settledOutcome: orNull(textColumn<DecidedOutcome>()),
  isActive: boolean(),
  sparedUpTo: orNull(bigint()),
  acceptedAt: orNull(moment),
  timedOut: boolean(),
};

const bet = {
  accountId,
  id: bigint(),
  wagerId: bigint(),
  requestingUserId: bigint(),
  requestingOdds: odds,
  requestingAmount: micros,
  queuePlace: bigint(),
  allowedAcceptorIds: list('bigint[]', BigInt),
  expiresAt: orNull(moment),
  cancelOnSuspend: boolean(),
  ...betState,
};

export const betRow = new RowType('bet_row', bet);

const loadedBet = new RowType('loaded_bet', { kind: textColumn(), number: number(), bet: textColumn('bet_row') });

export const writtenBet = new RowType('written_bet', { ...bet, meta: orNull(jsonColumn()) });

export const changedBet = new RowType('changed_bet', { accountId, id: bigint(), ...betState });

export const loadedUser = new RowType('loaded_user', {
  accountId,
  id: bigint(),
  reference: textColumn(),
  balance: micros,
  exposure: micros,
  isDisputed: boolean(),
  allowNegativeBalance: orNull(boolean()),
});

export const movedUser = new RowType('moved_user', { accountId, id: bigint(), balance: micros, exposure: micros });

export const userNameRow = new RowType('user_name', { accountId, id: bigint(), reference: textColumn() });

export const positionRow = new RowType('position_row', {
  accountId,
  userId: bigint(),
  wagerId: bigint(),
  win: micros,
  loss: micros,
  offered: micros,
});

/** A position that is not stored. */
export const loneOffer = new RowType('lone_offer', { accountId, userId: bigint(), wagerId: bigint(), offered: micros });

/** `firstTransaction`, `lastTransaction`: the numbers of its transactions among all of the call. */
export const writtenTrail = new RowType('written_trail', {
  accountId,
  betId: bigint(),
  wagerId: bigint(),
  offerStatus: textColumn<OfferStatus>(),
  description: textColumn(),
  outcome,
  overrideOutcome: orNull(outcome),
  requestingOdds: odds,
  requestingAmount: micros,
  effectiveOdds: orNull(odds),
  effectiveAmount: orNull(micros),
  firstTransaction: orNull(number()),
  lastTransaction: orNull(number()),
});

/** `number`: the number among all transactions of the call, from 1. `trailNumber`: that of its trail entry among `p_trails`. */
export const writtenTransaction = new RowType('written_transaction', {
  accountId,
  number: number(),
  userId: bigint(),
  amount: micros,
  description: textColumn(),
  transactionType: textColumn<TransactionType>(),
  transactionSource: textColumn<TransactionSource>(),
  trailNumber: orNull(number()),
  balanceAfter: micros,
  ownReference: orNull(textColumn()),
  meta: orNull(jsonColumn()),
});

/**
 * A bet that its wager's outcome settles: it gets one trail entry, and its parties a pair of transactions. `number` is that of
 * the requester's transaction; the acceptor's is the next.
 */
export const settledBet = new RowType('settled_bet', {
  accountId,
  number: number(),
  id: bigint(),
  outcome: textColumn<DecidedOutcome>(),
  movement: bigint(),
  description: textColumn(),
  requesterBalance: micros,
  acceptorBalance: micros,
});

/** By how much the totals of an account change. */
export const movedTotal = new RowType('moved_total', {
  accountId,
  bets: count,
  openBets: count,
  openAmount: bigint('numeric'),
  transactions: count,
});

/** The matches of a group on one wager, which the group has locked. */
export const countedMatch = new RowType('counted_match', {
  accountId,
  wagerId: bigint(),
  bets: count,
  amount: bigint('numeric'),
  /** The one that got an acceptor last. */
  lastBetId: bigint(),
});

export type MatchedWager = Omit<RowOf<typeof countedMatch>, 'accountId'>;

/** By how much the totals of an account's lists, and those of its wagers, change. */
export interface TotalsDifference extends Omit<RowOf<typeof movedTotal>, 'accountId'> {
  readonly matches: readonly MatchedWager[];
}

export const writtenEntry = new RowType('written_entry', {
  accountId,
  topic: textColumn<NewEntry['topic']>(),
  payload: jsonColumn<NewEntry['payload']>(),
});

export const storedEntry = new RowType('stored_entry', { id: bigint(), createdAt: momentColumn() });

export const storedMovement = new RowType('stored_movement', { id: bigint(), createdAt: momentColumn() });

export const drawnIds = new RowType('drawn_ids', { ids: list('bigint[]', BigInt) });

export const rowTypes: readonly { readonly definition: string }[] = [
  ...[rowKey, wantedWager, wantedUser, wantedOffers, wantedPending, wantedPosition, wantedName, resultRow],
  ...[loadedAccount, wagerRow, storedWager, freeName, claimedKey, claimedReference],
  ...[betRow, loadedBet, writtenBet, changedBet, loadedUser, movedUser, userNameRow, positionRow, loneOffer],
  ...[writtenTrail, writtenTransaction, settledBet, movedTotal],
  ...[countedMatch, writtenEntry, storedEntry, storedMovement, drawnIds, writtenAnswer, loggedGroup],
];
