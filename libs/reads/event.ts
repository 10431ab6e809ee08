import type { Micros, OddsMicros } from '#core/money.js';
import type { EventKind, OfferStatus, Outcome, TransactionSource, TransactionType } from '#core/records.js';
import type { EventActor } from '#events/event-cause.js';
import type { EventMark, EventPosition } from '#events/event-position.js';
import type { EventExtra } from '#events/log-events.js';
import type { Meta, TextMeta } from './meta-filter.js';

/** An event as the log has it: what it is about, and nothing of it. */
export interface LoggedMark extends EventMark {
  readonly type: EventKind;
  /** The events of the operation that it belongs to. */
  readonly firstSeq: bigint;
  readonly lastSeq: bigint;
  readonly actor: EventActor;
  readonly requestId: string | null;
  readonly extra: EventExtra;
}

/** The bet as the step left it. */
export interface EventBet {
  readonly id: bigint;
  readonly trailId: bigint;
  readonly wagerId: bigint;
  readonly wagerReference: string;
  readonly offerStatus: OfferStatus;
  readonly outcome: Outcome;
  readonly overrideOutcome: Outcome | null;
  readonly requestingUserId: bigint;
  readonly requestingOdds: OddsMicros;
  readonly requestingAmount: Micros;
  readonly acceptingUserId: bigint | null;
  readonly effectiveOdds: OddsMicros | null;
  readonly effectiveAmount: Micros | null;
  readonly allowedAcceptorIds: readonly bigint[];
  /** Of their ids as text. */
  readonly allowedAcceptorBytes: number;
  readonly queuePlace: bigint;
  readonly createdAt: Date;
  /** Whether it counts now. At the step it may have been otherwise: then a later event says so. */
  readonly isActive: boolean;
  readonly cancelOnSuspend: boolean;
  readonly meta: Meta | null;
  /** Of it as text. */
  readonly metaCharacters: number;
}

export interface EventTransaction {
  readonly id: bigint;
  readonly betTrailId: bigint | null;
  readonly userId: bigint;
  readonly reference: string;
  readonly amount: Micros;
  readonly description: string;
  readonly transactionType: TransactionType;
  readonly transactionSource: TransactionSource;
  readonly balanceAfter: Micros;
  readonly ownReference: string | null;
  readonly meta: TextMeta | null;
  /** Of both as text. */
  readonly labelCharacters: number;
}

export interface EventWager {
  readonly id: bigint;
  readonly reference: string;
}

/** An event, with what it is about. */
export interface LogEvent extends LoggedMark {
  readonly bet: EventBet | undefined;
  readonly wager: EventWager | undefined;
  readonly transactions: readonly EventTransaction[];
}

/** Both included. */
export interface SeqRange {
  readonly from: bigint;
  readonly until: bigint;
}

export interface EventFilter {
  /** Undefined: all. */
  readonly types: ReadonlySet<EventKind> | undefined;
  readonly wagerReference: string | undefined;
  readonly userId: bigint | undefined;
  readonly betId: bigint | undefined;
}

/** What a page may ask for beside its filter. */
interface EventTimes {
  /** Not before this moment. */
  readonly createdFrom?: Date | undefined;
  /** Not after this millisecond. */
  readonly createdUntil?: Date | undefined;
  /** Instead of `userId`. */
  readonly userReference?: string | undefined;
}

export interface EventPageRequest extends EventFilter, EventTimes {
  readonly accountId: bigint;
  /** Undefined: from the first event on. */
  readonly after: EventPosition | undefined;
  readonly limit: number;
}

/** The newest first. */
export interface EventPageBackRequest extends EventFilter, EventTimes {
  readonly accountId: bigint;
  /** Undefined: from the last event on. */
  readonly before: EventPosition | undefined;
  readonly limit: number;
}

export interface EventPage {
  readonly events: readonly LogEvent[];
  /** The last event that was looked at: the filters may have left it out. Undefined: there was none to look at. */
  readonly next: EventMark | undefined;
  readonly head: EventMark;
}

export interface ListedEventPage extends EventPage {
  /** The numbers that the times of the request allow, up to the head. */
  readonly range: SeqRange;
}

/** The newest events, when there are more than were asked for. */
export interface NewestEventPage extends EventPage {
  /** How many of each type were left out before them. */
  readonly skipped: ReadonlyMap<EventKind, number>;
}
