import createClient from 'openapi-fetch';
import type { Call, Method } from '#clients/typescript/calls.js';
import type { components, paths } from '#clients/typescript/generated.js';
import { asNoAnswer, LedgerError } from './errors.js';
import { documentCameMs, firstAnswer, type Params } from './first-view.js';
import { askForProof } from './proof.js';
import { hasEnded, pageHeaders } from './session.js';
import { ofViewedAccount } from './viewed-account.js';

// The calls of the public API, which the console's server passes on with the token of the session.

export type Schemas = components['schemas'];

const KEY_HEADER = 'Idempotency-Key';
const UNAUTHORIZED = 401;

const client = createClient<paths>({
  baseUrl: '/api',
  // Commas separate the items of lists; each filter by meta is a parameter of its own.
  querySerializer: { array: { style: 'form', explode: false }, object: { style: 'form', explode: true } },
});

interface GivenOptions {
  readonly idempotencyKey?: string;
  readonly params?: Params & { readonly header?: object };
}
interface AnyAnswer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type AnyRequest = (method: Method, path: string, options: object) => Promise<AnyAnswer>;

async function callOnce(method: Method, path: string, options: GivenOptions) {
  const { idempotencyKey, ...given } = ofViewedAccount(method, path, options);
  const key = idempotencyKey !== undefined && { [KEY_HEADER]: idempotencyKey };
  const header = { ...given.params?.header, ...pageHeaders(), ...key };
  const request = client.request as unknown as AnyRequest;
  const sent = { ...given, params: { ...given.params, header } };
  const { data, error, response } = await request(method, path, sent).catch(asNoAnswer);
  if (response.status === UNAUTHORIZED) hasEnded.value = true;
  if (!response.ok) throw new LedgerError(`${method.toUpperCase()} ${path}`, response, error, idempotencyKey);
  return { body: data, headers: response.headers };
}

async function call(method: Method, path: string, given: GivenOptions = {}) {
  try {
    return await callOnce(method, path, given);
  } catch (error) {
    const isStale = error instanceof LedgerError && error.code === 'proof-stale';
    if (!isStale || !(await askForProof())) throw error;
    return callOnce(method, path, given);
  }
}

const calling = (method: Method) => async (path: string, given?: GivenOptions) =>
  (await call(method, path, given)).body;

/** A call answers the body of the answer. It throws a LedgerError for a refusal, a NoAnswer without an answer. */
export const api = {
  get: calling('get') as Call<'get'>,
  post: calling('post') as Call<'post'>,
  put: calling('put') as Call<'put'>,
  patch: calling('patch') as Call<'patch'>,
  delete: calling('delete') as Call<'delete'>,
};

/** Sends lines of JSON and answers those that come back: the document's client has no such call. */
export async function postLines(path: string, query: object, lines: string): Promise<string> {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const options = { params: { query }, body: lines, bodySerializer: String, headers, parseAs: 'text' } as GivenOptions;
  return (await call('post', path, options)).body as string;
}

/** What a load shows: the position in the event log, and when it came. */
export interface Moment {
  readonly asOf: string | undefined;
  readonly at: Date;
  /** When it came, by `performance.now()`. */
  readonly cameMs: number;
}

/** The reads of one load: they end with it, and know of which moment their answers are. */
export class Reads {
  readonly #positions = new Set<string | undefined>();
  #at: Date | undefined;
  #cameMs = 0;

  constructor(readonly signal: AbortSignal) {}

  readonly get = (async (path: string, given: GivenOptions = {}) => {
    const came = firstAnswer(path, ofViewedAccount('get', path, given).params);
    if (came !== undefined) return this.#note(came.body, came.asOf, came.date, documentCameMs());
    const { body, headers } = await call('get', path, { signal: this.signal, ...given } as GivenOptions);
    return this.#note(body, headers.get('Ledger-As-Of'), headers.get('Date'));
  }) as Call<'get'>;

  #note(
    body: unknown,
    asOf: string | null | undefined,
    date: string | null | undefined,
    cameMs = performance.now(),
  ): unknown {
    this.#positions.add(asOf ?? undefined);
    const at = new Date(date ?? Date.now());
    if (this.#at === undefined || this.#at < at) this.#at = at;
    this.#cameMs = cameMs;
    return body;
  }

  /** For answers that name their position themselves. */
  setPosition(position: string | undefined): void {
    this.#positions.clear();
    this.#positions.add(position);
  }

  /** The position only when it is the same in all answers. */
  get moment(): Moment {
    const [asOf, ...others] = this.#positions;
    return { asOf: others.length === 0 ? asOf : undefined, at: this.#at ?? new Date(), cameMs: this.#cameMs };
  }
}

export { LedgerError };
