import { HOUR_MS } from '../config/time-units.js';
import { Holders, type QuotaHolder, type QuotaUse } from './quota-use.js';
import { quotas } from './quotas.js';

const QUOTA = 'stored-bytes';
/** The limits of requests bound what small ones store. */
const FREE_BYTES = 1_024;
const SLOTS = 12;
const SLOT_MS = HOUR_MS / SLOTS;

interface Taken {
  readonly holder: QuotaHolder;
  bytes: number;
}

interface Slot {
  readonly number: number;
  readonly taken: Map<bigint, Taken>;
}

interface Stored {
  readonly bodyBytes: number;
  readonly hasKey: boolean;
}

/** What large requests of each account have stored within an hour, in slots of five minutes that end together. */
export class StoredBytes {
  readonly #holders = new Holders(quotas[QUOTA]);
  #slots: Slot[] = [];

  constructor(
    private readonly use: QuotaUse,
    private readonly now: () => number = Date.now,
  ) {}

  /** Refuses a large request where there is no room. One with a key, of any size, is refused where its own account is full. */
  assertRoom(holder: QuotaHolder, bodyBytes: number, hasKey: boolean): void {
    const isLarge = bodyBytes > FREE_BYTES;
    if (!isLarge && !hasKey) return;
    this.#slot();
    const isRefused = isLarge ? this.#holders.roomFor(holder) <= 0 : this.#holders.isFull(holder);
    if (isRefused) throw this.use.refuse(QUOTA, holder);
  }

  /** Refuses a request for which its account has no room. What is returned notes what it has stored: its body, and with a key its answer. */
  assertAndNote(holder: QuotaHolder, { bodyBytes, hasKey }: Stored): (answerBytes: number) => void {
    this.assertRoom(holder, bodyBytes, hasKey);
    return (answerBytes) => this.add(holder, bodyBytes + (hasKey ? answerBytes : 0));
  }

  /** Counts what a request has stored. */
  add(holder: QuotaHolder, bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const slot = this.#slot();
    this.#holders.add(holder, bytes);
    const taken = slot.taken.get(holder.accountId);
    if (taken === undefined) slot.taken.set(holder.accountId, { holder, bytes });
    else taken.bytes += bytes;
  }

  #slot(): Slot {
    const number = Math.floor(this.now() / SLOT_MS);
    const newest = this.#slots.at(-1);
    // A clock that was set back counts on in the newest slot.
    if (newest !== undefined && newest.number >= number) return newest;
    for (const { taken } of this.#slots.filter((slot) => slot.number <= number - SLOTS)) {
      for (const { holder, bytes } of taken.values()) this.#holders.add(holder, -bytes);
    }
    const slot = { number, taken: new Map() };
    this.#slots = [...this.#slots.filter((each) => each.number > number - SLOTS), slot];
    return slot;
  }
}
