import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { api, momentOf, type Schemas } from '../../api/api.js';
import { mayHaveMissed } from '../../live/concerns.js';
import { type LedgerEvent, useEvents } from '../../live/shared-events.js';
import type { Point } from '../../parts/step-chart.js';
import { MovementSums } from './movement-sums.js';

// Reads the matched bets of a wager, the largest first, and follows them by events. No route of the API sums what a result
// would move, so the page does it, for as many bets as it has read.

const PAGE = 100;
/** Read with the page. */
const FIRST_BETS = 1_000;
/** Read on request: more would hold the page up, and load the API. */
export const MOST_BETS = 10_000;
const PAUSE_MS = 250;
/** Of a busy account not all events come, so all is read anew, no more often than this. */
const RESTART_PAUSE_MS = 30_000;
/** What they say of a bet is in the sums. */
const COUNTED = ['offer.matched', 'bet.overridden', 'bet.activated', 'bet.deactivated'];

interface Match {
  readonly at: Date;
  readonly amount: number;
}

export interface WagerBetsState {
  /** Grows with each change of the sums. */
  readonly version: number;
  readonly isReading: boolean;
  /** All matched bets have been read. */
  readonly isWhole: boolean;
  readonly error: unknown;
}

const matchedAt = ({ bet_trails: trails = [], created_at }: Schemas['Bet']): Date =>
  new Date(trails.find(({ accepting_amount }) => accepting_amount !== null)?.created_at ?? created_at);

type ReadPage = (cursor: string) => Promise<Schemas['BetPage']>;

export class WagerBets {
  readonly state = signal<WagerBetsState>({ version: 0, isReading: false, isWhole: false, error: undefined });
  readonly names = new Map<number, string>();
  readonly #sums = new MovementSums();
  readonly #matches = new Map<number, Match>();
  /** Events do not say it of each bet. */
  readonly #inactive = new Set<number>();
  #cursor: string | undefined = '';
  #read = 0;
  #most = 0;
  #run = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  #restartedAt = -Infinity;
  /** The position of the first page: events after it are missing in none. */
  #readAt: string | undefined;
  #streamBeginsAt: string | undefined;

  constructor(private readonly readPage: ReadPage) {}

  /** A component that shows them renders again with each change. */
  get sums(): MovementSums {
    return this.state.value && this.#sums;
  }

  /** Reads all anew, after a gap in the events. What is known stays until then: a matched bet remains one. */
  restart(): void {
    this.stop();
    this.#restartedAt = Date.now();
    this.#readAt = undefined;
    this.#cursor = '';
    this.#read = 0;
    void this.readTo(Math.max(FIRST_BETS, this.#most));
  }

  stop(): void {
    this.#run += 1;
    clearTimeout(this.#timer);
    clearTimeout(this.#restartTimer);
    this.#timer = undefined;
    this.#restartTimer = undefined;
    this.#show({ isReading: false, isWhole: false });
  }

  /** The stream begins, or begins anew after a gap. */
  begin(position: string | undefined): void {
    this.#streamBeginsAt = position;
    if (this.#readAt !== undefined || position === undefined) this.#compare();
  }

  /** Nothing is missing when the stream begins exactly where the first page was read. */
  #compare(): void {
    if (this.#streamBeginsAt !== this.#readAt) this.restart();
    this.#streamBeginsAt = undefined;
  }

  #noteFirst(page: Schemas['BetPage']): void {
    if (this.#readAt !== undefined) return;
    this.#readAt = momentOf(page).asOf ?? '';
    if (this.#streamBeginsAt !== undefined) this.#compare();
  }

  /** Events of these types were left out. */
  miss(types: readonly string[] | undefined): void {
    if (!mayHaveMissed(types, COUNTED)) return;
    const waitMs = Math.max(0, this.#restartedAt + RESTART_PAUSE_MS - Date.now());
    this.#restartTimer ??= setTimeout(() => this.restart(), waitMs);
  }

  async readTo(most: number): Promise<void> {
    this.#most = Math.max(this.#most, most);
    if (this.state.peek().isReading) return;
    this.#show({ isReading: true, error: undefined });
    const run = this.#run;
    try {
      while (this.#cursor !== undefined && this.#read < this.#most) {
        const page = await this.readPage(this.#cursor);
        if (run === this.#run) this.#noteFirst(page);
        if (run !== this.#run) return;
        this.#takePage(page.data, page.next ?? undefined);
      }
      this.#show({ isReading: false, isWhole: this.#cursor === undefined });
    } catch (error) {
      if (run === this.#run) this.#show({ isReading: false, error });
    }
  }

  /** Offers without an acceptor stand at the end of the list. */
  #takePage(bets: readonly Schemas['Bet'][], next: string | undefined): void {
    for (const bet of bets) this.#takeBet(bet);
    this.#read += bets.length;
    this.#cursor = bets.at(-1)?.effective_amount == null ? undefined : next;
    this.#showSoon();
  }

  #takeBet(bet: Schemas['Bet']): void {
    const { effective_odds: odds, effective_amount: amount, accepting_user_id: acceptorId } = bet;
    if (odds === null || amount === null || acceptorId === null) return;
    this.names.set(bet.requesting_user_id, bet.requesting_user_reference);
    this.names.set(acceptorId, bet.accepting_user_reference ?? '');
    this.#setActive(bet.id, bet.is_active);
    const moves = bet.is_active && bet.override_outcome === null;
    this.#sums.put({ id: bet.id, requesterId: bet.requesting_user_id, acceptorId, odds, amount, moves });
    this.#matches.set(bet.id, { at: matchedAt(bet), amount });
  }

  take({ type, at, bet }: LedgerEvent): void {
    const { effective_odds: odds, effective_amount: amount, accepting_user_id: acceptorId } = bet ?? {};
    if (bet === undefined || odds == null || amount == null || acceptorId == null) return;
    const known = this.#sums.bet(bet.id);
    // What was matched before is on a page that is still to be read.
    if (known === undefined && type !== 'offer.matched') return;
    const isActive = type === 'bet.activated' || (type !== 'bet.deactivated' && !this.#inactive.has(bet.id));
    this.#setActive(bet.id, isActive);
    const moves = isActive && bet.override_outcome === null;
    this.#sums.put({ id: bet.id, requesterId: bet.requesting_user_id, acceptorId, odds, amount, moves });
    if (type === 'offer.matched') this.#matches.set(bet.id, { at: new Date(at), amount });
    this.#showSoon();
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#show({});
    }, PAUSE_MS);
  }

  #setActive(id: number, isActive: boolean): void {
    if (isActive) this.#inactive.delete(id);
    else this.#inactive.add(id);
  }

  #show(change: Partial<WagerBetsState>): void {
    const state = this.state.peek();
    this.state.value = { ...state, ...change, version: state.version + 1 };
  }

  /** The amount matched so far, over time. */
  points(most: number): readonly Point[] {
    const matches = [...this.#matches.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
    const every = Math.ceil(matches.length / most);
    let value = 0;
    const points = matches.map(({ at, amount }) => {
      value += amount;
      return { at, value };
    });
    return points.filter((_, place) => place % every === 0 || place === points.length - 1);
  }
}

/** The matched bets of a wager, live. */
export function useWagerBets(reference: string, account: number | undefined): WagerBets {
  const bets = useMemo(() => {
    const shared = {
      ...{ wager_references: [reference], per_page: PAGE, include_bet_trails: true },
      ...{ sort_by: 'effective_amount' as const, sort_direction: 'desc' as const },
      ...(account !== undefined && { account_ids: [account] }),
    };
    return new WagerBets((cursor) => api.get('/bets/history', { params: { query: { ...shared, cursor } } }));
  }, [reference, account]);
  useEffect(() => {
    void bets.readTo(FIRST_BETS);
    return () => bets.stop();
  }, [bets]);
  useEvents(account, {
    event: (event) => {
      if (event.wager?.reference === reference) bets.take(event);
    },
    begin: (position) => bets.begin(position),
    missed: (types) => bets.miss(types),
  });
  return bets;
}
