import { createLedgerClient, type LedgerClient, LedgerError } from '#clients/typescript/client.js';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { MARKET_USERS, Market } from './market.js';
import type { Stack } from './stack.js';

// A small business: what its bettors, its own people and an admin do, through the API.

const USERS = ['ann', 'bob', 'cat', 'dan'] as const;
const OUTCOMES = ['win', 'loss', 'push', 'half-win', 'half-loss', 'void'] as const;
const BUSINESS = { name: 'Corner Bets', email: 'corner@example.com', password: 'correct horse battery' };
const ADMIN = { name: 'Provider', email: 'provider@example.com', password: 'correct horse staple' };
const FIRST_BALANCE = 10_000;
/** Wagers that wait for their decision, at most; and decided ones that an admin may still correct, also months later. */
const OPEN_WAGERS = 6;
const CORRECTABLE_WAGERS = 60;
/** An act that is refused for reasons of the domain is an act as well. */
const REFUSED = new Set([400, 404, 409]);

type Act = () => Promise<unknown>;

export class Business {
  readonly #stack: Stack;
  readonly #random: SeededRandom;
  readonly #open: string[] = [];
  readonly #decided: string[] = [];
  #wagers = 0;
  #lastBet = 1;
  accountId = 0;
  /** Of today: none at weekends. */
  #market: Market | undefined;
  /** Of the business, and of the admin. */
  client: LedgerClient;
  #admin: LedgerClient;
  readonly done = new Map<string, number>();
  readonly refused = new Map<string, number>();

  private constructor(stack: Stack, random: SeededRandom) {
    this.#stack = stack;
    this.#random = random;
    this.client = createLedgerClient({ baseUrl: stack.apiUrl });
    this.#admin = this.client;
  }

  static async open(stack: Stack, random: SeededRandom): Promise<Business> {
    const business = new Business(stack, random);
    for (const body of [BUSINESS, ADMIN]) await business.client.post('/auth/register/account', { body });
    const { succeeded, output } = await stack.runCommand('make-admin', ADMIN.email, '--vouch');
    if (!succeeded) throw new Error(output);
    await business.logIn();
    business.accountId = (await business.client.get('/auth/account/me')).data.id;
    for (const reference of [...USERS, ...MARKET_USERS]) {
      await business.client.post('/account/user', { body: { name: reference, reference } });
      const body = { user_reference: reference, amount: FIRST_BALANCE };
      await business.client.post('/transactions/fund-user', { body });
    }
    return business;
  }

  /** Once a day: tokens last a little longer. */
  async logIn(): Promise<void> {
    const [business, admin] = await Promise.all([this.#loggedIn(BUSINESS), this.#loggedIn(ADMIN)]);
    this.client = business;
    this.#admin = admin;
  }

  async #loggedIn({ email, password }: typeof BUSINESS): Promise<LedgerClient> {
    const baseUrl = this.#stack.apiUrl;
    const anyone = createLedgerClient({ baseUrl });
    const { data } = await anyone.post('/auth/login/account', { body: { email, password } });
    return createLedgerClient({ baseUrl, token: data.token });
  }

  /** What the market of the day does at this hour. After a restore, the day has none. */
  async trade(midnight: number, hour: number): Promise<void> {
    const { client } = this;
    if (hour === 0) {
      const reference = `market-${new Date(midnight).toISOString().slice(0, 10)}`;
      this.#market = new Market(reference, { client, midnight, untilDone: () => this.#stack.untilDone() });
    }
    await this.#market?.play(hour);
  }

  endTrade(): void {
    this.#market = undefined;
  }

  async act(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      const acts = this.#acts();
      const { name, act } = this.#random.pickWeighted(acts);
      try {
        await act();
        this.done.set(name, (this.done.get(name) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof LedgerError && REFUSED.has(error.status))) throw error;
        this.refused.set(name, (this.refused.get(name) ?? 0) + 1);
      }
    }
  }

  #acts(): readonly [WeightedAct, ...WeightedAct[]] {
    const random = this.#random;
    const user = random.pick(USERS);
    const amount = 1 + random.below(40) / 4;
    const wager = this.#openWager();
    const betId = 1 + random.below(this.#lastBet);
    return [
      { name: 'offer', weight: 6, act: () => this.#offer(user, amount, wager) },
      { name: 'accept', weight: 6, act: () => this.#accept(user, amount, wager) },
      { name: 'fund', weight: 2, act: () => this.#pay('/transactions/fund-user', user, amount) },
      { name: 'withdraw', weight: 1, act: () => this.#pay('/transactions/withdraw', user, amount) },
      { name: 'cancel', weight: 1, act: () => this.#cancel(user, wager) },
      { name: 'decide', weight: 2, act: () => this.#decide(wager) },
      { name: 'suspend', weight: 1, act: () => this.#suspend(wager) },
      { name: 'resume', weight: 2, act: () => this.#onWager('/wagers/{reference}/resume', wager) },
      { name: 'close', weight: 0.5, act: () => this.#onWager('/wagers/{reference}/close', wager) },
      { name: 'schedule', weight: 1, act: () => this.#schedule(wager) },
      { name: 'override', weight: 1, act: () => this.#override(betId) },
      { name: 'correct', weight: 1, act: () => this.#correct() },
    ];
  }

  #openWager(): string {
    if (this.#open.length < OPEN_WAGERS && this.#random.happens(0.3)) this.#open.push(this.#newWager());
    const [first = this.#newWager(), ...others] = this.#open;
    return this.#random.pick([first, ...others]);
  }

  #newWager(): string {
    this.#wagers += 1;
    return `wager-${this.#wagers}`;
  }

  async #offer(user: string, amount: number, wager_reference: string): Promise<void> {
    const requesting_odds = (12 + this.#random.below(30)) / 10;
    const ends = this.#random.pick([
      {},
      {},
      { expires_in: this.#seconds() },
      { persistence: 'cancel_on_suspend' } as const,
    ]);
    const terms = { wager_reference, requesting_odds, requesting_amount: amount };
    const body = { ...terms, requesting_user_reference: user, ...ends };
    this.#lastBet = (await this.client.post('/bets/make-offer', { body })).data.bet_id;
  }

  #accept(user: string, amount: number, wager_reference: string): Promise<unknown> {
    const body = {
      wager_reference,
      accepting_user_reference: user,
      maximum_odds: 10,
      accepting_amount: amount,
    };
    return this.client.post('/bets/accept-offer', { body });
  }

  /** Up to two days. */
  #seconds(): number {
    return 60 * (1 + this.#random.below(2 * 24 * 60));
  }

  #suspend(reference: string): Promise<unknown> {
    const body = { cancel_offers: this.#random.happens(0.3) };
    return this.client.post('/wagers/{reference}/suspend', { params: { path: { reference } }, body });
  }

  #onWager(path: '/wagers/{reference}/resume' | '/wagers/{reference}/close', reference: string): Promise<unknown> {
    return this.client.post(path, { params: { path: { reference } } });
  }

  #schedule(reference: string): Promise<unknown> {
    const body = { closes_at: new Date(this.#stack.now + 1_000 * this.#seconds()).toISOString() };
    return this.client.put('/wagers/{reference}', { params: { path: { reference } }, body });
  }

  #pay(path: '/transactions/fund-user' | '/transactions/withdraw', user: string, amount: number): Promise<unknown> {
    return this.client.post(path, { body: { user_reference: user, amount } });
  }

  #cancel(user: string, wager: string): Promise<unknown> {
    const body = { requesting_user_reference: user, wager_references: [wager], cancel_all: true };
    return this.client.post('/bets/cancel-offer', { body });
  }

  async #decide(reference: string): Promise<void> {
    const outcome = this.#random.pick(OUTCOMES);
    await this.client.post('/bets/update-wager-outcome', { body: { reference, outcome } });
    this.#open.splice(this.#open.indexOf(reference), 1);
    this.#decided.push(reference);
    if (this.#decided.length > CORRECTABLE_WAGERS) this.#decided.shift();
  }

  #override(bet_id: number): Promise<unknown> {
    const body = { bet_id, override_outcome: this.#random.pick(OUTCOMES) };
    return this.client.post('/bets/override-outcome', { body });
  }

  async #correct(): Promise<void> {
    const [first, ...others] = this.#decided;
    if (first === undefined) return;
    const wager_reference = this.#random.pick([first, ...others]);
    const outcome = this.#random.pick([...OUTCOMES, 'undecided'] as const);
    const body = { account_id: this.accountId, wager_reference, outcome };
    await this.#admin.post('/admin/wagers/force-update-outcome', { body });
  }
}

interface WeightedAct {
  readonly name: string;
  readonly weight: number;
  readonly act: Act;
}
