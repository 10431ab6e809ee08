import { randomUUID } from 'node:crypto';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { mismatchesOfRead } from '../checks/answers/read-mismatches.js';
import {
  type Expected,
  isSuccess,
  type Kind,
  type Operation,
  type Request,
  type StormAccount,
  successOf,
} from '../history.js';
import type { KnownAccount } from './known-account.js';
import type { Progress, Sender } from './sender.js';

export interface RequestOptions {
  readonly expected?: Expected;
  /** Whether to send an Idempotency-Key. Without one a retry may take effect again; some endpoints take none. */
  readonly keyed?: boolean;
  readonly account?: StormAccount;
  readonly token?: string | undefined;
  readonly approves?: Operation['approves'];
}

export interface ClientParts {
  readonly number: number;
  readonly known: KnownAccount;
  /** Accounts whose data this client must not reach. */
  readonly otherAccounts: readonly KnownAccount[];
  readonly chance: SeededRandom;
  readonly sender: Sender;
  readonly progress: Progress;
  /** The record of all requests. */
  readonly operations: Operation[];
}

const TWICE_AT_ONCE = 0.08;
const AGAIN_AT_ONCE = 0.03;
const REMEMBERED = 30;
const KEY_REUSED = 'This Idempotency-Key was used with another request';
const reads: readonly Kind[] = ['read', 'read-user', 'read-users'];

/** Sends one request after the other. */
export class Client {
  readonly known: KnownAccount;
  readonly otherAccounts: readonly KnownAccount[];
  readonly chance: SeededRandom;
  readonly number: number;
  readonly #parts: ClientParts;
  readonly #answered: Operation[] = [];
  #named = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.number = parts.number;
    this.known = parts.known;
    this.otherAccounts = parts.otherAccounts;
    this.chance = parts.chance;
  }

  /** A unique name. */
  newName(): string {
    this.#named += 1;
    return `c${this.number}-${this.#named}`;
  }

  get(kind: Kind, path: string, options?: RequestOptions): Promise<Operation> {
    return this.request(kind, { method: 'GET', path }, { keyed: false, ...options });
  }

  post(kind: Kind, path: string, body?: object, options?: RequestOptions): Promise<Operation> {
    return this.request(kind, { method: 'POST', path, ...(body !== undefined && { body }) }, options);
  }

  put(kind: Kind, path: string, body: object): Promise<Operation> {
    return this.request(kind, { method: 'PUT', path, body });
  }

  patch(kind: Kind, path: string, body: object, options?: RequestOptions): Promise<Operation> {
    return this.request(kind, { method: 'PATCH', path, body }, options);
  }

  async request(
    kind: Kind,
    request: Request,
    { expected, keyed = true, approves, ...who }: RequestOptions = {},
  ): Promise<Operation> {
    const { sender, known } = this.#parts;
    const token = 'token' in who ? who.token : known.token;
    const key = keyed ? this.newName() : undefined;
    const operation = this.#record({ kind, request, key, expected, approves, account: who.account });
    if (keyed && this.chance.happens(TWICE_AT_ONCE)) await sender.sendTwice(operation, token);
    else await sender.send(operation, token);
    if (keyed && this.chance.happens(AGAIN_AT_ONCE)) await sender.send(operation, token);
    if (keyed && !('token' in who)) this.#remember(operation);
    if (kind === 'read') dropBody(operation);
    if (!reads.includes(kind) && isSuccess(operation)) this.#parts.progress.effects += 1;
    return operation;
  }

  /** Sends a request again that was answered some time ago: the answer must be the same. */
  async repeat(): Promise<void> {
    const operation = this.#answered[this.chance.below(this.#answered.length)];
    if (operation !== undefined) await this.#parts.sender.send(operation, this.known.token);
  }

  /** Sends another payment with the key of an earlier one. */
  async reuseKey(): Promise<void> {
    const payment = this.#answered.find(({ kind }) => kind === 'fund' || kind === 'withdraw');
    if (payment === undefined) return;
    const { key, request } = payment;
    const other = { ...request, body: { ...request.body, description: 'another payment' } };
    const expected = { status: 422, text: KEY_REUSED };
    await this.#parts.sender.send(
      this.#record({ kind: 'reused-key', request: other, key, expected }),
      this.known.token,
    );
  }

  #record({ expected, account, ...recorded }: RecordedRequest): Operation {
    const operation: Operation = {
      ...recorded,
      requestId: `storm-${randomUUID()}`,
      client: this.number,
      account: account ?? this.known.account,
      expected: expected ?? 'success or refusal',
      calledAt: performance.now(),
      answeredAt: undefined,
      tries: [],
      answers: [],
    };
    this.#parts.operations.push(operation);
    return operation;
  }

  #remember(operation: Operation): void {
    this.#answered.push(operation);
    if (this.#answered.length > REMEMBERED) this.#answered.shift();
  }
}

/** Replaces the body by its mismatches: the bodies of all reads would fill the memory. */
function dropBody(read: Operation): void {
  const body = successOf<unknown>(read);
  if (body !== undefined) read.answers[0] = { status: 200, body: { mismatches: mismatchesOfRead(read, body) } };
}

interface RecordedRequest extends Pick<Operation, 'kind' | 'request' | 'key' | 'approves'> {
  readonly expected: Expected | undefined;
  readonly account?: StormAccount | undefined;
}
