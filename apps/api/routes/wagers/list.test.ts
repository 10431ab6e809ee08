import { expect, it } from '@jest/globals';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();

it('the wagers that close soon alone have an order by their times', async () => {
  const { client } = await openTestBusiness(api.client);
  for (const [reference, year] of Object.entries({ late: 2099, early: 2097, later: 2098, past: 2097 })) {
    ok(await client.put(`/wagers/${reference}`, { closes_at: `${year}-01-01T00:00:00Z` }), 200);
  }
  await api.database.query(`UPDATE wagers SET closes_at = now() WHERE reference = 'past'`);
  ok(await client.post('/wagers/early/suspend'), 200);
  const list = '/wagers?closing=true&sort_by=closes_at&per_page=2&cursor=';
  const first = ok(await client.get(list), 200);
  const second = ok(await client.get(`${list}${first.next}`), 200);
  const shown = [...first.data, ...second.data].map(({ reference, status }) => [reference, status]);
  expect(shown).toEqual([
    ['early', 'suspended'],
    ['later', 'open'],
    ['late', 'open'],
  ]);
  expect(second.next).toBeNull();
  const referencesOf = async (query: string) =>
    ok(await client.get(`/wagers?${query}`), 200).data.map(({ reference }: { reference: string }) => reference);
  // A bare date has its whole day.
  expect(await referencesOf('closing=true&closes_before=2098-01-01')).toEqual(['early', 'later']);
  expect(await referencesOf('closing=false')).toEqual(['past']);
  for (const closing of ['', '&closing=false']) {
    const { status, body } = await client.get(`/wagers?sort_by=closes_at${closing}`);
    expect([status, body.message]).toEqual([400, ['closing must be true with sort_by=closes_at']]);
  }
});

it('the wagers of an event are listed, also beside those of another one', async () => {
  const { client } = await openTestBusiness(api.client);
  const stranger = await openTestBusiness(api.client);
  ok(await stranger.client.put('/wagers/theirs', { event: 'final' }), 200);
  for (const [reference, event] of Object.entries({ home: 'final', draw: 'final', away: 'semi', none: null })) {
    ok(await client.put(`/wagers/${reference}`, { event }), 200);
  }
  const referencesOf = async (query: string) =>
    ok(await client.get(`/wagers?${query}`), 200).data.map(({ reference }: { reference: string }) => reference);
  expect(await referencesOf('event=final&sort_by=id')).toEqual(['home', 'draw']);
  expect(await referencesOf('event=final,semi&sort_by=id&sort_direction=desc')).toEqual(['away', 'draw', 'home']);
  expect(await referencesOf('event=fin')).toEqual([]);
  expect(await referencesOf('event=')).toHaveLength(4);
  expect(ok(await client.get('/wagers?event=final&per_page=1'), 200)).toMatchObject({ total: 2 });
});
