import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '#platform/errors/refusal.js';
import type { OnQuotaRefused } from '#platform/quotas/quota-use.js';
import { quotas } from '#platform/quotas/quotas.js';
import { unreadBytesOn } from './connection.js';
import { networkOf } from './limits/network.js';

// Bytes of answers that the kernel has not taken, because their reader is slow or has stopped. They are in the memory of this
// process, so they are bounded. An answer that the kernel takes at once costs one comparison and is never counted.

const MIB = 1_024 * 1_024;
/** Two answers of the largest size: one is read while the next one is made. */
const OF_A_CONNECTION = 8 * MIB;
const QUOTA = 'unread-answers';
const { account: OF_AN_ACCOUNT, network: OF_A_NETWORK, whole: OF_THE_PROCESS, retryAfterSeconds } = quotas[QUOTA];
/** An account or a process with so many unread bytes reads no further list: so the bounds above are seldom reached. */
const ROOM_OF_AN_ACCOUNT = OF_AN_ACCOUNT / 2;
const ROOM_OF_THE_PROCESS = OF_THE_PROCESS / 2;

/** Making a large answer takes this process tens of milliseconds, so an account gets so many bytes of them in a second. */
export const LARGE_ANSWER = 512 * 1_024;
const PACE_BYTES_PER_MS = (4 * MIB) / 1_000;
const MAX_PACED = 10_000;

const SWEEP_MS = 1_000;
/** A connection whose kernel takes no byte for so long is cut. */
const STALLED_MS = 10_000;
/**
 * The kernel takes the bytes of a slow reader in parts of up to 1.5 MB. A reader that has just made room for such a part gets the
 * time in which it reads it at this rate, before it counts as stalled.
 */
const SLOW_BYTES_PER_MS = 64;
const STALLED_AFTER_PART_MS = 30_000;
/** A connection with unread bytes must take so many in each window: a byte now and then does not keep it. */
const WINDOW_MS = 60_000;
const LEAST_BYTES_IN_WINDOW = 256 * 1_024;

/** What the handle of a socket knows. Node's own `bytesWritten` of a socket counts bytes that only wait to be written. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

const handleOf = (socket: Socket) => (socket as Socket & { readonly _handle?: Handle | null })._handle;

/** How many bytes the kernel has taken. */
const takenBy = (socket: Socket): number => {
  const handle = handleOf(socket);
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
};

/** A request as Express knows it. */
type Asked = IncomingMessage & { readonly ip?: string; readonly user?: { readonly account?: { accountId?: bigint } } };

interface Unread {
  readonly accountId: bigint | undefined;
  readonly network: string;
  bytes: number;
  taken: number;
  /** Whether a sweep has found that the kernel took nothing since the one before. */
  isFull: boolean;
  stalledAt: number;
  windowEndsAt: number;
  takenBeforeWindow: number;
}

export interface UnreadAnswersOptions {
  readonly onQuotaRefused?: OnQuotaRefused;
  readonly now?: () => number;
}

export class UnreadAnswers {
  readonly #unread = new Map<Socket, Unread>();
  readonly #onQuotaRefused: OnQuotaRefused;
  readonly #now: () => number;
  /** When an account may have its next list, after large answers. */
  readonly #freeAt = new Map<bigint, number>();
  #sweep: NodeJS.Timeout | undefined;

  constructor({ onQuotaRefused = () => undefined, now = () => performance.now() }: UnreadAnswersOptions = {}) {
    this.#onQuotaRefused = onQuotaRefused;
    this.#now = now;
  }

  /** Called after a write of which bytes are left. Cuts connections until all bounds hold. */
  note(response: ServerResponse): void {
    const { socket } = response.req;
    if (socket.destroyed) return;
    const own = this.#unread.get(socket) ?? this.#begin(socket, response.req);
    own.bytes = unreadBytesOn(socket);
    if (own.bytes > OF_A_CONNECTION) this.#cut(socket, own);
    if (this.#isWithinBounds(own)) return;
    this.#measure();
    this.#cutWhile(OF_AN_ACCOUNT, ({ accountId }) => accountId !== undefined && accountId === own.accountId);
    this.#cutWhile(OF_A_NETWORK, ({ network }) => network === own.network);
    // The network with the most unread bytes pays for the bound of the process, so a reader elsewhere does not.
    while (this.#sum(() => true) > OF_THE_PROCESS) {
      const heaviest = this.#heaviestNetwork();
      this.#cutLargest(({ network }) => network === heaviest);
    }
  }

  /** A large answer was made: the next list of its account waits. */
  pace({ req }: ServerResponse, bytes: number): void {
    const accountId = (req as Asked).user?.account?.accountId;
    if (accountId === undefined) return;
    const now = this.#now();
    if (this.#freeAt.size >= MAX_PACED) {
      for (const [each, at] of this.#freeAt) if (at <= now) this.#freeAt.delete(each);
    }
    this.#freeAt.set(accountId, Math.max(now, this.#freeAt.get(accountId) ?? 0) + bytes / PACE_BYTES_PER_MS);
  }

  /** How many milliseconds the next list of an account waits. */
  waitOf(accountId: bigint): number {
    const freeAt = this.#freeAt.get(accountId);
    if (freeAt === undefined) return 0;
    const waitMs = freeAt - this.#now();
    if (waitMs <= 0) this.#freeAt.delete(accountId);
    return Math.max(0, waitMs);
  }

  /** Refuses a list while earlier answers of the account, or of all accounts, fill the room for unread bytes. */
  assertRoom(accountId: bigint): void {
    if (this.#unread.size === 0) return;
    this.#measure();
    const isFull = this.#sum((each) => each.accountId === accountId) > ROOM_OF_AN_ACCOUNT;
    if (!isFull && this.#sum(() => true) <= ROOM_OF_THE_PROCESS) return;
    this.#onQuotaRefused(QUOTA, accountId);
    throw new Refusal(isFull ? 'rate-limited' : 'overloaded', { retryAfterSeconds });
  }

  #begin(socket: Socket, { user, ip = '' }: Asked): Unread {
    const [now, taken] = [this.#now(), takenBy(socket)];
    const begun: Unread = {
      accountId: user?.account?.accountId,
      network: networkOf(ip),
      bytes: 0,
      taken,
      isFull: false,
      stalledAt: now + STALLED_MS,
      windowEndsAt: now + WINDOW_MS,
      takenBeforeWindow: taken,
    };
    this.#unread.set(socket, begun);
    this.#sweep ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return begun;
  }

  #isWithinBounds(own: Unread): boolean {
    const { accountId, network } = own;
    let [ofAccount, ofNetwork, ofAll] = [0, 0, 0];
    for (const each of this.#unread.values()) {
      ofAll += each.bytes;
      if (each.network === network) ofNetwork += each.bytes;
      if (accountId !== undefined && each.accountId === accountId) ofAccount += each.bytes;
    }
    return ofAccount <= OF_AN_ACCOUNT && ofNetwork <= OF_A_NETWORK && ofAll <= OF_THE_PROCESS;
  }

  /** What is unread now, without connections whose answers have all been taken. */
  #measure(): void {
    for (const [socket, each] of this.#unread) {
      each.bytes = socket.destroyed ? 0 : unreadBytesOn(socket);
      if (each.bytes === 0) this.#unread.delete(socket);
    }
  }

  #sum(counts: (unread: Unread) => boolean): number {
    let bytes = 0;
    for (const each of this.#unread.values()) if (counts(each)) bytes += each.bytes;
    return bytes;
  }

  #heaviestNetwork(): string {
    const networks = new Map<string, number>();
    for (const { network, bytes } of this.#unread.values()) networks.set(network, (networks.get(network) ?? 0) + bytes);
    return [...networks].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];
  }

  #cutWhile(bound: number, counts: (unread: Unread) => boolean): void {
    while (this.#sum(counts) > bound) this.#cutLargest(counts);
  }

  #cutLargest(counts: (unread: Unread) => boolean): void {
    const counted = [...this.#unread].filter(([, each]) => counts(each));
    const [first, ...others] = counted;
    if (first === undefined) return;
    this.#cut(...others.reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most), first));
  }

  /** With a reset, which ends what the kernel holds for the connection as well. */
  #cut(socket: Socket, { accountId }: Unread): void {
    this.#unread.delete(socket);
    this.#onQuotaRefused(QUOTA, accountId);
    socket.resetAndDestroy();
  }

  /** Cuts the connections whose reader has stopped, or is too slow. */
  sweep(): void {
    this.#measure();
    for (const [socket, each] of this.#unread) if (this.#isStalled(socket, each)) this.#cut(socket, each);
    if (this.#unread.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #isStalled(socket: Socket, each: Unread): boolean {
    const [now, taken] = [this.#now(), takenBy(socket)];
    const part = taken - each.taken;
    if (part > 0) {
      const readMs = each.isFull ? Math.min(part / SLOW_BYTES_PER_MS, STALLED_AFTER_PART_MS) : 0;
      each.stalledAt = now + Math.max(STALLED_MS, readMs);
    }
    each.isFull = part === 0;
    each.taken = taken;
    if (now < each.windowEndsAt) return now >= each.stalledAt;
    if (taken - each.takenBeforeWindow < LEAST_BYTES_IN_WINDOW) return true;
    each.windowEndsAt = now + WINDOW_MS;
    each.takenBeforeWindow = taken;
    return now >= each.stalledAt;
  }
}
