import { createLedgerClient, type Export, type LedgerClient } from '#clients/typescript/client.js';
import { DAY_MS } from '#platform/config/time-units.js';
import { freePort } from '#tools/services/free-port.js';
import { type Bench, isWanted } from './bench.js';
import { type GoalName, goalOf } from './goals.js';
import { ProcessMeter } from './process-meter.js';
import { recordComparison } from './record-figures.js';
import { printComparisonHead } from './report.js';
import { finishSeeding, inBulk, seedAccounts, seedTransactions } from './seed.js';
import { METRICS_TOKEN, type Server } from './services.js';

// Files of a million transactions, by a worker that does nothing else: how long they take, and how much memory.

const SCENARIO = 'exports';
/** The account has so many times as many transactions as a large wager has bets. */
const TIMES_BETS = 10;
const WAIT_MS = 50;
const ACCOUNT = 1;

const FORMATS = [
  { format: 'csv', time: 'exportCsv', memory: 'exportCsvMemory' },
  { format: 'parquet', time: 'exportParquet', memory: undefined },
] as const satisfies readonly { format: Export['format']; time: GoalName; memory: GoalName | undefined }[];

type Measured = (typeof FORMATS)[number];

export async function measureExports(bench: Bench): Promise<void> {
  if (!isWanted(bench.options, SCENARIO)) return;
  const rows = bench.options.bets * TIMES_BETS;
  const database = await bench.services.createDatabase('exports');
  const [account] = await seedAccounts(database);
  if (account === undefined) throw new Error('There is no account.');
  await inBulk(database, ['transactions'], () => seedTransactions(database, ACCOUNT, rows));
  await finishSeeding(database);
  const metricsPort = await freePort();
  const api = await bench.services.startApi(database);
  const worker = await bench.services.startWorker(database, { WORKER_METRICS_PORT: String(metricsPort) });
  const client = clientOf(api, account.authorization);
  printComparisonHead(bench.print);
  // Node.js compiles the code, and each format takes the buffers that it needs, in a first export of few rows.
  for (const { format } of FORMATS) await exportOnce(client, format, Date.now() - DAY_MS / 48);
  for (const measured of FORMATS) await measureFormat(bench, { client, worker, metricsPort, rows }, measured);
  for (const part of [api, worker]) await part.stop();
}

function clientOf({ port }: Server, authorization: string): LedgerClient {
  const [apiKey = '', apiSecret = ''] = Buffer.from(authorization.replace('Basic ', ''), 'base64')
    .toString()
    .split(/:(.*)/s);
  return createLedgerClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, apiSecret });
}

/** All transactions of the account since then. */
async function exportOnce(client: LedgerClient, format: Export['format'], fromMs: number): Promise<Export> {
  const [from, to] = [fromMs, Date.now() + DAY_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
  const { id } = await client.exports.create({ kind: 'transactions', format, from, to });
  return client.exports.wait(id, { everyMs: WAIT_MS });
}

interface Target {
  readonly client: LedgerClient;
  readonly worker: Server;
  readonly metricsPort: number;
  readonly rows: number;
}

async function measureFormat(bench: Bench, { client, worker, metricsPort, rows }: Target, measured: Measured) {
  const { format, time, memory } = measured;
  await longestPauseMs(metricsPort);
  const meter = new ProcessMeter(worker.pid);
  const startedAt = performance.now();
  const done = await exportOnce(client, format, Date.now() - 2 * DAY_MS);
  const tookMs = performance.now() - startedAt;
  meter.stop();
  if (Number(done.rows) < rows) throw new Error(`The export has ${done.rows} rows, fewer than ${rows}.`);
  const [bytes, pauseMs] = [await downloadedBytes(client, done), await longestPauseMs(metricsPort)];
  const megabytes = Math.round(bytes / 1e6).toLocaleString('en-US');
  recordComparison(bench, {
    ...{ scenario: SCENARIO, what: `${format} of ${rows.toLocaleString('en-US')} transactions`, unit: 'ms' },
    value: tookMs,
    note: `${megabytes} MB; longest pause of the event loop ${Math.round(pauseMs)} ms`,
    ...{ complaints: [], goals: [goalOf(time, tookMs)] },
  });
  if (meter.startMb === undefined || meter.peakMb === undefined) return;
  const moreMb = meter.peakMb - meter.startMb;
  recordComparison(bench, {
    ...{ scenario: SCENARIO, what: `${format}: memory of the worker, above its start`, unit: 'MB', value: moreMb },
    note: `from ${Math.round(meter.startMb)} MB`,
    ...{ complaints: [], goals: memory === undefined ? [] : [goalOf(memory, moreMb)] },
  });
}

/** The client compares the content with its digest. */
async function downloadedBytes(client: LedgerClient, { id }: Export): Promise<number> {
  const { stream } = await client.exports.download(id);
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.byteLength;
  return bytes;
}

/** The most that a timer of the worker was late since the last look. */
async function longestPauseMs(port: number): Promise<number> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const [, seconds = 'NaN'] = /^ledger_event_loop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(page) ?? [];
  return Number(seconds) * 1_000;
}
