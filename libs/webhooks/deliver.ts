import { setTimeout } from 'node:timers/promises';
import type { EventKind } from '#core/records.js';
import type { RelaySoon } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging/logger.js';
import { type AccountLog, openAccountLog } from './delivered-events.js';
import { type DeliveryMode, deliveryModes, wantedTypes } from './delivery-modes.js';
import {
  addDeliveries,
  type Claimed,
  claimEndpoint,
  type Delivery,
  endDelivery,
  endFailure,
  LeaseLost,
  type Rest,
  readDeliveries,
  releaseEndpoint,
  tryAtOnce,
} from './delivery-rows.js';
import { failDelivery } from './fail-delivery.js';
import { endedWaits, longestUntriedFirst } from './schedule.js';
import { type SecretBox, signingSecrets } from './secret-box.js';
import { type Message, messageHeaders, type Send, type Sockets, type WebhookResult } from './sender.js';
import type { EndpointKey } from './webhook-endpoint.js';

export interface DeliveryContext {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly send: Send;
  readonly sockets: Sockets;
  readonly relaySoon: RelaySoon;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly observe: (result: WebhookResult) => void;
  /** Ends the turn after the requests under way. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Then another endpoint has its turn. */
const TURN_MS = 5_000;
/**
 * While a line that has failed is tried again, the others go on so long: its request may take 15 s. A request that begins at
 * the end is answered after 15 s more, and what follows in PostgreSQL takes less than the rest of the lease of 45 s.
 */
const TURN_WITH_RETRIES_MS = 20_000;
/** How often such a turn looks for new events. */
const LOOK_MS = 500;
/** How many events are read and delivered at once. */
const ROUND = 100;
const SOCKETS_TAKEN_MS = 500;

type Stop = 'time' | 'sockets' | 'paused' | 'disabled';

interface TurnEnd extends Rest {
  /** There is more to deliver at once. */
  readonly isMore: boolean;
}

/** `more`: there is more to deliver at once. */
type DeliverResult = 'done' | 'more';

/** Delivers to an endpoint for some seconds, unless another worker does. */
export type Deliver = (key: EndpointKey) => Promise<DeliverResult>;

const KEY_MISSING_MS = 60_000;

export function createDeliver(context: DeliveryContext): Deliver {
  const { database, secretBox, logger, now } = context;

  async function deliver(claimed: Claimed): Promise<TurnEnd> {
    const { endpoint } = claimed;
    const secrets = signingSecrets(secretBox, endpoint, now());
    if (secrets !== undefined) return new DeliveryTurn(context, claimed, secrets).run();
    const later = new Date(now().getTime() + KEY_MISSING_MS);
    logger.error(
      { accountId: String(endpoint.accountId), endpoint: String(endpoint.id) },
      'the secret of a webhook endpoint needs a key that WEBHOOK_KEY does not have',
    );
    return { isMore: false, nextAt: later, notBefore: later };
  }

  return async (key) => {
    const claimed = await claimEndpoint(database, key, now());
    if (claimed === undefined) return 'done';
    let end: TurnEnd = { isMore: false, nextAt: now(), notBefore: null };
    try {
      end = await deliver(claimed);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.debug({ endpoint: String(key.id) }, 'a webhook endpoint was changed while it was delivered to');
    } finally {
      await releaseEndpoint(database, claimed.lease, end);
    }
    return end.isMore ? 'more' : 'done';
  };
}

/**
 * What one worker delivers to one endpoint while it holds the lease. It reads on in the log, writes what the endpoint wants
 * as deliveries, sends the first of each line, and the next one of a line only after the 2xx is noted. Lines that have failed
 * are tried beside the others: those that hang again hold up nothing else.
 */
class DeliveryTurn {
  readonly #mode: DeliveryMode;
  readonly #isWanted: (type: EventKind) => boolean;
  readonly #log: AccountLog;
  readonly #startedAt = performance.now();
  #waiting: Delivery[] = [];
  #cursorSeq: bigint;
  #isFailing: boolean;
  #stop: Stop | undefined;
  #isResting = false;
  /** The lines under way. */
  readonly #busy = new Set<string>();
  /** Each tries lines that have failed, one after the other. */
  readonly #retries = new Set<Promise<void>>();
  #retryFault: unknown;

  constructor(
    private readonly context: DeliveryContext,
    private readonly claimed: Claimed,
    private readonly secrets: readonly Buffer[],
  ) {
    const { endpoint } = claimed;
    this.#mode = deliveryModes[endpoint.mode];
    this.#isWanted = wantedTypes(endpoint.types);
    this.#log = openAccountLog(context.database.of(endpoint.accountId), endpoint.accountId);
    this.#cursorSeq = endpoint.cursorSeq;
    this.#isFailing = endpoint.state === 'failing';
  }

  async run(): Promise<TurnEnd> {
    this.#waiting = await readDeliveries(this.context.database.of(this.claimed.lease.accountId), this.claimed.lease);
    try {
      await this.#deliverAll();
    } finally {
      // All have ended before the lease is given back.
      await Promise.all(this.#retries);
    }
    if (this.#retryFault !== undefined) throw this.#retryFault;
    return this.#end();
  }

  async #deliverAll(): Promise<void> {
    while (this.#goesOn()) {
      const hasMoved = await this.#readOn();
      this.#startRetries();
      const fresh = this.#due().filter(([first]) => first?.attempts === 0);
      if (fresh.length > 0) await this.#deliver(fresh);
      else if (this.#retries.size > 0) await this.#retryOrLook();
      else if (!hasMoved) return;
      if (this.#isResting) return;
    }
  }

  #goesOn(): boolean {
    const mostMs = this.#retries.size > 0 ? TURN_WITH_RETRIES_MS : TURN_MS;
    if (this.#stop === undefined && (this.context.signal.aborted || this.#takenMs() > mostMs)) this.#stop = 'time';
    return this.#stop === undefined && this.#retryFault === undefined;
  }

  #takenMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** The lines whose first delivery may go. */
  #due(): Delivery[][] {
    const now = this.context.now();
    return linesOf(this.#waiting).filter(
      ([first]) => first !== undefined && first.nextAt <= now && !this.#busy.has(first.line),
    );
  }

  /** Those that have failed, longest untried first. */
  #dueRetries(): Delivery[] {
    if (!this.#goesOn() || this.#takenMs() > TURN_MS) return [];
    return this.#due()
      .flatMap(([first]) => (first === undefined || first.attempts === 0 ? [] : [first]))
      .sort(longestUntriedFirst);
  }

  /** They get half of the places at most. */
  #startRetries(): void {
    const { sockets } = this.context;
    const { accountId } = this.claimed.endpoint;
    const free = Math.ceil(this.#mode.linesAtOnce / 2) - this.#retries.size;
    const wanted = this.#dueRetries().slice(0, free);
    for (const _ of wanted) {
      if (!sockets.take(accountId)) break;
      const retry = this.#retryLines()
        .catch((fault: unknown) => {
          this.#retryFault ??= fault;
        })
        .finally(() => {
          sockets.release(accountId);
          this.#retries.delete(retry);
        });
      this.#retries.add(retry);
    }
    if (wanted.length > 0 && this.#retries.size === 0) this.#stop ??= 'sockets';
  }

  async #retryLines(): Promise<void> {
    for (let [first] = this.#dueRetries(); first !== undefined; [first] = this.#dueRetries()) {
      this.#busy.add(first.line);
      await this.#deliverLine([first], await this.#messagesOf([[first]]));
    }
  }

  /** Until lines that have failed are done, or it is time to look for new events. */
  async #retryOrLook(): Promise<void> {
    const looking = new AbortController();
    const look = setTimeout(LOOK_MS, undefined, { signal: looking.signal }).catch(() => undefined);
    await Promise.race([...this.#retries, look]);
    looking.abort();
  }

  /** Whether the cursor has moved. */
  async #readOn(): Promise<boolean> {
    const { lease } = this.claimed;
    const free = this.#mode.mostWaiting - this.#waiting.length;
    if (free <= 0) return false;
    const marks = await this.#log.after(this.#cursorSeq, this.#mode.mostRead);
    const last = marks.at(-1);
    if (last === undefined) return false;
    const wanted = marks.filter(({ type }) => this.#isWanted(type));
    const planned = await this.#mode.plan(this.#log, { cursorSeq: this.#cursorSeq, last, wanted, free });
    const { cursorSeq } = planned;
    const fresh = { attempts: 0, nextAt: this.context.now(), lastStatus: null, lastTriedAt: null };
    const deliveries = planned.deliveries.map((delivery): Delivery => ({ ...delivery, ...fresh }));
    await addDeliveries(this.context.database, lease, { deliveries, cursorSeq });
    this.#waiting.push(...deliveries);
    this.#cursorSeq = cursorSeq;
    return true;
  }

  async #deliver(due: readonly Delivery[][]): Promise<void> {
    const { accountId } = this.claimed.endpoint;
    const { sockets } = this.context;
    const messages = await this.#messagesOf(due);
    const lines = due.values();
    const deliverLines = async (): Promise<void> => {
      try {
        for (const line of lines) await this.#deliverLine(line, messages);
      } finally {
        sockets.release(accountId);
      }
    };
    const wanted = Array.from({ length: Math.min(this.#mode.linesAtOnce - this.#retries.size, due.length) });
    const running = wanted.filter(() => sockets.take(accountId)).map(deliverLines);
    if (running.length === 0 && this.#retries.size > 0) await this.#retryOrLook();
    else if (running.length === 0) this.#stop = 'sockets';
    // All have ended before the lease is given back.
    const failed = (await Promise.allSettled(running)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Of the oldest deliveries that are due. */
  #messagesOf(due: readonly Delivery[][]): Promise<Map<bigint, Message>> {
    const deliveries = due
      .flat()
      .sort((one, other) => Number(one.seq - other.seq))
      .slice(0, ROUND);
    const completeSeq = this.#waiting.reduce((least, { seq }) => (seq <= least ? seq - 1n : least), this.#cursorSeq);
    return this.#mode.messages(this.#log, deliveries, completeSeq);
  }

  async #deliverLine(line: readonly Delivery[], messages: ReadonlyMap<bigint, Message>): Promise<void> {
    const name = line[0]?.line ?? '';
    this.#busy.add(name);
    try {
      for (const delivery of line) {
        const message = messages.get(delivery.seq);
        if (message === undefined || !this.#goesOn() || !(await this.#isTaken(delivery, message))) return;
      }
    } finally {
      this.#busy.delete(name);
    }
  }

  async #isTaken(delivery: Delivery, message: Message): Promise<boolean> {
    const { database, send, observe, now, random } = this.context;
    const { endpoint, lease } = this.claimed;
    const at = now();
    const headers = messageHeaders(lease, { ...message, at }, this.secrets);
    const result = await send({ url: endpoint.url, headers, body: message.body });
    observe(result);
    if (result.error === null) {
      const taken = { seq: delivery.seq, at, ...result };
      if (this.#isFailing) this.#isFailing = !(await endFailure(database, lease, taken));
      else await endDelivery(database.of(lease.accountId), lease, taken);
      this.#waiting = this.#waiting.filter(({ seq }) => seq !== delivery.seq);
      this.#isResting = this.#mode.restMs !== undefined;
      await this.#endWaits(delivery);
      return true;
    }
    const failed = await failDelivery(this.context, lease, { delivery, result, at, random: random() });
    const tried = { attempts: delivery.attempts + 1, lastStatus: result.status, lastTriedAt: at };
    const again = { ...delivery, ...tried, nextAt: failed.at };
    this.#waiting = this.#waiting.map((each) => (each.seq === delivery.seq ? again : each));
    this.#isFailing = true;
    if (failed.disabledReason !== undefined) this.#stop = 'disabled';
    else if (failed.pausedUntil !== undefined) this.#stop ??= 'paused';
    return false;
  }

  /** Other lines do not wait for what `taken` has shown to be over. */
  async #endWaits(taken: Delivery): Promise<void> {
    // Mostly none has failed.
    if (!this.#waiting.some(({ attempts }) => attempts > 0)) return;
    const { lease } = this.claimed;
    const now = this.context.now();
    const firsts = linesOf(this.#waiting).flatMap(([first]) => (first === undefined ? [] : [first]));
    const ended = new Set(endedWaits(taken, firsts, now).map(({ seq }) => seq));
    if (ended.size === 0) return;
    await tryAtOnce(this.context.database.of(lease.accountId), lease, { seqs: [...ended], now });
    this.#waiting = this.#waiting.map((each) => (ended.has(each.seq) ? { ...each, nextAt: now } : each));
  }

  #end(): TurnEnd {
    const now = this.context.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    if (this.#stop === 'time') return { isMore: true, nextAt: now, notBefore: null };
    if (this.#stop === 'disabled') return { isMore: false, nextAt: null, notBefore: null };
    if (this.#stop === 'sockets') {
      return { isMore: false, nextAt: later(SOCKETS_TAKEN_MS), notBefore: later(SOCKETS_TAKEN_MS) };
    }
    const nextAt = firstDueOf(this.#waiting) ?? null;
    const { mostWaiting, linesAtOnce, restMs = 0 } = this.#mode;
    if (this.#isResting) return { isMore: false, nextAt, notBefore: later(restMs) };
    const isFull = this.#waiting.length >= mostWaiting;
    const isHeld = linesAtOnce === 1 && nextAt !== null;
    return { isMore: false, nextAt, notBefore: isFull || isHeld ? nextAt : null };
  }
}

/** In the order of the log. */
function linesOf(deliveries: readonly Delivery[]): Delivery[][] {
  const lines = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const line = lines.get(delivery.line);
    if (line === undefined) lines.set(delivery.line, [delivery]);
    else line.push(delivery);
  }
  return [...lines.values()];
}

/** When the first of each line may go; undefined: nothing waits. */
function firstDueOf(deliveries: readonly Delivery[]): Date | undefined {
  const times = linesOf(deliveries).flatMap(([first]) => (first === undefined ? [] : [first.nextAt.getTime()]));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
