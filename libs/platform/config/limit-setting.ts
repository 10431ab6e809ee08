/** The number of requests allowed in each window. */
export interface RequestLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** The limits of requests; undefined counts nothing. */
export interface RequestLimitSetting {
  /** Requests with a credential, for each account. */
  readonly account: RequestLimit | undefined;
  /** Requests without a credential, for each address. */
  readonly address: RequestLimit | undefined;
}

export interface LimitSetting {
  /** Whether tries of passwords and codes, and requests for mails, are limited. */
  readonly tries: boolean;
  /** Registrations, for each address; undefined counts nothing. */
  readonly registration: RequestLimit | undefined;
  readonly requests: RequestLimitSetting;
}

/**
 * An account may use about half of what one process can answer, so that the process always has time for others. Windows of
 * ten seconds are short enough to end a refusal soon, and long enough for bursts.
 */
const defaults: RequestLimitSetting = {
  account: { requests: 20_000, windowSeconds: 10 },
  address: { requests: 5_000, windowSeconds: 10 },
};

/** A business registers once; its developers try the API with dozens of accounts. */
export const usualRegistrationLimit: RequestLimit = { requests: 200, windowSeconds: 3_600 };

const unlimited: RequestLimitSetting = { account: undefined, address: undefined };

const ENTRY = /^(account|address|registration)=(?:off|([1-9]\d{0,8})\/([1-9]\d{0,4})?([smh]))$/;
const unitSeconds = { s: 1, m: 60, h: 3_600 } as const;
const MAX_WINDOW_SECONDS = 86_400;

export const LIMIT_SETTING_FAULT =
  'must be on, off, or limits such as account=1000/s,address=600/m (count/window, the window as s, m, h or 10s)';

/** Parses `on`, `off`, or limits that replace the defaults: `account=1000/s,address=off`. Undefined for other texts. */
export function readLimitSetting(text: string): LimitSetting | undefined {
  if (text === 'on') return { tries: true, registration: usualRegistrationLimit, requests: defaults };
  if (text === 'off') return { tries: false, registration: undefined, requests: unlimited };
  const entries = text.split(',').map((entry) => ENTRY.exec(entry.trim()));
  const given = new Map<string, RequestLimit | undefined>();
  for (const entry of entries) {
    if (entry === null || given.has(entry[1] as string)) return undefined;
    const limit = limitOf(entry);
    if (limit !== undefined && limit.windowSeconds > MAX_WINDOW_SECONDS) return undefined;
    given.set(entry[1] as string, limit);
  }
  const { registration, ...requests } = {
    registration: usualRegistrationLimit,
    ...defaults,
    ...Object.fromEntries(given),
  };
  return { tries: true, registration, requests };
}

function limitOf([, , requests, count = '1', unit]: RegExpExecArray): RequestLimit | undefined {
  if (requests === undefined) return undefined;
  return { requests: Number(requests), windowSeconds: Number(count) * unitSeconds[unit as keyof typeof unitSeconds] };
}
