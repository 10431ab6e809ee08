import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLedgerClient, ExportDamaged, ExportFailed } from '#clients/typescript/client.js';
import { registerAndLogIn } from '#testing/client.js';
import { readCsv, readParquet } from '#testing/read-files.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ hasWorker: true });
const business = withBusiness(api, { ann: 1000, bob: 1000, '=cmd|calc!A1': 1000 });
/** Everything that the tests do happens in this period. */
const period = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 3_600_000).toISOString(),
});
const HOSTILE = ['=HYPERLINK("http://evil.example";"click")', '+1', '-1+1', '@SUM(1)', 'a,"b" c', '＝1'];
const LARGEST = 999_999_999.999999;
const NO_TIMESTAMP = 'must be a timestamp or an ISO 8601 date';
const FAR = 'from must not be after the year 9998';

const FAIL = `UPDATE exports SET state = 'failed', failure = 'x', rows = NULL, bytes = NULL, sha256 = NULL, as_of = NULL,
                      expires_at = NULL
               WHERE id = $1`;

beforeAll(async () => {
  for (const description of HOSTILE) {
    ok(await business.client.post('/transactions/fund-user', { user_reference: 'ann', amount: 0.01, description }));
  }
  const named = { reference: '=1+1', meta: { shop: 'x' } };
  ok(await business.client.post('/transactions/fund-user', { user_reference: 'bob', amount: LARGEST, ...named }));
  await business.match('ann', 'bob', 12.345678, 2.000001);
  await business.match('=cmd|calc!A1', 'bob', 5);
  ok(await business.make('ann', 7, 3, { allowed_acceptor_references: ['bob', '=cmd|calc!A1'] }));
  ok(await business.decide('win'));
  ok(await business.make('ann', 1, 2, { wager_reference: 'open' }));
});

const ask = async (given: object) => ok(await business.client.post('/exports', { ...period(), ...given }), 202).data;

async function finished(id: number, { client }: Pick<TestBusiness, 'client'> = business) {
  return waitFor(async () => {
    const { data } = ok(await client.get(`/exports/${id}`), 200);
    return ['done', 'failed'].includes(data.state) && data;
  });
}

const made = async (given: object) => finished((await ask(given)).id);
const download = (id: number, headers: Record<string, string> = {}) =>
  business.client.get(`/exports/${id}/file`, { headers });
const listed = async (list: string) => ok(await business.client.get(`${list}&per_page=100`), 200).data;

/** As CSV shows a value of a JSON answer. */
function shown(value: unknown): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return /^[=+\-@＝]/.test(value) ? `'${value}` : value;
}

/** The rows of a list as the lines of its export. */
function linesOf(columns: readonly string[], rows: readonly Record<string, unknown>[]): string[][] {
  return rows.map((row) => columns.map((column) => shown(row[column] ?? null)));
}

async function csvOf(id: number): Promise<{ columns: string[]; lines: string[][] }> {
  const [columns = [], ...lines] = readCsv((await download(id)).body);
  return { columns, lines };
}

/** Of texts without quotes. */
const asPostgresWrites = (meta: object) => JSON.stringify(meta).replaceAll('":', '": ').replaceAll(',"', ', "');

/** The transactions of the list, with the bet that moved each. */
async function listedTransactions() {
  const bets = await listed('/bets/history?include_bet_trails_transactions=true');
  const betOf = new Map<number, object>();
  for (const { id: bet_id, wager_reference, bet_trails } of bets) {
    for (const { transactions } of bet_trails)
      for (const { id } of transactions) betOf.set(id, { bet_id, wager_reference });
  }
  const all: { readonly id: number; readonly meta?: object }[] = await listed('/transactions?');
  return all.map(({ meta, ...row }) => ({ ...row, meta: meta && asPostgresWrites(meta), ...betOf.get(row.id) }));
}

/** A bet of the history, with the fields of its wager beside its own. */
const flatBet = ({ wager, allowed_acceptor_ids, ...bet }: Record<string, never> & { wager: { outcome: string } }) => ({
  ...bet,
  wager_outcome: wager.outcome,
  allowed_acceptor_ids: (allowed_acceptor_ids as number[] | undefined)?.join(' ') ?? null,
});

describe('an export', () => {
  it('is asked for, waits, and is done', async () => {
    const range = period();
    const answer = await business.client.post('/exports', { kind: 'transactions', user: 'ann', ...range });
    const { data, message } = ok(answer, 202);
    expect(message).toBe('Export queued');
    const waiting = { state: 'queued', rows: null, bytes: null, sha256: null, as_of: null, failure: null };
    const times = { started_at: null, finished_at: null, expires_at: null };
    expect(data).toMatchObject({ kind: 'transactions', format: 'csv', user: 'ann', ...range, ...waiting, ...times });
    const done = await finished(data.id);
    expect(done).toMatchObject({ id: data.id, state: 'done', rows: HOSTILE.length + 2, failure: null });
    expect(Date.parse(done.expires_at) - Date.parse(done.finished_at)).toBe(86_400_000);
    const { head } = ok(await business.client.get('/events?per_page=1'), 200);
    expect(done.as_of).toBe(head);
    const list = ok(await business.client.get('/exports'), 200);
    expect(list.data[0]).toEqual(done);
  });

  it('is downloaded whole, with its digest, and in parts', async () => {
    const { id, bytes, sha256 } = await made({ kind: 'transactions' });
    const { status, headers, body } = await download(id);
    expect([status, Buffer.byteLength(body)]).toEqual([200, bytes]);
    expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    const day = new Date().toISOString().slice(0, 4);
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="transactions-${day}[-\\d]+-${id}\\.csv"$`),
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(bytes),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256}"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    });
    const part = await download(id, { Range: 'bytes=10-19', 'If-Range': `"${sha256}"` });
    expect([part.status, part.body, part.headers.get('content-range')]).toEqual([
      206,
      Buffer.from(body).subarray(10, 20).toString(),
      `bytes 10-19/${bytes}`,
    ]);
    const beyond = await download(id, { Range: `bytes=${bytes}-` });
    expect([beyond.status, beyond.body.error]).toEqual([416, 'The file has no such part']);
    expect(beyond.headers.get('content-disposition')).toBeNull();
    expect((await download(id, { 'If-Match': '"another"' })).status).toBe(412);
    expect((await business.client.call('HEAD', `/exports/${id}/file`)).headers.get('content-length')).toBe(
      String(bytes),
    );
  });

  it('has the transactions of the list, line by line, and no formula', async () => {
    const { id, rows } = await made({ kind: 'transactions' });
    const { columns, lines } = await csvOf(id);
    const all = await listedTransactions();
    expect(new Set(columns)).toEqual(new Set(all.flatMap((row) => Object.keys(row))));
    expect(all.filter((row) => 'bet_id' in row)).toHaveLength(4);
    expect(lines).toEqual(linesOf(columns, all));
    expect(lines).toHaveLength(rows);
    for (const cell of lines.flat()) expect(cell).not.toMatch(/^[=+@\t\r＝]|^-\D/);
  });

  it('has the bets of the history, and of one user those on either side', async () => {
    const all = (await listed('/bets/history?')).map(flatBet);
    const { columns, lines } = await csvOf((await made({ kind: 'bets' })).id);
    expect(lines).toEqual(linesOf(columns, all));
    expect(columns).toEqual(expect.arrayContaining(Object.keys(all[0])));
    const ofBob = (await listed('/bets/history?user_references=bob')).map(flatBet);
    const own = await csvOf((await made({ kind: 'bets', user: 'bob' })).id);
    expect(own.lines).toEqual(linesOf(columns, ofBob));
    expect(own.lines.length).toBeLessThan(lines.length);
  });

  it('has the statement of a user, as its CSV has it', async () => {
    const { from, to } = period();
    const { id, rows } = await made({ kind: 'statement', user: 'bob', from, to });
    const statement = await business.client.get(
      `/account/user/bob/statement?${new URLSearchParams({ from, to, format: 'csv' })}`,
    );
    expect((await download(id)).body).toBe(statement.body);
    expect(readCsv(statement.body)).toHaveLength(Number(rows) + 1);
    const unnamed = await business.client.post('/exports', { kind: 'statement', from, to });
    expect([unnamed.status, unnamed.body.message]).toEqual([400, ['user must be given for a statement']]);
  });

  it.each(['transactions', 'bets'])('is the same as Parquet, with exact types: %s', async (kind) => {
    const { columns, lines } = await csvOf((await made({ kind })).id);
    const { id, bytes, rows } = await made({ kind, format: 'parquet' });
    const response = await fetch(`${business.client.baseUrl}/exports/${id}/file`, {
      headers: { Authorization: `Bearer ${business.account.token}` },
    });
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const content = Buffer.from(await response.arrayBuffer());
    expect([content.length, lines.length]).toEqual([bytes, rows]);
    const place = path.join(api.environment.folder, `${kind}.parquet`);
    await writeFile(place, content);
    const { schema, rows: read } = await readParquet(place);

    const decimal = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6 };
    const moment = { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } };
    const elements = new Map(schema.map((element) => [element.name, element]));
    expect(elements.get('created_at')).toMatchObject({ type: 'INT64', ...moment });
    expect(elements.get('id')).toEqual({ name: 'id', type: 'INT64', repetition_type: 'OPTIONAL' });
    expect(elements.get(kind === 'bets' ? 'effective_amount' : 'amount')).toMatchObject(decimal);
    expect(schema.slice(1).map(({ name }) => name)).toEqual(columns);

    const asCsv = (name: string, value: unknown) => {
      if (typeof value !== 'bigint') return shown(value ?? null);
      if (name.endsWith('_at')) return new Date(Number(value / 1_000n)).toISOString();
      return elements.get(name)?.converted_type === 'DECIMAL' ? String(Number(value) / 1e6) : String(value);
    };
    expect(read.map((row) => columns.map((name) => asCsv(name, row[name])))).toEqual(lines);
    if (kind === 'transactions') expect(read.map(({ amount }) => amount)).toContain(999_999_999_999_999n);
  });

  it('begins at `from` and ends before `to`', async () => {
    const all = await listed('/transactions?');
    const [first, last] = [all[2].created_at, all[5].created_at];
    const { lines } = await csvOf((await made({ kind: 'transactions', from: first, to: last })).id);
    const inside = all.filter(({ created_at }: { created_at: string }) => created_at >= first && created_at < last);
    expect(lines.map(([id]) => Number(id))).toEqual(inside.map(({ id }: { id: number }) => id));
    const empty = await made({ kind: 'bets', format: 'parquet', from: '2020-01-01', to: '2020-01-02' });
    expect(empty).toMatchObject({ state: 'done', rows: 0 });
  });

  it('is made once for an Idempotency-Key', async () => {
    const client = business.client.with({ 'Idempotency-Key': 'an export' });
    const body = { kind: 'bets', ...period() };
    const [first, second] = [await client.post('/exports', body), await client.post('/exports', body)];
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([202, 202, 'true']);
    expect(second.body).toEqual(first.body);
    await finished(first.body.data.id);
  });

  it('is an event of the account when it is asked for, once, and when it is downloaded, with who did it', async () => {
    const { client } = await openTestBusiness(api.client);
    const { api_key, api_secret } = ok(await client.post('/auth/account/api-keys', { name: 'files' })).data;
    const byKey = api.client.as({ base64: Buffer.from(`${api_key}:${api_secret}`).toString('base64') });
    const headers = { 'Idempotency-Key': 'told-once' };
    const body = { kind: 'bets', from: '2026-01-01', to: '2026-02-01' };
    const asked = [await byKey.post('/exports', body, { headers }), await byKey.post('/exports', body, { headers })];
    const { id } = ok(asked[0] as (typeof asked)[number], 202).data;
    await finished(id, { client });
    for (let time = 0; time < 3; time += 1) ok(await client.get(`/exports/${id}/file`), 200);
    const told = await waitFor(async () => {
      const { data } = ok(await client.get('/account-events?type=export-requested,export-downloaded'), 200);
      return data.some(({ type }: { type: string }) => type === 'export-downloaded') && data;
    });
    const after = { export_id: id, kind: 'bets', format: 'csv', user: null };
    const period = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };
    expect(told).toMatchObject([
      {
        type: 'export-requested',
        actor: { type: 'key', name: 'files', api_key_id: expect.any(Number) },
        request_id: asked[0]?.headers.get('x-request-id'),
        after: { ...after, ...period },
      },
      { type: 'export-downloaded', actor: { type: 'account', api_key_id: null }, after: { export_id: id } },
    ]);
  });

  it('of another account does not exist', async () => {
    const { id } = await made({ kind: 'bets' });
    const other = (await registerAndLogIn(api.client)).client;
    for (const end of ['', '/file']) {
      const theirs = await other.get(`/exports/${id}${end}`);
      const missing = await other.get(`/exports/999999999${end}`);
      expect([theirs.status, theirs.body]).toEqual([404, { status: 404, error: 'Export not found' }]);
      expect([missing.status, missing.body]).toEqual([theirs.status, theirs.body]);
    }
    expect(ok(await other.get('/exports'), 200)).toMatchObject({ total: 0, data: [] });
    expect((await other.post('/exports', { kind: 'bets', ...period(), user: 'ann' })).body).toEqual({
      status: 404,
      error: 'User not found',
    });
  });

  it('has no file any more when it has expired', async () => {
    const { id } = await made({ kind: 'bets' });
    await api.database.query(`UPDATE exports SET expires_at = now() WHERE id = $1`, [id]);
    const error = 'The file of this export has expired: ask for a new export';
    expect(await download(id)).toMatchObject({ status: 410, body: { status: 410, error } });
    expect(ok(await business.client.get(`/exports/${id}`), 200).data.state).toBe('done');
  });

  it('has no file when it has failed', async () => {
    const { id } = await made({ kind: 'bets' });
    await api.database.query(FAIL, [id]);
    const error = 'The export has failed: it has no file';
    expect(await download(id)).toMatchObject({ status: 409, body: { status: 409, error } });
  });

  it.each([
    [{}, ['kind should not be empty', 'from should not be empty', 'to should not be empty']],
    [
      { kind: 'money', format: 'xls', from: '2026-02-30', to: 'never', user: 'a,b', colour: 1 },
      [
        'kind must be one of the following values: transactions, bets, statement',
        'format must be one of the following values: csv, parquet',
        `from ${NO_TIMESTAMP}`,
        `to ${NO_TIMESTAMP}`,
        'user must not contain a comma',
        'property colour should not exist',
      ],
    ],
    [{ kind: 'bets', from: '2026-02-01', to: '2026-02-01' }, ['from must be before to']],
    [{ kind: 'bets', from: '0000-01-01', to: '0000-02-01' }, [`from ${NO_TIMESTAMP}`, `to ${NO_TIMESTAMP}`]],
    [{ kind: 'bets', from: '253402214400000', to: '253402300800000' }, [FAR, `to ${NO_TIMESTAMP}`]],
    [{ kind: 'bets', from: '2025-01-01', to: '2026-02-06' }, ['to must not be more than 400 days after from']],
    [
      { kind: 'money', from: '2026-02-01', to: '2026-01-01' },
      ['kind must be one of the following values: transactions, bets, statement', 'from must be before to'],
    ],
  ])('is refused when malformed, with all faults at once: %j', async (body, message) => {
    const before = ok(await business.client.get('/exports'), 200).total;
    const answer = await business.client.post('/exports', body);
    expect(answer.body).toEqual({ message, error: 'Bad Request', statusCode: 400 });
    expect(ok(await business.client.get('/exports'), 200).total).toBe(before);
  });
});

describe('the typed client', () => {
  const through = (change: (response: Response) => Response) =>
    createLedgerClient({
      baseUrl: business.client.baseUrl,
      token: business.account.token,
      fetch: async (request) => change(await fetch(request)),
    });

  it('asks for an export, waits for it, and downloads what has its digest', async () => {
    const { exports } = business.ledger;
    const { id } = await exports.create({ kind: 'transactions', format: 'csv', ...period() });
    const { rows, bytes, sha256 } = await exports.wait(id, { everyMs: 20 });
    const { stream, ...file } = await exports.download(id);
    expect(file).toEqual({ name: expect.stringMatching(/\.csv$/), type: 'text/csv; charset=utf-8', bytes, sha256 });
    expect(readCsv(await new Response(stream).text())).toHaveLength(Number(rows) + 1);
  });

  it('waits no longer than its signal, which it gives to its reads, and throws the reason', async () => {
    const { id } = await made({ kind: 'transactions' });
    await api.database.query(
      `UPDATE exports SET state = 'running', rows = NULL, bytes = NULL, sha256 = NULL, as_of = NULL, finished_at = NULL,
              expires_at = NULL WHERE id = $1`,
      [id],
    );
    const between = new AbortController();
    const looking = through((response) => {
      between.abort(new Error('enough'));
      return response;
    });
    const everyMs = 60_000;
    await expect(looking.exports.wait(id, { signal: between.signal, everyMs })).rejects.toThrow('enough');
    await expect(business.ledger.exports.read(id, { signal: between.signal })).rejects.toThrow('enough');
    await expect(business.ledger.exports.wait(id, { signal: between.signal })).rejects.toThrow('enough');
  });

  it('fails at the end of a stream that is not the file, and at a failed export', async () => {
    const { id } = await made({ kind: 'transactions' });
    const damaged = through((response) => {
      if (!response.url.endsWith('/file')) return response;
      const flip = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => controller.enqueue(chunk.map((byte) => byte ^ 1)),
      });
      return new Response(response.body?.pipeThrough(flip) ?? null, response);
    });
    const { stream } = await damaged.exports.download(id);
    await expect(new Response(stream).text()).rejects.toThrow(ExportDamaged);
    await expect(business.ledger.exports.download(999_999_999)).rejects.toThrow('404: Export not found');
    await api.database.query(FAIL, [id]);
    await expect(business.ledger.exports.wait(id)).rejects.toThrow(ExportFailed);
  });
});

describe('an account', () => {
  it('has at most 10 exports that are not done, however many it asks for at once', async () => {
    const other = await openTestBusiness(api.client);
    const { id } = other.account;
    // No outbox entry asks for these, so no worker ends them.
    await api.database.query(
      `INSERT INTO exports (account_id, kind, format, period_start, period_end, state, runs)
       SELECT $1, 'bets', 'csv', '2026-01-01', '2026-01-02', 'running', 1 FROM generate_series(1, 7)`,
      [id],
    );
    const asked = Array.from({ length: 6 }, () => other.client.post('/exports', { kind: 'bets', ...period() }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    const error = 'An account may have at most 10 exports that are not done: wait for one of them';
    expect([refused?.body, refused?.headers.get('retry-after')]).toEqual([{ status: 429, error }, '30']);
  });
});
