import type { EventMark } from '#events/event-position.js';
import type { RelaySoon } from '#jobs/outbox.js';
import type { Database } from '#platform/database/database.js';
import type { LogEvent, LoggedMark } from '#reads/event.js';
import { type AccountLog, openAccountLog } from './delivered-events.js';
import {
  type DeliveryPlan,
  deliveryPlans,
  firstDueOf,
  lineOf,
  linesOf,
  ONE_LINE,
  wantedTypes,
} from './delivery-plan.js';
import {
  addDeliveries,
  type Claimed,
  type Delivery,
  endDelivery,
  endFailure,
  type Rest,
  readDeliveries,
} from './delivery-rows.js';
import { failDelivery } from './fail-delivery.js';
import { eventMessage, type Message, ringMessage } from './message.js';
import type { Send, WebhookResult } from './sender.js';
import { signedHeaders } from './signature.js';
import type { Sockets } from './sockets.js';

export interface TurnContext {
  readonly database: Database;
  readonly send: Send;
  readonly sockets: Sockets;
  readonly relaySoon: RelaySoon;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly observe: (result: WebhookResult) => void;
  /** Ends the turn after the requests under way. */
  readonly signal: AbortSignal;
}

/**
 * Then another endpoint has its turn. A request that begins at the end of it is answered after 15 s, and what follows it in
 * PostgreSQL takes less than the rest of the lease of 30 s.
 */
const TURN_MS = 5_000;
/** How many events are read and delivered at once. */
const ROUND = 100;
const BETWEEN_RINGS_MS = 1_000;
const SOCKETS_TAKEN_MS = 500;

type Stop = 'time' | 'sockets' | 'paused' | 'disabled';

export interface TurnEnd extends Rest {
  /** There is more to deliver at once. */
  readonly isMore: boolean;
}

/**
 * What one worker delivers to one endpoint while it holds the lease. It reads on in the log, writes what the endpoint wants
 * as deliveries, sends the first of each line, and goes on in a line only after the 2xx is noted.
 */
export class DeliveryTurn {
  readonly #plan: DeliveryPlan;
  readonly #log: AccountLog;
  readonly #startedAt = performance.now();
  #waiting: Delivery[] = [];
  #cursorSeq: bigint;
  #isFailing: boolean;
  #stop: Stop | undefined;
  #hasRung = false;

  constructor(
    private readonly context: TurnContext,
    private readonly claimed: Claimed,
    private readonly secrets: readonly Buffer[],
  ) {
    const { endpoint } = claimed;
    this.#plan = deliveryPlans[endpoint.mode];
    this.#log = openAccountLog(context.database.of(endpoint.accountId), endpoint.accountId);
    this.#cursorSeq = endpoint.cursorSeq;
    this.#isFailing = endpoint.state === 'failing';
  }

  async run(): Promise<TurnEnd> {
    this.#waiting = await readDeliveries(this.context.database.of(this.claimed.lease.accountId), this.claimed.lease);
    while (this.#goesOn()) {
      const hasMoved = await this.#readOn();
      const now = this.context.now();
      const due = linesOf(this.#waiting).filter(([first]) => first !== undefined && first.nextAt <= now);
      if (due.length > 0) await this.#deliver(due);
      else if (!hasMoved) break;
      if (this.#hasRung) break;
    }
    return this.#end();
  }

  #goesOn(): boolean {
    const { signal } = this.context;
    if (this.#stop === undefined && (signal.aborted || performance.now() - this.#startedAt > TURN_MS)) {
      this.#stop = 'time';
    }
    return this.#stop === undefined;
  }

  /** Whether the cursor has moved. */
  async #readOn(): Promise<boolean> {
    const { endpoint, lease } = this.claimed;
    const { room, look } = this.#plan;
    const free = room - this.#waiting.length;
    if (free <= 0) return false;
    const marks = await this.#log.after(this.#cursorSeq, look);
    const last = marks.at(-1);
    if (last === undefined) return false;
    const isWanted = wantedTypes(endpoint.types);
    const wanted = marks.filter(({ type }) => isWanted(type));
    const taken = endpoint.mode === 'doorbell' ? wanted : wanted.slice(0, free);
    const cursorSeq = taken.length < wanted.length ? (taken.at(-1)?.seq ?? this.#cursorSeq) : last.seq;
    const deliveries = await this.#deliveriesOf(taken, last);
    await addDeliveries(this.context.database, lease, { deliveries, cursorSeq });
    this.#waiting.push(...deliveries);
    this.#cursorSeq = cursorSeq;
    return true;
  }

  async #deliveriesOf(taken: readonly LoggedMark[], last: LoggedMark): Promise<Delivery[]> {
    const { mode } = this.claimed.endpoint;
    const fresh = { fromSeq: null, attempts: 0, nextAt: this.context.now() };
    if (taken.length === 0) return [];
    if (mode === 'doorbell') return [{ ...fresh, seq: last.seq, fromSeq: this.#cursorSeq, line: ONE_LINE }];
    if (mode === 'ordered') return taken.map(({ seq }) => ({ ...fresh, seq, line: ONE_LINE }));
    return this.#log.show(taken, (event) => ({ ...fresh, seq: event.seq, line: lineOf(event) }));
  }

  async #deliver(due: readonly Delivery[][]): Promise<void> {
    const { accountId } = this.claimed.endpoint;
    const { sockets } = this.context;
    const messages = await this.#messagesOf(due);
    const lines = due.values();
    const lane = async (): Promise<void> => {
      try {
        for (const line of lines) await this.#deliverLine(line, messages);
      } finally {
        sockets.release(accountId);
      }
    };
    const wanted = Array.from({ length: Math.min(this.#plan.lanes, due.length) });
    const lanes = wanted.filter(() => sockets.take(accountId)).map(lane);
    if (lanes.length === 0) this.#stop = 'sockets';
    // All have ended before the lease is given back.
    const failed = (await Promise.allSettled(lanes)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Of the oldest deliveries that are due. */
  async #messagesOf(due: readonly Delivery[][]): Promise<Map<bigint, Message>> {
    const { accountId, mode } = this.claimed.endpoint;
    const deliveries = due
      .flat()
      .sort((one, other) => Number(one.seq - other.seq))
      .slice(0, ROUND);
    if (mode === 'doorbell') {
      const [ring] = deliveries as [Delivery];
      const from = await this.#log.markOf(ring.fromSeq ?? 0n);
      return new Map([[ring.seq, ringMessage(accountId, from, await this.#log.markOf(ring.seq))]]);
    }
    const events = await this.#log.eventsOf(deliveries.map(({ seq }) => seq));
    const complete = mode === 'keyed' ? await this.#completeMark() : undefined;
    const messageOf = (event: LogEvent) => eventMessage({ accountId, event, upTo: complete ?? event });
    return new Map(events.map((event) => [event.seq, messageOf(event)]));
  }

  /** Nothing is missing up to here. */
  #completeMark(): Promise<EventMark> {
    const seqs = this.#waiting.map(({ seq }) => seq);
    return this.#log.markOf(seqs.reduce((least, seq) => (seq <= least ? seq - 1n : least), this.#cursorSeq));
  }

  async #deliverLine(line: readonly Delivery[], messages: ReadonlyMap<bigint, Message>): Promise<void> {
    for (const delivery of line) {
      const message = messages.get(delivery.seq);
      if (message === undefined || !this.#goesOn() || !(await this.#isTaken(delivery, message))) return;
    }
  }

  async #isTaken(delivery: Delivery, message: Message): Promise<boolean> {
    const { database, send, observe, now, random } = this.context;
    const { endpoint, lease } = this.claimed;
    const at = now();
    const headers = signedHeaders({ ...message, at }, this.secrets);
    const result = await send({ url: endpoint.url, headers, body: message.body });
    observe(result);
    if (result.error === null) {
      const taken = { seq: delivery.seq, at, ...result };
      if (this.#isFailing) this.#isFailing = !(await endFailure(database, lease, taken));
      else await endDelivery(database.of(lease.accountId), lease, taken);
      this.#waiting = this.#waiting.filter(({ seq }) => seq !== delivery.seq);
      this.#hasRung = delivery.fromSeq !== null;
      return true;
    }
    const failed = await failDelivery(this.context, lease, { delivery, result, at, random: random() });
    const again = { ...delivery, attempts: delivery.attempts + 1, nextAt: failed.at };
    this.#waiting = this.#waiting.map((each) => (each.seq === delivery.seq ? again : each));
    this.#isFailing = true;
    if (failed.disabledReason !== undefined) this.#stop = 'disabled';
    else if (failed.pausedUntil !== undefined) this.#stop ??= 'paused';
    return false;
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
    if (this.#hasRung) return { isMore: false, nextAt, notBefore: later(BETWEEN_RINGS_MS) };
    const isFull = this.#waiting.length >= this.#plan.room;
    const isHeld = this.#plan.lanes === 1 && nextAt !== null;
    return { isMore: false, nextAt, notBefore: isFull || isHeld ? nextAt : null };
  }
}
