import { Refusal } from '../errors/refusal.js';
import type { Metrics } from '../metrics/metrics.js';
import { type Quota, type QuotaName, quotaNames, quotas } from './quotas.js';

/** The account that calls. */
export interface QuotaHolder {
  readonly accountId: bigint;
  /** Null: it shares its quotas with no other account. */
  readonly registeredFrom: string | null;
}

export type OnQuotaRefused = (quota: QuotaName, accountId?: bigint) => void;

const networkOf = ({ accountId, registeredFrom }: QuotaHolder): string => registeredFrom ?? `account ${accountId}`;

/** Who holds how much of one quota. */
export class Holders {
  readonly #accounts = new Map<bigint, number>();
  readonly #networks = new Map<string, number>();
  #total = 0;

  constructor(private readonly quota: Quota) {}

  /** How much more the account may hold. */
  roomFor(holder: QuotaHolder): number {
    const { account, network, whole, reserve, little = 0 } = this.quota;
    const own = this.#accounts.get(holder.accountId) ?? 0;
    const ofNetwork = this.#networks.get(networkOf(holder)) ?? 0;
    return Math.min(account - own, network - ofNetwork, (own <= little ? whole : whole - reserve) - this.#total);
  }

  /** Whether the account holds as much as it may by itself. */
  isFull({ accountId }: QuotaHolder): boolean {
    return (this.#accounts.get(accountId) ?? 0) >= this.quota.account;
  }

  add(holder: QuotaHolder, count: number): void {
    addTo(this.#accounts, holder.accountId, count);
    addTo(this.#networks, networkOf(holder), count);
    this.#total += count;
  }
}

function addTo<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  const sum = (counts.get(key) ?? 0) + count;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}

function refusalAt(name: QuotaName): Refusal {
  const { refusal, retryAfterSeconds }: Quota = quotas[name];
  if (refusal === null) throw new Error(`nobody is refused at the quota ${name}`);
  return new Refusal(refusal, { retryAfterSeconds });
}

/** What the callers of this process hold. */
export class QuotaUse {
  readonly #holders: ReadonlyMap<QuotaName, Holders>;

  constructor(
    private readonly onRefused: OnQuotaRefused,
    table: Readonly<Record<QuotaName, Quota>> = quotas,
  ) {
    this.#holders = new Map(quotaNames.map((name) => [name, new Holders(table[name])]));
  }

  hasRoom(name: QuotaName, holder: QuotaHolder): boolean {
    const hasRoom = this.#of(name).roomFor(holder) > 0;
    if (!hasRoom) this.onRefused(name, holder.accountId);
    return hasRoom;
  }

  assertRoom(name: QuotaName, holder: QuotaHolder): void {
    if (!this.hasRoom(name, holder)) throw refusalAt(name);
  }

  refuse(name: QuotaName, holder: QuotaHolder): Refusal {
    this.onRefused(name, holder.accountId);
    return refusalAt(name);
  }

  /** Takes one, or refuses. The returned function gives it back, once. */
  take(name: QuotaName, holder: QuotaHolder): () => void {
    this.assertRoom(name, holder);
    return this.#add(name, holder);
  }

  /** Takes one if there is room. */
  tryTake(name: QuotaName, holder: QuotaHolder): (() => void) | undefined {
    return this.hasRoom(name, holder) ? this.#add(name, holder) : undefined;
  }

  #add(name: QuotaName, holder: QuotaHolder): () => void {
    const holders = this.#of(name);
    holders.add(holder, 1);
    let isHeld = true;
    return () => {
      if (isHeld) holders.add(holder, -1);
      isHeld = false;
    };
  }

  #of(name: QuotaName): Holders {
    return this.#holders.get(name) as Holders;
  }
}

export function addQuotaMetrics({ counter }: Metrics): OnQuotaRefused {
  const refusals = counter({
    name: 'ledger_quota_refusals_total',
    help: 'What callers were refused because an account, a network or all together held too much of it',
    labelNames: ['quota'],
  });
  // Prometheus sees no increase in the first value of a series.
  for (const quota of quotaNames) refusals.inc({ quota }, 0);
  return (quota) => refusals.inc({ quota });
}
