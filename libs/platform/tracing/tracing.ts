import { AsyncLocalStorage } from 'node:async_hooks';

// The trace of a request goes with all that the request causes: into its log lines, and by the outbox into jobs and theirs.

const traces = new AsyncLocalStorage<string>();

/** Of the request, or of the job that a request left, on whose behalf this runs. */
export const currentTraceId = (): string | undefined => traces.getStore() || undefined;

/** Without a trace nothing is followed, and costs nothing. */
export const withTrace = <Result>(traceId: string | undefined, run: () => Result): Result =>
  traceId === undefined ? run() : traces.run(traceId, run);

/** For what serves many requests, whichever of them has started it. */
export const withoutTrace = <Result>(run: () => Result): Result =>
  currentTraceId() === undefined ? run() : traces.run('', run);

/** How a trace stands in the payload of an outbox entry and of its job. */
export const tracePayload = (traceId: string | undefined): { readonly traceId?: string } =>
  traceId === undefined ? {} : { traceId };
