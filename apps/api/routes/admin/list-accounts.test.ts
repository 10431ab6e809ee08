import { beforeAll, describe, expect, it } from '@jest/globals';
import { inventAccount, register } from '#testing/client.js';
import { ADMIN_ACCOUNT_FIELDS, type Admin, ok, registerAdmin } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ processes: 2 });
let admin: Admin;

const NAMES = ['100% Bets', 'Under_score', 'underXscore', 'ÄRGER & Söhne', 'back\\slash'];

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
  for (const name of NAMES) await register(api.client, { ...inventAccount(), name });
  await api.database.query(`UPDATE accounts SET email_verified_at = now() WHERE name IN ('100% Bets', 'underXscore')`);
});

const list = async (query: Record<string, string> = {}) =>
  ok(await admin.client.get(`/admin/accounts?${new URLSearchParams(query)}`), 200);
const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name);

describe('the list of accounts', () => {
  it('has the documented frame, oldest first, and tells no secret', async () => {
    const body = await list({ per_page: '2' });
    expect(body).toMatchObject({ page: 1, per_page: 2, from: 1, to: 2, total: 6, last_page: 3 });
    expect(namesOf(body)).toEqual([admin.name, NAMES[0]]);
    for (const account of body.data) expect(Object.keys(account)).toEqual(ADMIN_ACCOUNT_FIELDS);
    expect(body.data[1]).toMatchObject({
      role: 'business',
      email_verified_at: expect.stringMatching(/Z$/),
      api_key_generated_at: null,
      preferences: { allow_negative_balance: false },
    });
    expect(namesOf(await list({ per_page: '2', page: '3' }))).toEqual(NAMES.slice(3));
    expect(await list({ page: '4', per_page: '2' })).toMatchObject({ data: [], total: 6, from: null, to: null });
  });

  it('stands by creation, ties by id, for every value of sort_by', async () => {
    await api.database.query(`UPDATE accounts SET created_at = '2026-01-01' WHERE name LIKE 'under%'`);
    await api.database.query(`UPDATE accounts SET created_at = '2026-01-01' WHERE name LIKE 'Under%'`);
    const expected = ['Under_score', 'underXscore', admin.name, '100% Bets', 'ÄRGER & Söhne', 'back\\slash'];
    for (const by of ['effective_odds', 'effective_amount', 'created_at']) {
      expect(namesOf(await list({ sort_by: by }))).toEqual(expected);
      expect(namesOf(await list({ sort_by: by, sort_direction: 'desc' }))).toEqual(expected.toReversed());
    }
  });

  it.each([
    ['100%', ['100% Bets']],
    ['%', ['100% Bets']],
    ['R_S', ['Under_score']],
    ['UNDER', ['Under_score', 'underXscore']],
    ['ärger', ['ÄRGER & Söhne']],
    ['\\s', ['back\\slash']],
    ['nowhere', []],
  ])('finds %s in names, literally and without case', async (search, names) => {
    expect(namesOf(await list({ search })).sort()).toEqual([...names].sort());
  });

  it('finds e-mails, filters by verification, and counts what it found', async () => {
    expect(namesOf(await list({ search: admin.email.toUpperCase() }))).toEqual([admin.name]);
    expect(await list({ search: '@EXAMPLE.com', per_page: '1' })).toMatchObject({ total: 6, last_page: 6 });
    expect(namesOf(await list({ email_verified: 'true' })).sort()).toEqual(['100% Bets', 'underXscore']);
    expect(await list({ email_verified: 'false' })).toMatchObject({ total: 4 });
    expect(namesOf(await list({ email_verified: 'true', search: 'under' }))).toEqual(['underXscore']);
  });

  it.each([
    ['page=0', 'page must not be less than 1'],
    ['per_page=101', 'per_page must not be greater than 100'],
    ['sort_by=name', 'sort_by must be one of the following values: effective_odds, effective_amount, created_at'],
    ['sort_direction=up', 'sort_direction must be one of the following values: asc, desc'],
    ['email_verified=maybe', 'email_verified must be a boolean value'],
  ])('refuses %s', async (query, fault) => {
    const { status, body } = await admin.client.get(`/admin/accounts?${query}`);
    expect([status, body]).toEqual([400, { message: [fault], error: 'Bad Request', statusCode: 400 }]);
  });
});
