import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Tally } from './figures.js';
import type { LoadPlan, LoadResult } from './plan.js';
import { ResponseReader } from './response-reader.js';
import { createWorkload, type LoadRequest, type NextRequest } from './workloads.js';

/** No measured request takes this long: a longer wait is a fault. */
const ANSWER_TIMEOUT_MS = 20_000;
const MAX_REQUESTS = 2_000_000;
const MAX_COMPLAINTS = 6;
const COMPLAINT_LENGTH = 200;

/** Sends one request at a time on every connection, for the planned time, and counts the answers. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const next = createWorkload(plan.workload, plan.connections);
  const sockets = await Promise.all(Array.from({ length: plan.connections }, () => open(plan.port)));
  const run = new Run(plan, next);
  try {
    await Promise.all(sockets.map((socket, index) => run.drive(socket, index)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return run.result();
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  return socket;
}

class Run {
  readonly #plan: LoadPlan;
  readonly #next: NextRequest;
  readonly #start: number;
  readonly #from: number;
  readonly #everyMs: number;
  #to: number;
  readonly #all = new Tally();
  readonly #byLabel = new Map<string, Tally>();
  readonly #complaints = new Set<string>();
  #left = MAX_REQUESTS;
  #usageAtStart: NodeJS.CpuUsage | undefined;
  #generatorLoad = 0;

  constructor(plan: LoadPlan, next: NextRequest) {
    this.#plan = plan;
    this.#next = next;
    this.#start = performance.now();
    this.#everyMs = plan.pacePerSecond === undefined ? 0 : (plan.connections * 1_000) / plan.pacePerSecond;
    this.#from = this.#start + plan.warmUpMs;
    this.#to = this.#from + plan.measureMs;
    setTimeout(() => {
      this.#usageAtStart = process.cpuUsage();
    }, plan.warmUpMs).unref();
    setTimeout(() => this.#noteUsage(), plan.warmUpMs + plan.measureMs).unref();
  }

  /** Resolves when the time is over and the last answer is there, or the connection is lost. */
  drive(socket: Socket, connection: number): Promise<void> {
    return new Promise((resolve) => {
      const reader = new ResponseReader();
      let request: LoadRequest | undefined;
      let sentAt = 0;
      // Paced connections begin one after the other, evenly.
      let dueAt = this.#start + (connection * this.#everyMs) / this.#plan.connections;
      const send = (hasWaited = false) => {
        const now = performance.now();
        if (now >= this.#to || this.#left <= 0) return resolve();
        if (now < dueAt) {
          setTimeout(send, dueAt - now, true);
          return;
        }
        // A late answer delays the next request: its latency counts from the time when it was due.
        sentAt = this.#everyMs === 0 || hasWaited ? now : dueAt;
        dueAt += this.#everyMs;
        this.#left -= 1;
        request = this.#next(connection);
        if (request === undefined) {
          this.#endNow();
          return resolve();
        }
        socket.write(request.text, 'latin1');
      };
      const lose = (reason: string) => {
        if (request !== undefined) this.#note(request, 'lost', sentAt);
        this.#complain(`lost: ${reason}`);
        request = undefined;
        socket.destroy();
        resolve();
      };
      socket.on('data', (chunk) => {
        try {
          const answer = reader.push(chunk);
          if (answer === undefined || request === undefined) return;
          this.#note(request, String(answer.status), sentAt);
          if (answer.status < 300) request.learn?.(answer.body);
          else this.#complain(`${request.label} ${answer.status}: ${answer.body.toString()}`);
          request = undefined;
          send();
        } catch (error) {
          lose((error as Error).message);
        }
      });
      socket.on('error', (error) => lose(error.message));
      socket.on('close', () => (request === undefined ? resolve() : lose('the connection was closed')));
      socket.setTimeout(ANSWER_TIMEOUT_MS, () => lose('no answer in time'));
      send();
    });
  }

  /** The measured time ends when the first connection finds nothing left to send. */
  #endNow(): void {
    this.#to = Math.min(this.#to, performance.now());
    this.#noteUsage();
  }

  result(): LoadResult {
    const measureMs = this.#to - this.#from;
    if (measureMs <= 0) throw new Error('nothing was left to send before anything was measured');
    const byLabel = [...this.#byLabel].map(([label, tally]) => [label, tally.figures(measureMs)] as const);
    return {
      all: this.#all.figures(measureMs),
      byLabel: Object.fromEntries(byLabel),
      complaints: [...this.#complaints],
      generatorLoad: this.#generatorLoad,
    };
  }

  #note({ label }: LoadRequest, status: string, sentAt: number): void {
    if (sentAt < this.#from) return;
    const now = performance.now();
    const tally = this.#byLabel.get(label) ?? new Tally();
    this.#byLabel.set(label, tally);
    for (const one of [this.#all, tally]) one.add(status, now - sentAt, now <= this.#to);
  }

  /** Numbers are removed, so that texts that differ only in them count once. */
  #complain(text: string): void {
    if (this.#complaints.size >= MAX_COMPLAINTS) return;
    this.#complaints.add(text.slice(0, COMPLAINT_LENGTH).replaceAll(/\d{4,}/g, '…'));
  }

  #noteUsage(): void {
    if (this.#generatorLoad > 0) return;
    const { user, system } = process.cpuUsage(this.#usageAtStart);
    this.#generatorLoad = (user + system) / 1_000 / (this.#to - this.#from);
  }
}
