// The one classifier of database errors. It decides by PostgreSQL's SQLSTATE, which Prisma wraps, so it searches the causes
// of an error as well. An error without a SQLSTATE comes from the connection or from Prisma itself.

const UNIQUE_VIOLATION = '23505';
/** Serialization failure, deadlock. */
const LOST_TO_OTHERS = new Set(['40001', '40P01']);
/**
 * Connection exceptions, shutdown, a transaction that PostgreSQL ended because its client stood still, and a standby that
 * is not promoted yet: it takes no writes.
 */
const AWAY = /^(08|57P0|25P0[34]|25006)/;
/** Also: a lock or a statement that took too long, out of resources. */
const UNAVAILABLE = /^(57014|55P03|53|40001|40P01)/;
const LOCK_TIMEOUT = '55P03';

const CONNECTION_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOTCONN', 'EPIPE', 'EPROTO', 'ETIMEDOUT', 'ENOTFOUND'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
  // Prisma: the server cannot be reached, timed out, or closed the connection.
  ...['P1001', 'P1002', 'P1008', 'P1011', 'P1017'],
]);
/** Prisma: no connection from the pool in time, or the transaction ran too long. */
const OVERLOAD_CODES = new Set(['P2024', 'P2028']);
/** Of Node's sockets, streams and TLS. */
const NODE_CONNECTION_CODE = /^ERR_(?:SOCKET|STREAM|SSL|TLS)_/;
/** Kinds of the driver adapter. */
const CONNECTION_KINDS = new Set([
  ...['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed', 'TooManyConnections', 'TlsConnectionError'],
]);
/** Errors of the driver that have a text only. */
const CONNECTION_TEXTS =
  /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i;
const MAX_CAUSES = 5;
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** Of a server that ends the connection or itself: it may have written the commit before. */
const UNCERTAIN = /^(?:08|57P)/;
const ENDING_SEVERITIES = new Set<unknown>(['FATAL', 'PANIC']);

/** The commit may have happened, and its caller has no answer to show: the transaction must not be run again. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';

  constructor(cause: unknown) {
    super('the commit was not confirmed', { cause });
  }
}

/** The error and its causes, the outermost first. What made a commit unknown says nothing about what to do next. */
function* causesOf(error: unknown, depth = 0): Generator<Record<string, unknown>> {
  if (typeof error !== 'object' || error === null || error instanceof CommitUnknown || depth > MAX_CAUSES) return;
  yield error as Record<string, unknown>;
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  yield* causesOf(cause, depth + 1);
  yield* causesOf(meta?.driverAdapterError, depth + 1);
}

const codesOf = ({ code, originalCode }: Record<string, unknown>): string[] =>
  [code, originalCode].filter((given) => typeof given === 'string');

const isConnectionFault = (cause: Record<string, unknown>): boolean =>
  codesOf(cause).some((code) => CONNECTION_CODES.has(code) || NODE_CONNECTION_CODE.test(code)) ||
  CONNECTION_KINDS.has(String(cause.kind)) ||
  (typeof cause.message === 'string' && CONNECTION_TEXTS.test(cause.message));

const sqlStatesOf = (error: unknown): string[] =>
  [...causesOf(error)].flatMap(codesOf).filter((code) => SQL_STATE.test(code));

/** Of a condition that a function of this product raises. */
export const hasSqlState = (error: unknown, state: string): boolean => sqlStatesOf(error).includes(state);

export const isUniqueViolation = (error: unknown): boolean => hasSqlState(error, UNIQUE_VIOLATION);

/** Another transaction held a lock for too long. */
export const isLockTimeout = (error: unknown): boolean => hasSqlState(error, LOCK_TIMEOUT);

/** A conflict with another transaction, after which a retry is likely to succeed. */
export const isConflict = (error: unknown): boolean =>
  sqlStatesOf(error).some((state) => state === UNIQUE_VIOLATION || LOST_TO_OTHERS.has(state));

/**
 * PostgreSQL itself says that it has done nothing: it sent a SQLSTATE, and kept the connection open. A code is a SQLSTATE
 * where Prisma's adapter calls it `originalCode`, or where a severity stands beside it, which errors of Node.js have not.
 * Any other error at a COMMIT says nothing about the commit.
 */
export const isRefusedByPostgres = (error: unknown): boolean =>
  [...causesOf(error)].some(({ originalCode, code, severity }) => {
    const state = originalCode ?? (typeof severity === 'string' ? code : undefined);
    const isOfPostgres = typeof state === 'string' && SQL_STATE.test(state);
    return isOfPostgres && !UNCERTAIN.test(state) && !ENDING_SEVERITIES.has(severity);
  });

/** PostgreSQL is not there, or gives no connection: any other statement would fail as well. Also: a commit is unknown. */
export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof CommitUnknown ||
  sqlStatesOf(error).some((state) => AWAY.test(state)) ||
  [...causesOf(error)].some(
    (cause) => isConnectionFault(cause) || codesOf(cause).some((code) => OVERLOAD_CODES.has(code)),
  );

/** PostgreSQL failed for a reason that the request did not cause. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isDatabaseAway(error) || sqlStatesOf(error).some((state) => UNAVAILABLE.test(state));
