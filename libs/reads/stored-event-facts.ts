import type { Micros, OddsMicros } from '#core/money.js';
import type { OfferStatus, Outcome, TransactionSource, TransactionType } from '#core/records.js';
import type { TextRow } from '#platform/database/statements.js';
import { bigintsOf } from '#platform/database/statements.js';
import type { EventBet, EventTransaction, EventWager } from './event.js';
import type { Meta, TextMeta } from './meta-filter.js';

// A page has a thousand of these, and most readers ask each for some of its values: a value is converted when it is asked
// for. The order of the columns is that of the statements in `event-facts.ts`.

type Column = string | null | undefined;

const big = (column: Column): bigint => BigInt(column as string);
const bigOrNull = (column: Column): bigint | null => (column === null ? null : big(column));

const metaOf = <Kind extends Meta>(column: Column): Kind | null => (column == null ? null : JSON.parse(column));

/** Of a row that `StoredEventBet` takes. */
export const trailIdOf = (row: TextRow): bigint => big(row[0]);
export const wagerIdOf = (row: TextRow): bigint => big(row[2]);

export class StoredEventBet implements EventBet {
  constructor(
    private readonly row: TextRow,
    private readonly wagers: ReadonlyMap<bigint, EventWager>,
  ) {}

  get id() {
    return big(this.row[1]);
  }
  get trailId() {
    return trailIdOf(this.row);
  }
  get wagerId() {
    return wagerIdOf(this.row);
  }
  /** Every bet has its wager: the audit holds that. */
  get wagerReference() {
    return (this.wagers.get(this.wagerId) as EventWager).reference;
  }
  get offerStatus() {
    return this.row[3] as OfferStatus;
  }
  get outcome() {
    return (this.row[5] ?? this.row[4]) as Outcome;
  }
  get overrideOutcome() {
    return this.row[5] as Outcome | null;
  }
  get requestingUserId() {
    return big(this.row[6]);
  }
  get requestingOdds() {
    return big(this.row[7]) as OddsMicros;
  }
  get requestingAmount() {
    return big(this.row[8]) as Micros;
  }
  get acceptingUserId() {
    return bigOrNull(this.row[9]);
  }
  get effectiveOdds() {
    return bigOrNull(this.row[10]) as OddsMicros | null;
  }
  get effectiveAmount() {
    return bigOrNull(this.row[11]) as Micros | null;
  }
  get allowedAcceptorIds() {
    return bigintsOf(this.row[12] as string);
  }
  get allowedAcceptorBytes() {
    return (this.row[12] as string).length;
  }
  get queuePlace() {
    return big(this.row[13]);
  }
  get createdAt() {
    return new Date(`${this.row[14]}Z`);
  }
  get isActive() {
    return this.row[15] === 't';
  }
  get meta() {
    return metaOf<Meta>(this.row[16]);
  }
  get cancelOnSuspend() {
    return this.row[17] === 't';
  }
  get metaCharacters() {
    return this.row[16]?.length ?? 0;
  }
}

export class StoredEventTransaction implements EventTransaction {
  constructor(private readonly row: TextRow) {}

  get id() {
    return big(this.row[0]);
  }
  get betTrailId() {
    return bigOrNull(this.row[1]);
  }
  get userId() {
    return big(this.row[2]);
  }
  get reference() {
    return this.row[3] as string;
  }
  get amount() {
    return big(this.row[4]) as Micros;
  }
  get description() {
    return this.row[5] as string;
  }
  get transactionType() {
    return this.row[6] as TransactionType;
  }
  get transactionSource() {
    return this.row[7] as TransactionSource;
  }
  get balanceAfter() {
    return big(this.row[8]) as Micros;
  }
  get ownReference() {
    return this.row[9] as string | null;
  }
  get meta() {
    return metaOf<TextMeta>(this.row[10]);
  }
  get labelCharacters() {
    return (this.row[9]?.length ?? 0) + (this.row[10]?.length ?? 0);
  }
}
