/** PostgreSQL's words for "not now": connections, going down, out of resources, timed out, lost against others. */
const SQL_STATES = /^(08|57P0|57014|53|40001|40P01)/;
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH']);
/** Prisma: cannot reach, timed out, connection closed, no connection from the pool in time. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028']);
/** The driver adapter's own words. */
const ADAPTER_KINDS = new Set(['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed', 'TooManyConnections']);
const TEXTS =
  /connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i;
const MAX_CAUSES = 5;

function looksUnavailable(error: object): boolean {
  const { code, message, originalCode, kind } = error as Record<string, unknown>;
  for (const given of [code, originalCode]) {
    if (typeof given !== 'string') continue;
    if (SQL_STATES.test(given) || SOCKET_CODES.has(given) || PRISMA_CODES.has(given)) return true;
  }
  if (typeof kind === 'string' && ADAPTER_KINDS.has(kind)) return true;
  return typeof message === 'string' && TEXTS.test(message);
}

/** Of all that, what says nothing about the work itself: the database is away, and every statement would fail. */
const AWAY = /^(08|57P0|P1001|P1002|P1008|P1011|P1017)|^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)/;

export function isDatabaseAway(error: unknown): boolean {
  return matches(error, (cause) => {
    const { code, originalCode, kind, message } = cause as Record<string, unknown>;
    if ([code, originalCode].some((given) => typeof given === 'string' && AWAY.test(given))) return true;
    if (typeof kind === 'string' && ADAPTER_KINDS.has(kind)) return true;
    return typeof message === 'string' && TEXTS.test(message);
  });
}

/** Whether the database is not there, as opposed to having refused something. Looks through Prisma's wrappings. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return matches(error, looksUnavailable);
}

function matches(error: unknown, isIt: (cause: object) => boolean, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > MAX_CAUSES) return false;
  if (isIt(error)) return true;
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return matches(cause, isIt, depth + 1) || matches(meta?.driverAdapterError, isIt, depth + 1);
}
