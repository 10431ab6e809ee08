import { type LedgerClient, LedgerError } from '#clients/typescript/client.js';
import { expectSame } from './eventually.js';

/* A market of each working day: it opens, is suspended and resumed, and closes by itself before it is decided. */

export const MARKET_USERS = ['maker', 'taker'] as const;
const HOUR_MS = 3_600_000;
const OPENS = 4;
const SUSPENDED = 8;
const RESUMED = 9;
/** Nights that end late end before. */
const EXPIRES = 16;
const CLOSES = 18;
const DECIDED = 21;
const STAKE = 2;

export interface MarketParts {
  readonly client: LedgerClient;
  readonly midnight: number;
  /** Nothing is left to do, also of what is due. */
  readonly untilDone: () => Promise<void>;
}

interface Offers {
  /** It stays. */
  readonly kept: number;
  /** It expires by its time. */
  readonly ending: number;
  /** The suspension cancels it. */
  readonly bound: number;
}

const refusalOf = async (call: Promise<unknown>): Promise<string> => {
  const error: unknown = await call.then(
    () => 'no refusal',
    (reason) => reason,
  );
  return error instanceof LedgerError ? error.texts.join('; ') : String(error);
};

export class Market {
  readonly #reference: string;
  readonly #parts: MarketParts;
  #offers: Offers | undefined;

  constructor(reference: string, parts: MarketParts) {
    this.#reference = reference;
    this.#parts = parts;
  }

  /** What happens at this hour, if the market has opened. */
  async play(hour: number): Promise<void> {
    const { client } = this.#parts;
    const path = { params: { path: { reference: this.#reference } } };
    if (hour === OPENS) await this.#open();
    const offers = this.#offers;
    if (offers === undefined) return;
    if (hour === SUSPENDED) {
      await client.post('/wagers/{reference}/suspend', { ...path, body: { reason: 'Doubt' } });
      await this.#expectShut('Wager is suspended');
    }
    if (hour === RESUMED) {
      await client.post('/wagers/{reference}/resume', path);
      await this.#accept(STAKE / 2, offers.kept);
      await this.#expectRefusal(offers.bound, `bet offer status must be 'requesting'`);
    }
    if (hour === EXPIRES) await this.#expectRefusal(offers.ending, `bet offer status must be 'requesting'`);
    if (hour === CLOSES) await this.#expectShut('Wager is closed');
    if (hour === DECIDED) await this.#decide(offers);
  }

  async #open(): Promise<void> {
    const { client, midnight } = this.#parts;
    const at = (hour: number) => new Date(midnight + hour * HOUR_MS).toISOString();
    const path = { reference: this.#reference };
    await client.put('/wagers/{reference}', { params: { path }, body: { closes_at: at(CLOSES) } });
    const kept = await this.#offer({});
    const ending = await this.#offer({ expires_at: at(EXPIRES) });
    const bound = await this.#offer({ persistence: 'cancel_on_suspend' });
    this.#offers = { kept, ending, bound };
  }

  async #offer(ends: { expires_at?: string; persistence?: 'cancel_on_suspend' }): Promise<number> {
    const terms = { wager_reference: this.#reference, requesting_odds: 2, requesting_amount: STAKE };
    const body = { ...terms, requesting_user_reference: 'maker', ...ends };
    return (await this.#parts.client.post('/bets/make-offer', { body })).data.bet_id;
  }

  #accept(accepting_amount: number, bet_id: number): Promise<unknown> {
    const body = { bet_id, accepting_user_reference: 'taker', maximum_odds: 10, accepting_amount };
    return this.#parts.client.post('/bets/accept-offer', { body });
  }

  async #expectRefusal(betId: number, text: string): Promise<void> {
    expectSame(`an acceptance of bet ${betId} of ${this.#reference}`, await refusalOf(this.#accept(1, betId)), text);
  }

  async #expectShut(text: string): Promise<void> {
    const offer = await refusalOf(this.#offer({}));
    expectSame(`an offer on ${this.#reference}`, offer, text);
    await this.#expectRefusal(this.#offers?.kept ?? 0, text);
  }

  /** The clock has done its part by now. */
  async #decide({ kept, ending, bound }: Offers): Promise<void> {
    const { client, untilDone } = this.#parts;
    await untilDone();
    const statuses = await Promise.all(
      [kept, ending, bound].map(async (id) => (await client.get('/bets/{id}', { params: { path: { id } } })).data),
    );
    expectSame(
      `the offers of ${this.#reference}`,
      statuses.map((bet) => bet.offer_status),
      ['accepted', 'expired', 'canceled'],
    );
    const path = { reference: this.#reference };
    const { data } = await client.get('/wagers/{reference}', { params: { path } });
    expectSame(`the status of ${this.#reference}`, data.status, 'closed');
    await client.post('/bets/update-wager-outcome', { body: { reference: this.#reference, outcome: 'win' } });
  }
}
