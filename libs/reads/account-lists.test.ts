import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountFilters } from '#accounts/account.js';
import { useLedgerDatabase } from '#testing/ledger-fixture.js';
import { numbered, pagesByNumber, pagesByPlace, placed } from '#testing/list-pages.js';
import { type AccountEventListRequest, listAccountEvents } from './account-event-list.js';
import { listAccounts } from './account-list.js';
import { listApiKeys, listSessions } from './credential-lists.js';
import type { PageRequest } from './page.js';

// The lists of accounts, and of what an account has beside its ledger.

const ledger = useLedgerDatabase();
const [OWN, OTHER, LARGE] = [1n, 2n, 3n];
const WHOLE = numbered(1, 100);
const idsOf = (items: readonly { readonly id: bigint }[]) => items.map(({ id }) => id);

describe('the list of accounts', () => {
  /** By their creation; two of the same moment stand by id. */
  const NAMES = ['Under_score', 'underXscore', '100% Bets', 'ÄRGER & Söhne', 'back\\slash'];

  beforeAll(() =>
    ledger.query(`
      INSERT INTO accounts (name, email, created_at, email_verified_at) VALUES
        ('100% Bets', 'bets@one.com', '2000-01-02', now()), ('Under_score', 'score@two.com', '2000-01-01', NULL),
        ('underXscore', 'x@two.com', '2000-01-01', now()), ('ÄRGER & Söhne', 'soehne@two.com', '2000-01-03', NULL),
        ('back\\slash', 'slash@one.com', '2000-01-04', NULL);
      UPDATE accounts SET created_at = '2000-01-05' WHERE id IN (${OWN}, ${OTHER})`),
  );

  const list = (given: Partial<AccountFilters>, page = WHOLE) =>
    listAccounts(ledger.database.shared, {
      search: undefined,
      isEmailVerified: undefined,
      descending: false,
      page,
      ...given,
    });
  const namesIn = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name);

  it('stands by creation, ties by id, by number and by place', async () => {
    const wanted = [...NAMES, 'a', 'b'];
    for (const descending of [false, true]) {
      const inOrder = descending ? wanted.toReversed() : wanted;
      const read = (page: PageRequest) => list({ descending }, page);
      expect(namesIn((await pagesByNumber(read, 2)).flat())).toEqual(inOrder);
      const { forwards, backwards } = await pagesByPlace(read, 2);
      expect(namesIn(forwards.flat())).toEqual(inOrder);
      expect(namesIn(backwards.flat())).toEqual(inOrder);
    }
  });

  it('is counted whole on every page, also behind its end', async () => {
    expect((await list({}, numbered(2, 2))).totals?.total).toBe(7n);
    expect(await list({}, numbered(9, 2))).toMatchObject({ items: [], totals: { total: 7n } });
    expect((await list({}, placed(undefined, 2))).totals).toBeUndefined();
  });

  it.each([
    ['100%', ['100% Bets']],
    ['%', ['100% Bets']],
    ['R_S', ['Under_score']],
    ['UNDER', ['Under_score', 'underXscore']],
    ['ärger', ['ÄRGER & Söhne']],
    ['\\s', ['back\\slash']],
    ['@ONE.com', ['100% Bets', 'back\\slash']],
    ['nowhere', []],
  ])('finds %s in names and e-mails, literally and without case', async (search, names) => {
    const { items, totals } = await list({ search });
    expect(namesIn(items)).toEqual(names);
    expect(totals?.total).toBe(BigInt(names.length));
  });

  it('has those whose e-mail is verified, or the others', async () => {
    expect(namesIn((await list({ isEmailVerified: true })).items)).toEqual(['underXscore', '100% Bets']);
    expect((await list({ isEmailVerified: false })).totals?.total).toBe(5n);
    expect(namesIn((await list({ isEmailVerified: true, search: 'under' })).items)).toEqual(['underXscore']);
  });
});

describe('the list of the events of an account', () => {
  const TYPES = ['login', 'registered', 'name-changed'] as const;
  const hour = (count: number) => new Date(Date.UTC(2026, 0, 1, count));

  beforeAll(() =>
    ledger.query(`
      INSERT INTO account_events (account_id, type, actor, before, after, created_at)
        SELECT account, (ARRAY['${TYPES.join(`','`)}'])[n % 3 + 1], '{"type": "unknown"}', NULL, jsonb_build_object('n', n),
               timestamptz '2026-01-01Z' + n / 2 * interval '1 hour'
          FROM generate_series(0, 29) n, unnest(ARRAY[${OWN}, ${OTHER}]) account ORDER BY n % 7, n`),
  );

  const list = (given: Partial<AccountEventListRequest> = {}, page = WHOLE) =>
    listAccountEvents(ledger.database.shared, {
      accountIds: [OWN],
      types: undefined,
      createdFrom: undefined,
      createdUntil: undefined,
      descending: false,
      page,
      ...given,
    });
  const idsWhere = async (condition: string, order = 'created_at, id') =>
    (await ledger.query(`SELECT id FROM account_events WHERE ${condition} ORDER BY ${order}`)).map(({ id }) =>
      BigInt(String(id)),
    );

  it.each([
    [false, 'created_at, id'],
    [true, 'created_at DESC, id DESC'],
  ])('stands by time, ties by id, descending: %s', async (descending, order) => {
    for (const accountIds of [[OWN], [OWN, OTHER]]) {
      const wanted = await idsWhere(`account_id IN (${accountIds})`, order);
      const read = (page: PageRequest) => list({ accountIds, descending }, page);
      expect(idsOf((await pagesByNumber(read, 7)).flat())).toEqual(wanted);
      const { forwards, backwards } = await pagesByPlace(read, 7);
      expect(idsOf(forwards.flat())).toEqual(wanted);
      expect(idsOf(backwards.flat())).toEqual(wanted);
    }
  });

  it.each<[Partial<AccountEventListRequest>, string]>([
    [{ types: ['login'] }, `type = 'login'`],
    [{ types: ['login', 'registered'] }, `type IN ('login', 'registered')`],
    [{ createdFrom: hour(5) }, `created_at >= '2026-01-01T05:00Z'`],
    [{ createdUntil: hour(5) }, `created_at <= '2026-01-01T05:00Z'`],
    [
      { createdFrom: hour(5), createdUntil: hour(5), types: ['login'] },
      `created_at = '2026-01-01T05:00Z' AND type = 'login'`,
    ],
  ])('has what %j leaves, and counts it', async (filter, condition) => {
    const wanted = await idsWhere(`account_id = ${OWN} AND ${condition}`);
    const { items, totals } = await list(filter);
    expect(idsOf(items)).toEqual(wanted);
    expect(totals?.total).toBe(BigInt(wanted.length));
  });

  it('ends a page early where its values are too many bytes, and the next page goes on there', async () => {
    await ledger.query(`INSERT INTO account_events (account_id, type, actor, after)
      SELECT ${LARGE}, 'login', '{"type": "unknown"}', jsonb_build_object('long', repeat('x', 1500000)) FROM generate_series(1, 5)`);
    const wanted = await idsWhere(`account_id = ${LARGE}`);
    const first = await list({ accountIds: [LARGE] }, { ...placed(undefined, 20), mayEndEarly: true });
    expect(idsOf(first.items)).toEqual(wanted.slice(0, 2));
    const second = await list({ accountIds: [LARGE] }, placed(first.next, 3));
    expect(idsOf(second.items)).toEqual(wanted.slice(2, 5));
  });

  it('has all rows of a page by number, however large they are', async () => {
    expect((await list({ accountIds: [LARGE] }, numbered(1, 20))).items).toHaveLength(5);
  });
});

describe('the list of API keys', () => {
  const list = (accountId: bigint, page = WHOLE) =>
    listApiKeys(ledger.database.shared, accountId, { page, descending: false });

  beforeAll(() =>
    ledger.query(`INSERT INTO api_keys (account_id, name, api_key, secret_hash)
      SELECT ${OWN}, 'key ' || n, 'k' || n, '\\x00' FROM generate_series(1, 5) n`),
  );

  it('has the oldest first, by number and by place', async () => {
    const wanted = [1, 2, 3, 4, 5].map((number) => `key ${number}`);
    const read = (page: PageRequest) => list(OWN, page);
    expect((await pagesByNumber(read, 2)).flat().map(({ name }) => name)).toEqual(wanted);
    expect((await pagesByPlace(read, 2)).backwards.flat().map(({ name }) => name)).toEqual(wanted);
  });

  it('has those of the own account alone, and tells no secret', async () => {
    expect(await list(OTHER)).toMatchObject({ items: [], totals: { total: 0n } });
    const [first] = (await list(OWN)).items;
    expect(first).not.toHaveProperty('secretHash');
  });
});

describe('the list of sessions', () => {
  const NOW = new Date('2026-01-02T00:00:00Z');
  const list = (accountId: bigint, page = WHOLE) =>
    listSessions(ledger.database.shared, accountId, { now: NOW, operatorId: undefined, page, descending: true });

  beforeAll(() =>
    ledger.query(`INSERT INTO operators (account_id, id, name, email, role) VALUES (${OWN}, 1, 'a', 'a@example.com', 'owner');
      INSERT INTO access_tokens (account_id, operator_id, token_hash, expires_at, address)
      SELECT ${OWN}, 1, decode(lpad(n::text, 64, '0'), 'hex'), timestamptz '2026-01-01T23:59:59.998Z' + n * interval '1 ms', 'address ' || n
        FROM generate_series(1, 5) n`),
  );

  it('has the newest first, without those whose time is over', async () => {
    const wanted = ['address 5', 'address 4', 'address 3'];
    const read = (page: PageRequest) => list(OWN, page);
    expect((await pagesByNumber(read, 2)).flat().map(({ address }) => address)).toEqual(wanted);
    expect((await pagesByPlace(read, 2)).backwards.flat().map(({ address }) => address)).toEqual(wanted);
  });

  it('counts those that it shows', async () => {
    expect((await list(OWN)).totals?.total).toBe(3n);
  });

  it('has those of the own account alone', async () => {
    expect((await list(OTHER)).items).toEqual([]);
  });
});
