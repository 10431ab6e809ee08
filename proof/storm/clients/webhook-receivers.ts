import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { createLedgerClient, type NewWebhookEndpoint } from '#clients/typescript/client.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '#tools/shared/webhook-receiver.js';
import type { WebhookMode, WebhookRecord, WebhookRequest } from '../history.js';
import type { LogOwner } from './log-readers.js';

// The receivers of webhooks: they check each signature, record what comes, and do not take everything at once.

/** The longest time from one unusual reaction to the next. A failure holds the line of its event for five seconds. */
const LONGEST_CALM_MS = { ordered: 12_000, keyed: 6_000, doorbell: 6_000 } as const;
/** Shorter than the time-out of the sender, so that a worker that is asked to stop can wait for the answer. */
const LONGEST_HOLD_MS = 1_500;
/** An hour, and the five minutes that receivers allow. */
const FURTHEST_OFF_MS = 3_900_000;
/** Offset of the random sources of receivers from those of clients. */
const RECEIVERS_FROM = 950;

/** What a receiver does with a request that it does not take at once. */
type Reaction = (request: {
  readonly take: () => void;
  readonly response: ServerResponse;
  readonly holdMs: number;
}) => unknown;

const reactions: readonly [Reaction, ...Reaction[]] = [
  ({ response }) => response.writeHead(500).end(),
  async ({ response, holdMs }) => {
    await delay(holdMs);
    response.destroy();
  },
  async ({ response, take, holdMs }) => {
    await delay(holdMs);
    take();
    response.writeHead(204).end();
  },
  // It has the event, and its answer is lost.
  ({ response, take }) => {
    take();
    response.destroy();
  },
];

export interface ReceiverOptions {
  readonly seed: number;
  /** Aborted: everything is taken from now on. */
  readonly finishing: AbortSignal;
}

export interface Subscription {
  readonly known: LogOwner;
  readonly mode: WebhookMode;
  readonly apiUrl: string;
}

/** The webhook endpoints of a storm, each with a receiver in this process. */
export class WebhookReceivers {
  readonly records: WebhookRecord[] = [];
  readonly #receivers: WebhookReceiver[] = [];

  constructor(private readonly options: ReceiverOptions) {}

  /** Makes an endpoint that wants all events of an account. */
  async subscribe({ known: { account, token }, mode, apiUrl }: Subscription): Promise<void> {
    const { seed, finishing } = this.options;
    const receiver = await startWebhookReceiver();
    const chance = createSeededRandom(seed * 1_000 + RECEIVERS_FROM + this.#receivers.length);
    this.#receivers.push(receiver);
    const endpoints = createLedgerClient({ baseUrl: apiUrl, token }).webhookEndpoints;
    const made = endpoints.create({ url: receiver.url, types: ['*'], mode });
    const recorder = new Recorder({ mode, made, chance, finishing });
    // The first request may come before the answer.
    receiver.receive = (webhook, response) => {
      receiver.received.length = 0;
      return recorder.receive(webhook, response);
    };
    const { id: endpointId, cursor: beginning } = await made;
    const { requests, faults } = recorder;
    this.records.push({ accountId: account.id, name: account.name, mode, endpointId, beginning, requests, faults });
  }

  async close(): Promise<void> {
    await Promise.all(this.#receivers.map((receiver) => receiver.close()));
  }
}

interface RecorderOptions {
  readonly mode: WebhookMode;
  readonly made: Promise<NewWebhookEndpoint>;
  readonly chance: SeededRandom;
  readonly finishing: AbortSignal;
}

class Recorder {
  readonly requests: WebhookRequest[] = [];
  readonly faults: string[] = [];
  /** By the cursor of the event. */
  readonly #ids = new Map<string, unknown>();
  #moments = 0;
  #calmUntil = 0;

  constructor(private readonly options: RecorderOptions) {}

  async receive(webhook: ReceivedWebhook, response: ServerResponse): Promise<void> {
    const { secret } = await this.options.made;
    const { cursor: upTo, data } = webhook.body;
    const cursor = cursorOf(webhook);
    const isFirst = !this.#ids.has(cursor);
    this.#check(webhook, secret);
    const request: WebhookRequest = {
      cursor,
      from: data.from,
      about: subjectOf(data),
      upTo,
      cameAt: this.#nextMoment(),
      takenAt: undefined,
    };
    this.requests.push(request);
    const take = () => {
      request.takenAt = this.#nextMoment();
    };
    const react = isFirst ? this.#unusualReaction() : undefined;
    if (react !== undefined) {
      await react({ response, take, holdMs: this.options.chance.below(LONGEST_HOLD_MS) });
      return;
    }
    take();
    response.writeHead(204).end();
  }

  /** Only of the first request of an event: after a second failure its next try would be five minutes later. */
  #unusualReaction(): Reaction | undefined {
    const { chance, finishing, mode } = this.options;
    const now = performance.now();
    if (finishing.aborted || now < this.#calmUntil) return undefined;
    this.#calmUntil = now + chance.below(LONGEST_CALM_MS[mode]);
    return chance.pick(reactions);
  }

  #check(webhook: ReceivedWebhook, secret: string): void {
    const { text, headers } = webhook;
    const id = headers['webhook-id'];
    try {
      verify(new Webhook(secret), text, headers as Record<string, string>);
    } catch (error) {
      this.faults.push(`${id}: ${(error as Error).message}`);
    }
    const cursor = cursorOf(webhook);
    const known = this.#ids.get(cursor) ?? id;
    if (id === undefined || id !== known) this.faults.push(`${id} is the event that was ${known} before`);
    this.#ids.set(cursor, known);
  }

  #nextMoment(): number {
    this.#moments += 1;
    return this.#moments;
  }
}

/** The clock of a worker is an hour off: a usual receiver would refuse its requests, and this one takes the time that they name. */
function verify(webhook: Webhook, text: string, headers: Readonly<Record<string, string>>): void {
  const at = new Date(1_000 * Number(headers['webhook-timestamp']));
  if (Math.abs(at.getTime() - Date.now()) > FURTHEST_OFF_MS) throw new Error(`signed at ${at.toISOString()}`);
  const signature = webhook.sign(headers['webhook-id'] ?? '', at, text);
  if (!headers['webhook-signature']?.split(' ').includes(signature)) throw new Error('No matching signature found');
}

type EventData = ReceivedWebhook['body'];

/** A doorbell has no event, but the end of those that it rings for. */
const cursorOf = ({ body: { data } }: ReceivedWebhook): string => data.to ?? data.cursor;

/** By what the documentation promises for keyed endpoints, and without the product's own rule. */
function subjectOf({ wager, user, transactions: [transaction] = [] }: EventData): string {
  if (wager !== undefined) return `wager ${wager.id}`;
  const userId = user?.id ?? transaction?.user_id;
  return userId === undefined ? 'account' : `user ${userId}`;
}
