import path from 'node:path';
import { z } from 'zod';
import { apiFault, databaseFault, insecureServices, redisFault, smtpRequiresTls } from './connection-rules.js';
import { LIMIT_SETTING_FAULT, type RequestLimit, type RequestLimitSetting, readLimitSetting } from './limit-setting.js';
import { REDIS_ADDRESS_FAULT, readRedisAddress } from './redis-address.js';
import { DAY_MS, HOUR_MS } from './time-units.js';

/** Bad configuration: the text says which variable and why. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The exit code for faulty configuration (sysexits EX_CONFIG), so that supervisors do not restart the process in vain. */
export const CONFIG_EXIT_CODE = 78;

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS } as const;

const duration = z
  .string()
  .regex(/^\d+(ms|s|m|h|d)$/, 'must be a number with a unit, like 30m, 24h or 7d')
  .transform((text) => {
    const [, count, unit] = /^(\d+)(\w+)$/.exec(text) ?? [];
    return Number(count) * unitMs[unit as keyof typeof unitMs];
  })
  .pipe(
    z
      .number()
      .min(1_000, 'must be at least 1s')
      .max(366 * unitMs.d, 'must be at most 366d'),
  );

const integer = (minimum: number, maximum: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(minimum).max(maximum));

const address = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });

const limitSetting = z.string().transform((text, context) => {
  const setting = readLimitSetting(text);
  if (setting !== undefined) return setting;
  context.addIssue({ code: 'custom', message: LIMIT_SETTING_FAULT });
  return z.NEVER;
});

const serviceList = z
  .string()
  .transform((text) => text.split(',').map((service) => service.trim()))
  .pipe(z.array(z.enum(insecureServices, { error: `must consist of ${insecureServices.join(', ')}` })));

const KEY_BYTES = 32;
const KEYS_FAULT = 'must be 32 random bytes in base64, or several such keys with commas between them';

/** Keys that encrypt what is stored. The first one encrypts; all decrypt. */
const keys = z.string().transform((text, context): readonly Buffer[] => {
  const given = text.split(',').map((key) => key.trim());
  const read = given.map((key) => Buffer.from(key, 'base64'));
  if (read.every((key, index) => key.length === KEY_BYTES && key.toString('base64') === given[index])) return read;
  context.addIssue({ code: 'custom', message: KEYS_FAULT });
  return z.NEVER;
});

const environment = z.object({
  NODE_ENV: z.string().default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(3000),
  DASHBOARD_PORT: integer(0, 65_535).default(3001),
  DATABASE_URL: address('postgres:', 'postgresql:'),
  DATABASE_LISTEN_URL: address('postgres:', 'postgresql:').optional(),
  READ_DATABASE_URL: address('postgres:', 'postgresql:').optional(),
  DATABASE_CONNECTIONS: integer(2, 500).default(10),
  REQUEST_DEADLINE: duration.default(10 * unitMs.s),
  REDIS_URL: z.string().refine((text) => readRedisAddress(text) !== undefined, { error: REDIS_ADDRESS_FAULT }),
  REDIS_PREFIX: z
    .string()
    // With braces, a Redis cluster stores all keys of the prefix in one slot; without, each queue has a slot of its own.
    .regex(/^(?:[\w-]+|\{[\w-]+\})$/, 'must consist of letters, digits, _ and -, and may stand in braces')
    .default('ledger'),
  SMTP_URL: address('smtp:', 'smtps:').optional(),
  INSECURE_CONNECTIONS: serviceList.default([]),
  SMTP_TIMEOUT: duration.default(10 * unitMs.s),
  MAIL_FROM: z.string().min(3).default('Betting Ledger <no-reply@betting-ledger.invalid>'),
  APP_URL: address('http:', 'https:').optional(),
  CONSOLE_URL: address('http:', 'https:').optional(),
  API_URL: address('http:', 'https:').optional(),
  ACCESS_TOKEN_TTL: duration.default(24 * unitMs.h),
  BCRYPT_COST: integer(10, 15).default(11),
  SETTLEMENT_BOUND: integer(0, 1_000).default(500),
  SETTLEMENT_CHUNK: integer(1, 5_000).default(2_000),
  REQUIRE_APPROVAL: z.enum(['force', '']).default(''),
  REQUIRE_SECOND_FACTOR: z.enum(['all', '']).default(''),
  RATE_LIMITS: limitSetting.prefault('on'),
  TRUST_PROXY: integer(0, 10).default(0),
  DASHBOARD_TRUST_PROXY: integer(0, 10).optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  CONSOLE_SECRET: z
    .string()
    // It travels in a header.
    .regex(/^[!-~]{16,}$/, 'must have at least 16 characters, and no spaces')
    .optional(),
  WORKER_METRICS_PORT: integer(0, 65_535).optional(),
  DATA_DIR: z.string().default('.data'),
  EXPORT_DIR: z.string().optional(),
  WEBHOOK_KEY: keys.optional(),
  ALLOW_PRIVATE_WEBHOOKS: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

/** What is unsafe in production, or leads nowhere. */
function findUnsafe(given: z.output<typeof environment>, context: z.RefinementCtx): void {
  const { REDIS_URL, INSECURE_CONNECTIONS } = given;
  const faults: Record<string, string | undefined> = { REDIS_URL: redisFault(REDIS_URL, INSECURE_CONNECTIONS) };
  for (const name of ['DATABASE_URL', 'DATABASE_LISTEN_URL', 'READ_DATABASE_URL'] as const) {
    const url = given[name];
    if (url !== undefined) faults[name] = databaseFault(url, INSECURE_CONNECTIONS);
  }
  if (given.ALLOW_PRIVATE_WEBHOOKS === 'true') faults.ALLOW_PRIVATE_WEBHOOKS = 'must not be true in production';
  if (given.API_URL !== undefined) faults.API_URL = apiFault(given.API_URL);
  for (const [name, message] of Object.entries(faults)) {
    if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
  }
}

/**
 * Production needs these: mails in a folder and links to localhost would not reach users, and a proxy in front may make
 * every caller of /metrics look private.
 */
const needed = { SMTP_URL: true, APP_URL: true, METRICS_TOKEN: true } as const;
const productionEnvironment = environment.required(needed).superRefine(findUnsafe);
/** Without the secret, the API would count all browsers as one caller. */
const productionDashboard = environment.required({ ...needed, CONSOLE_SECRET: true }).superRefine(findUnsafe);

function textOfMissing(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type' || issue.input !== undefined) return undefined;
  return issue.expected === 'nonoptional' ? 'is not set, and production needs it' : 'is not set';
}

export interface RedisSettings {
  readonly url: string;
  /** Without TLS, nodes outside the private networks get no connection, also when a cluster names them. */
  readonly staysPrivate?: boolean;
  /** Multiplies the time in which Redis must answer. Tests that share their machine with others need it. */
  readonly patience?: number;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dashboardPort: number;
  readonly databaseUrl: string;
  /** Past a pooler that gives each transaction another connection: where LISTEN works. */
  readonly databaseListenUrl: string;
  /** A standby. Undefined: everything is read from the primary. */
  readonly readDatabaseUrl: string | undefined;
  readonly databaseConnections: number;
  /** How long a request waits for its answer. */
  readonly requestDeadlineMs: number;
  /** Whether what an admin forces needs another admin. */
  readonly forcingNeedsAdmin: boolean;
  readonly redis: RedisSettings;
  readonly redisPrefix: string;
  /** Undefined: mails are written as files into `mailFolder`. */
  readonly smtpUrl: string | undefined;
  /** Whether a mail server without STARTTLS gets no mail. */
  readonly smtpRequiresTls: boolean;
  readonly smtpTimeoutMs: number;
  readonly mailFrom: string;
  readonly mailFolder: string;
  /** The API and the workers share it. */
  readonly exportFolder: string;
  readonly appUrl: string;
  /** Where people find the console. Undefined: mails name no page of it. */
  readonly consoleUrl: string | undefined;
  /** Where the console reaches the API. */
  readonly apiUrl: string;
  readonly accessTokenTtlMs: number;
  readonly bcryptCost: number;
  /** Whether admins have their rights only with a second factor: in production. */
  readonly adminsNeedSecondFactor: boolean;
  /** Whether no operator of any account may do more than add a second factor while it has none. */
  readonly allNeedSecondFactor: boolean;
  /** How many bets a decision settles itself; the worker settles the others. */
  readonly settlementBound: number;
  /** How many bets the worker settles in one transaction. */
  readonly settlementChunk: number;
  /** Whether tries of passwords and codes are limited. */
  readonly rateLimits: boolean;
  /** Undefined: registrations are not limited by address. */
  readonly registrationLimit: RequestLimit | undefined;
  readonly requestLimits: RequestLimitSetting;
  /** The number of our own proxies in front of the API, whose word on a caller's address is trusted. */
  readonly trustedProxies: number;
  /** The same for the dashboard. */
  readonly dashboardTrustedProxies: number;
  /** The API believes the address that the console names with it. Undefined: it believes none. */
  readonly consoleSecret: string | undefined;
  /** Undefined: only callers at private addresses may read metrics. */
  readonly metricsToken: string | undefined;
  /** Undefined: a worker serves no metrics. */
  readonly workerMetricsPort: number | undefined;
  /** Of the secrets of webhook endpoints and second factors. Empty: there are neither. */
  readonly webhookKeys: readonly Buffer[];
  /** Whether webhooks may go to private addresses, without TLS, and to other ports: for development. */
  readonly allowPrivateWebhooks: boolean;
  readonly logLevel: string;
}

/** In production a port of this machine leads nowhere. */
function consoleUrlOf({ CONSOLE_URL, DASHBOARD_PORT, NODE_ENV }: z.output<typeof environment>): string | undefined {
  if (CONSOLE_URL === undefined && NODE_ENV === 'production') return undefined;
  return (CONSOLE_URL ?? `http://localhost:${DASHBOARD_PORT}`).replace(/\/+$/, '');
}

/** Reads the environment once, at the start of a part. Empty variables count as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, part?: string): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const inProduction = part === 'dashboard' ? productionDashboard : productionEnvironment;
  const expected = given.NODE_ENV === 'production' ? inProduction : environment;
  const parsed = expected.safeParse(given, { error: textOfMissing });
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`Configuration: ${faults.join('; ')}.`);
  }
  const values = parsed.data;
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dashboardPort: values.DASHBOARD_PORT,
    databaseUrl: values.DATABASE_URL,
    databaseListenUrl: values.DATABASE_LISTEN_URL ?? values.DATABASE_URL,
    readDatabaseUrl: values.READ_DATABASE_URL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    requestDeadlineMs: values.REQUEST_DEADLINE,
    forcingNeedsAdmin: values.REQUIRE_APPROVAL === 'force',
    redis: {
      url: values.REDIS_URL,
      staysPrivate: values.NODE_ENV === 'production' && !values.INSECURE_CONNECTIONS.includes('redis'),
    },
    redisPrefix: values.REDIS_PREFIX,
    smtpUrl: values.SMTP_URL,
    smtpRequiresTls: values.SMTP_URL !== undefined && smtpRequiresTls(values.SMTP_URL),
    smtpTimeoutMs: values.SMTP_TIMEOUT,
    mailFrom: values.MAIL_FROM,
    mailFolder: path.resolve(values.DATA_DIR, 'mail'),
    exportFolder: path.resolve(values.EXPORT_DIR ?? path.join(values.DATA_DIR, 'exports')),
    appUrl: (values.APP_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ''),
    consoleUrl: consoleUrlOf(values),
    apiUrl: values.API_URL ?? `http://localhost:${values.PORT}`,
    accessTokenTtlMs: values.ACCESS_TOKEN_TTL,
    bcryptCost: values.BCRYPT_COST,
    adminsNeedSecondFactor: values.NODE_ENV === 'production',
    allNeedSecondFactor: values.REQUIRE_SECOND_FACTOR === 'all',
    settlementBound: values.SETTLEMENT_BOUND,
    settlementChunk: values.SETTLEMENT_CHUNK,
    rateLimits: values.RATE_LIMITS.tries,
    registrationLimit: values.RATE_LIMITS.registration,
    requestLimits: values.RATE_LIMITS.requests,
    trustedProxies: values.TRUST_PROXY,
    dashboardTrustedProxies: values.DASHBOARD_TRUST_PROXY ?? values.TRUST_PROXY,
    consoleSecret: values.CONSOLE_SECRET,
    metricsToken: values.METRICS_TOKEN,
    workerMetricsPort: values.WORKER_METRICS_PORT,
    webhookKeys: values.WEBHOOK_KEY ?? [],
    allowPrivateWebhooks: values.ALLOW_PRIVATE_WEBHOOKS === 'true',
    logLevel: values.LOG_LEVEL,
  });
}
