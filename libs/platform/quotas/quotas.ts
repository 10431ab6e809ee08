import type { RefusalCode } from '../errors/refusal.js';

// What is kept for callers, in the memory of a process or on a disk, and how much of it each of them may hold.

const MIB = 1_024 * 1_024;
const GIB = 1_024 * MIB;

export interface Quota {
  /** At most so much for an account. */
  readonly account: number;
  /** Together, for all accounts that were registered from one network: a /24 of IPv4, a /48 of IPv6. */
  readonly network: number;
  readonly whole: number;
  /** The part of the whole that only accounts may use that hold nothing yet, or as little as `little`. */
  readonly reserve: number;
  readonly little?: number;
  /** What a caller gets who meets one of the bounds. Null: it is work of a worker, which has no caller. */
  readonly refusal: RefusalCode | null;
  readonly retryAfterSeconds: number;
}

/** docs/security.md shows this table. */
export const quotas = {
  /** Of events and of books. */
  streams: {
    account: 20,
    network: 200,
    whole: 1_250,
    reserve: 250,
    refusal: 'too-many-streams',
    retryAfterSeconds: 5,
  },
  /** With `conflate_ms`. Counted apart: a page of a wager has two, and 20 people may look at one. */
  'conflated-streams': {
    account: 40,
    network: 400,
    whole: 750,
    reserve: 150,
    refusal: 'too-many-streams',
    retryAfterSeconds: 5,
  },
  /** Open offers of the books that streams follow. */
  'followed-offers': {
    account: 80_000,
    network: 120_000,
    whole: 200_000,
    reserve: 60_000,
    refusal: 'books-too-large',
    retryAfterSeconds: 5,
  },
  /** Requests that wait for events. */
  'long-polls': {
    account: 20,
    network: 200,
    whole: 1_000,
    reserve: 200,
    refusal: 'too-many-waiting',
    retryAfterSeconds: 1,
  },
  /** Endpoints that a worker delivers to. An account has ten of them at most. */
  'webhook-turns': {
    account: 10,
    network: 20,
    whole: 50,
    reserve: 10,
    refusal: null,
    retryAfterSeconds: 1,
  },
  /** Files that a worker writes. Each holds a connection and a snapshot of its own. */
  'export-runs': {
    account: 2,
    network: 3,
    whole: 6,
    reserve: 2,
    refusal: null,
    retryAfterSeconds: 1,
  },
  /** Large previews that a worker computes. Each holds a connection and a snapshot of its own. */
  'preview-runs': {
    account: 1,
    network: 2,
    whole: 4,
    reserve: 1,
    refusal: null,
    retryAfterSeconds: 1,
  },
  /** Previews that requests compute, or that wait for their turn. `libs/http/turns.ts` lets 1 of an account be computed. */
  previews: {
    account: 6,
    network: 12,
    whole: 60,
    reserve: 20,
    refusal: 'rate-limited',
    retryAfterSeconds: 1,
  },
  /** Decisions that may need approval and are looked at, or that wait for their turn: 1 of an account, 2 of all. */
  approvals: {
    account: 10,
    network: 20,
    whole: 100,
    reserve: 40,
    refusal: 'rate-limited',
    retryAfterSeconds: 1,
  },
  /** Imports whose body is read. */
  'import-bodies': {
    account: 1,
    network: 2,
    whole: 12,
    reserve: 4,
    refusal: 'rate-limited',
    retryAfterSeconds: 5,
  },
  /** Imports that run, or that wait for their turn: `libs/http/turns.ts` lets 2 of all run. */
  imports: {
    account: 1,
    network: 2,
    whole: 12,
    reserve: 4,
    refusal: 'rate-limited',
    retryAfterSeconds: 5,
  },
  /** Lists that are read, or wait for their turn. Of an account, `libs/http/turns.ts` lets 2 be read and 500 wait. */
  lists: {
    account: 502,
    network: 1_000,
    whole: 2_500,
    reserve: 500,
    little: 20,
    refusal: 'rate-limited',
    retryAfterSeconds: 1,
  },
  /** Bytes of large requests that changed data, within an hour: of their bodies, and of the answers that a key stores. */
  'stored-bytes': {
    account: 2 * GIB,
    network: 4 * GIB,
    whole: 8 * GIB,
    reserve: 2 * GIB,
    little: 64 * MIB,
    refusal: 'rate-limited',
    retryAfterSeconds: 300,
  },
  /** Bytes of the files of exports that have not expired, of all workers together. */
  'export-bytes': {
    account: 4 * GIB,
    network: 8 * GIB,
    whole: 32 * GIB,
    reserve: 8 * GIB,
    little: 256 * MIB,
    refusal: null,
    retryAfterSeconds: 1,
  },
  /** Bytes that a reader has not taken. The network with the most of them pays for the whole. */
  'unread-answers': {
    account: 16 * MIB,
    network: 32 * MIB,
    whole: 64 * MIB,
    reserve: 0,
    refusal: 'rate-limited',
    retryAfterSeconds: 2,
  },
} as const satisfies Record<string, Quota>;

export type QuotaName = keyof typeof quotas;

export const quotaNames = Object.keys(quotas) as QuotaName[];
