import { HOUR_MS } from '../config/time-units.js';
import { Holders, type QuotaHolder, type QuotaUse } from './quota-use.js';
import { quotas } from './quotas.js';

const QUOTA = 'stored-bytes';
/** The limits of requests bound what small ones store. */
const FREE_BYTES = 2_048;
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

/** What the large requests of each account have stored within an hour, in slots of five minutes that end together. */
export class StoredBytes {
  readonly #holders = new Holders(quotas[QUOTA]);
  #slots: Slot[] = [];

  constructor(
    private readonly use: QuotaUse,
    private readonly now: () => number = Date.now,
  ) {}

  /** Counts what a request may store, or refuses it. */
  take(holder: QuotaHolder, bytes: number): void {
    if (bytes <= FREE_BYTES) return;
    const slot = this.#slot();
    if (this.#holders.roomFor(holder) <= 0) throw this.use.refuse(QUOTA, holder);
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
