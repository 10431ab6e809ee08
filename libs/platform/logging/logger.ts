import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTraceId } from './trace-context.js';

export type { Logger };

export interface LoggerOptions {
  readonly name: string;
  readonly level: string;
}

/** Keys whose values are never logged, even if a whole object is logged by mistake. */
const SECRET_KEYS = [
  'password',
  'new_password',
  'password_confirmation',
  'passwordHash',
  'token',
  'code',
  'api_secret',
  'base64_encoded',
  'authorization',
  'cookie',
];

function traceFacts(): object {
  const traceId = currentTraceId();
  return traceId === undefined ? {} : { trace_id: traceId };
}

export interface Logging {
  readonly logger: Logger;
  /** Writes buffered lines at once, for the end of the process. */
  flush(): void;
}

export function createLogging({ name, level }: LoggerOptions): Logging {
  // Buffered and asynchronous, so that a log line does not cost a request a system call.
  const output = pino.destination({ dest: 1, sync: false, minLength: 0 });
  return { logger: createLogger({ name, level, destination: output }), flush: () => output.flushSync() };
}

export function createLogger({
  name,
  level,
  destination,
}: LoggerOptions & { readonly destination: DestinationStream }): Logger {
  return pino(
    {
      name,
      level,
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFacts,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}
