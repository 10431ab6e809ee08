import createClient from 'openapi-fetch';
import type { Call, Method } from '#clients/typescript/calls.js';
import type { components, paths } from '#clients/typescript/generated.js';
import { asNoAnswer, LedgerError, NoAnswer } from './errors.js';
import { firstAnswer } from './first-view.js';
import { hasEnded, pageHeaders } from './session.js';

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
  readonly params?: { readonly header?: object; readonly query?: object };
}
interface AnyAnswer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
type AnyRequest = (method: Method, path: string, options: object) => Promise<AnyAnswer>;

/** What an answer says beside its body: the position in the event log, and when it came. */
export interface Moment {
  readonly asOf: string | undefined;
  readonly at: Date;
}
const moments = new WeakMap<object, Moment>();

/** The moment of an answer's body. */
export const momentOf = (body: object): Moment => moments.get(body) ?? { asOf: undefined, at: new Date() };

/** Gives a body that was made of answers their moment: the position only when it is the same in all. */
export function ofMoment<Body extends object>(body: Body, answers: readonly object[]): Body {
  const found = answers.map(momentOf);
  const [asOf, ...others] = new Set(found.map((moment) => moment.asOf));
  const at = new Date(Math.max(...found.map((moment) => moment.at.getTime())));
  moments.set(body, { asOf: others.length === 0 ? asOf : undefined, at });
  return body;
}

/** Of an answer that names its position itself. */
export function atPosition<Body extends object>(body: Body, asOf: string | undefined): Body {
  moments.set(body, { asOf, at: new Date() });
  return body;
}

function noteMoment(body: unknown, asOf: string | null | undefined, date: string | null | undefined): void {
  if (typeof body !== 'object' || body === null) return;
  moments.set(body, { asOf: asOf ?? undefined, at: new Date(date ?? Date.now()) });
}

async function call(method: Method, path: string, { idempotencyKey, ...given }: GivenOptions = {}): Promise<unknown> {
  const key = idempotencyKey !== undefined && { [KEY_HEADER]: idempotencyKey };
  const header = { ...given.params?.header, ...pageHeaders(), ...key };
  const request = client.request as unknown as AnyRequest;
  const options = { ...given, params: { ...given.params, header } };
  const { data, error, response } = await request(method, path, options).catch(asNoAnswer);
  if (response.status === UNAUTHORIZED) hasEnded.value = true;
  if (!response.ok) throw new LedgerError(`${method.toUpperCase()} ${path}`, response, error, idempotencyKey);
  noteMoment(data, response.headers.get('Ledger-As-Of'), response.headers.get('Date'));
  return data;
}

async function read(path: string, given: GivenOptions = {}): Promise<unknown> {
  const came = firstAnswer(path, given.params?.query);
  if (came === undefined) return call('get', path, given);
  noteMoment(came.body, came.asOf, came.date);
  return came.body;
}

const calling = (method: Method) => (path: string, given?: GivenOptions) => call(method, path, given);

/** A call answers the body of the answer. It throws a LedgerError for a refusal, a NoAnswer without an answer. */
export const api = {
  get: read as Call<'get'>,
  post: calling('post') as Call<'post'>,
  patch: calling('patch') as Call<'patch'>,
  delete: calling('delete') as Call<'delete'>,
};

export { LedgerError, NoAnswer };
