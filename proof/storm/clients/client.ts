import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { misfitsOfRead } from '../checks/answers-reads.js';
import {
  type Expected,
  isSuccess,
  type Kind,
  type Operation,
  type Request,
  type StormAccount,
  successOf,
} from '../history.js';
import type { House } from './house.js';
import type { Progress, Sender } from './sender.js';

export interface Asking {
  readonly expected?: Expected;
  /** Without one, what is tried again may be done again: for requests that the service takes no key for. */
  readonly keyed?: boolean;
  readonly account?: StormAccount;
  readonly token?: string | undefined;
}

export interface ClientParts {
  readonly number: number;
  readonly house: House;
  /** The accounts whose things must stay out of reach. */
  readonly strangers: readonly House[];
  readonly chance: SeededRandom;
  readonly sender: Sender;
  readonly progress: Progress;
  /** Where everything that is asked is written down. */
  readonly operations: Operation[];
}

const TWICE_AT_ONCE = 0.08;
const AGAIN_AT_ONCE = 0.03;
const REMEMBERED = 30;
const KEY_REUSED = 'This Idempotency-Key was used with another request';
const reads: readonly Kind[] = ['read', 'read-user', 'read-users'];

/** Asks one thing after the other. */
export class Client {
  readonly house: House;
  readonly strangers: readonly House[];
  readonly chance: SeededRandom;
  readonly number: number;
  readonly #parts: ClientParts;
  readonly #answered: Operation[] = [];
  #named = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.number = parts.number;
    this.house = parts.house;
    this.strangers = parts.strangers;
    this.chance = parts.chance;
  }

  /** Unlike any other. */
  newName(): string {
    this.#named += 1;
    return `c${this.number}-${this.#named}`;
  }

  get(kind: Kind, path: string, asking?: Asking): Promise<Operation> {
    return this.ask(kind, { method: 'GET', path }, { keyed: false, ...asking });
  }

  post(kind: Kind, path: string, body?: object, asking?: Asking): Promise<Operation> {
    return this.ask(kind, { method: 'POST', path, ...(body !== undefined && { body }) }, asking);
  }

  patch(kind: Kind, path: string, body: object, asking?: Asking): Promise<Operation> {
    return this.ask(kind, { method: 'PATCH', path, body }, asking);
  }

  async ask(kind: Kind, request: Request, { expected, keyed = true, ...who }: Asking = {}): Promise<Operation> {
    const { sender, house } = this.#parts;
    const token = 'token' in who ? who.token : house.token;
    const key = keyed ? this.newName() : undefined;
    const operation = this.#write({ kind, request, key, expected, account: who.account });
    if (keyed && this.chance.happens(TWICE_AT_ONCE)) await sender.sendTwice(operation, token);
    else await sender.send(operation, token);
    if (keyed && this.chance.happens(AGAIN_AT_ONCE)) await sender.send(operation, token);
    if (keyed && !('token' in who)) this.#remember(operation);
    if (kind === 'read') forget(operation);
    if (!reads.includes(kind) && isSuccess(operation)) this.#parts.progress.effects += 1;
    return operation;
  }

  /** What was answered some time ago is answered the same again. */
  async repeat(): Promise<void> {
    const operation = this.#answered[this.chance.below(this.#answered.length)];
    if (operation !== undefined) await this.#parts.sender.send(operation, this.house.token);
  }

  /** The key of a payment does not serve for another one. */
  async reuseKey(): Promise<void> {
    const payment = this.#answered.find(({ kind }) => kind === 'fund' || kind === 'withdraw');
    if (payment === undefined) return;
    const { key, request } = payment;
    const other = { ...request, body: { ...request.body, description: 'another payment' } };
    const expected = { status: 422, text: KEY_REUSED };
    await this.#parts.sender.send(this.#write({ kind: 'reused-key', request: other, key, expected }), this.house.token);
  }

  #write({ expected, account, ...asked }: AskedFor): Operation {
    const operation: Operation = {
      ...asked,
      client: this.number,
      account: account ?? this.house.account,
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

/** Only what is wrong with it is of interest, and the bodies of all reads together would be much. */
function forget(read: Operation): void {
  const body = successOf<unknown>(read);
  if (body !== undefined) read.answers[0] = { status: 200, body: { misfits: misfitsOfRead(read, body) } };
}

interface AskedFor extends Pick<Operation, 'kind' | 'request' | 'key'> {
  readonly expected: Expected | undefined;
  readonly account?: StormAccount | undefined;
}
