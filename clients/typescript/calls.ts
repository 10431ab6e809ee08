import type { FetchOptions, FetchResponse } from 'openapi-fetch';
import type { paths } from './generated.js';

// The types of calls, from those of the API's document.

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathOf<M extends Method> = { [P in keyof paths]: M extends keyof paths[P] ? P : never }[keyof paths];
export type OperationOf<M extends Method, P extends keyof paths> = M extends keyof paths[P] ? paths[P][M] : never;
export type AnswerOf<Operation> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, unknown, 'application/json'>['data']>
    : never;
interface KeyOption {
  /** Set it to repeat the same request from another process or on another day. By default each call gets a new key. */
  readonly idempotencyKey?: string;
}
type HeadersOf<Operation> = Operation extends { parameters: { header?: infer Headers } }
  ? keyof NonNullable<Headers>
  : never;
type OptionsOf<Operation> = FetchOptions<Operation> &
  ('Idempotency-Key' extends HeadersOf<Operation> ? KeyOption : unknown);
type IsOptional<Options> = Record<never, never> extends Options ? true : false;

export type Call<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...options: IsOptional<OptionsOf<OperationOf<M, P>>> extends true
    ? [options?: OptionsOf<OperationOf<M, P>>]
    : [options: OptionsOf<OperationOf<M, P>>]
) => Promise<AnswerOf<OperationOf<M, P>>>;
