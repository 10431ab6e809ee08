import type { History, WebhookRecord, WebhookRequest } from '../../history.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';
import { cursorsIn } from './check-logs.js';

const checks = {
  signed: 'webhooks are signed and named by the standard',
  own: 'webhooks have only events of the log from the beginning of their endpoint on',
  lost: 'every event reaches the webhook endpoint of its account',
  order: 'a webhook comes only after all before it were taken',
  upTo: 'the cursor of a webhook covers only what was taken',
  noted: 'the workers note each webhook once as taken',
} as const;

type Check = keyof typeof checks;

export interface WebhooksReport {
  readonly findings: readonly Finding[];
  /** Events that receivers took. */
  readonly taken: number;
  /** Requests for events that had come before. */
  readonly again: number;
}

/** What came to each endpoint is the log from its beginning on, in order. */
export async function checkWebhooks(
  { webhooks }: Pick<History, 'webhooks'>,
  database: Queryable,
): Promise<WebhooksReport> {
  const texts = new Map<Check, string[]>();
  const add = (check: Check, more: readonly string[]) => texts.set(check, [...(texts.get(check) ?? []), ...more]);
  for (const record of webhooks) {
    const log = await cursorsIn(database, record.accountId);
    const expected = log.slice(log.indexOf(record.beginning) + 1);
    const first = log.length - expected.length + 1;
    for (const { check, place, text } of faultsOfWebhooks(record, expected)) {
      add(check, [textOf(record, place === undefined ? text : `event ${first + place} ${text}`)]);
    }
    const noted = await notedOnce(database, record, { first, expected });
    add(
      'noted',
      noted.map((text) => textOf(record, text)),
    );
  }
  const cameOf = (record: WebhookRecord) => new Set(record.requests.map(({ cursor }) => cursor)).size;
  const requests = webhooks.reduce((sum, record) => sum + record.requests.length, 0);
  const came = webhooks.reduce((sum, record) => sum + cameOf(record), 0);
  return {
    findings: [...texts].flatMap(([check, found]) => findingsOf(checks[check], found)),
    taken: came,
    again: requests - came,
  };
}

const textOf = ({ name, mode }: WebhookRecord, text: string): string => `the ${mode} endpoint of ${name}: ${text}`;

/** A delivery ends once, even where a worker has lost its lease and another one sends the same event. */
async function notedOnce(
  database: Queryable,
  { accountId, endpointId, mode, requests }: WebhookRecord,
  { first, expected }: { readonly first: number; readonly expected: readonly string[] },
): Promise<string[]> {
  const { rows } = await database.query<Record<'seq' | 'times', string>>(
    `SELECT seq, count(*) AS times FROM webhook_attempts
      WHERE account_id = $1 AND endpoint_id = $2 AND error IS NULL GROUP BY seq`,
    [accountId, endpointId],
  );
  const times = new Map(rows.map((row) => [Number(row.seq), Number(row.times)]));
  // Of all that a doorbell rings for at once, the last event alone is noted.
  const rung = new Set(requests.map(({ cursor }) => cursor));
  const wanted = new Set(
    expected.flatMap((cursor, place) => (mode === 'doorbell' && !rung.has(cursor) ? [] : [first + place])),
  );
  return [...new Set([...wanted, ...times.keys()])]
    .filter((seq) => times.get(seq) !== 1 || !wanted.has(seq))
    .map((seq) => `event ${seq} was noted ${times.get(seq) ?? 0} times`);
}

export interface WebhookFault {
  readonly check: Check;
  /** Of the event among the expected ones; undefined: it is none of them. */
  readonly place: number | undefined;
  readonly text: string;
}

/** What is wrong with the requests that came to an endpoint. `expected`: the cursors of its events, in the order of the log. */
export function faultsOfWebhooks(record: WebhookRecord, expected: readonly string[]): WebhookFault[] {
  const positions = new Map([
    [record.beginning, BEGINNING],
    ...expected.map((cursor, place) => [cursor, place] as const),
  ]);
  const placed = record.requests.flatMap((request) => placedIn(positions, request) ?? []);
  const foreign = record.requests.filter((request) => placedIn(positions, request) === undefined);
  const takenAt = momentsOf(placed, expected.length);
  return [
    ...record.faults.map((text) => ({ check: 'signed', place: undefined, text }) as const),
    ...foreign.map(
      ({ cursor }) => ({ check: 'own', place: undefined, text: `${cursor} is none of its events` }) as const,
    ),
    ...takenAt.flatMap((at, place) =>
      at === NEVER ? ([{ check: 'lost', place, text: 'was never taken' }] as const) : [],
    ),
    ...outOfOrder(record, placed, takenAt),
    ...overstated(placed, takenAt, positions),
  ];
}

interface Placed extends WebhookRequest {
  /** Of its event among the expected ones; of a doorbell, of the first and the last event that it rings for. */
  readonly first: number;
  readonly place: number;
}

const NEVER = Number.POSITIVE_INFINITY;
/** The place before the first. */
const BEGINNING = -1;

/** Undefined: it is about other events than those of its endpoint. */
function placedIn(positions: ReadonlyMap<string, number>, request: WebhookRequest): Placed | undefined {
  const place = positions.get(request.cursor) ?? BEGINNING;
  const first = request.from === undefined ? place : (positions.get(request.from) ?? NEVER) + 1;
  return place > BEGINNING && first <= place ? { ...request, first, place } : undefined;
}

/** When each event was first taken. */
function momentsOf(requests: readonly Placed[], count: number): number[] {
  const moments = Array<number>(count).fill(NEVER);
  for (const { first, place, takenAt = NEVER } of requests) {
    for (let at = first; at <= place; at += 1) moments[at] = Math.min(takenAt, moments[at] ?? NEVER);
  }
  return moments;
}

/** For each place of a line, when all before it in the line were taken. */
function readyAt(line: Iterable<number>, takenAt: readonly number[]): ReadonlyMap<number, number> {
  const ready = new Map<number, number>();
  let latest = 0;
  for (const place of line) {
    ready.set(place, latest);
    latest = Math.max(latest, takenAt[place] ?? NEVER);
  }
  return ready;
}

/** The first request of each line that came before an earlier event of the line was taken. */
function outOfOrder({ mode }: WebhookRecord, requests: readonly Placed[], takenAt: readonly number[]): WebhookFault[] {
  if (mode !== 'keyed') return firstTooEarly(requests, readyAt(takenAt.keys(), takenAt));
  const abouts = new Set(requests.map(({ about }) => about));
  return [...abouts].flatMap((about) => {
    const line = requests.filter((request) => request.about === about);
    const places = [...new Set(line.map(({ place }) => place))].sort((one, other) => one - other);
    return firstTooEarly(line, readyAt(places, takenAt));
  });
}

function firstTooEarly(requests: readonly Placed[], ready: ReadonlyMap<number, number>): WebhookFault[] {
  const found = requests.find(({ first, cameAt }) => (ready.get(first) ?? NEVER) > cameAt);
  if (found === undefined) return [];
  const text = `(${found.about}) came before an earlier one was taken`;
  return [{ check: 'order', place: found.place, text }];
}

/** Requests whose cursor says that the receiver has what it does not have. */
function overstated(
  requests: readonly Placed[],
  takenAt: readonly number[],
  positions: ReadonlyMap<string, number>,
): WebhookFault[] {
  const ready = readyAt(takenAt.keys(), takenAt);
  const isOverstated = ({ first, place, upTo, cameAt }: Placed): boolean => {
    const position = positions.get(upTo) ?? NEVER;
    return position > place || (ready.get(Math.min(position + 1, first)) ?? NEVER) > cameAt;
  };
  return requests
    .filter(isOverstated)
    .map(({ place, upTo }) => ({ check: 'upTo', place, text: `came with the cursor ${upTo}` }));
}
