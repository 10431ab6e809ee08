import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { expectBooksToBalance } from '#testing/books.js';
import { ok, openTestBusiness, type TestBusiness } from '#testing/test-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi();
let business: TestBusiness;
let early: number;
let late: number;
let moment: string;

afterEach(() => expectBooksToBalance(api.database));

/** ann wins 100 with each of two bets: one was matched an hour before the other. */
beforeEach(async () => {
  business = await openTestBusiness(api.client);
  await business.user('ann');
  await business.user('bob');
  early = await business.match('ann', 'bob', 100);
  late = await business.match('ann', 'bob', 100);
  await api.database.query(`UPDATE bets SET accepted_at = accepted_at - interval '1 hour' WHERE id = ${early}`);
  moment = (await business.bet(late)).accepted_at;
});

const decide = (more: object) =>
  business.client.post('/bets/update-wager-outcome', { reference: 'match', outcome: 'win', ...more });

describe('a decision with void_matched_after', () => {
  it('voids what was matched from then on, and its event says so', async () => {
    ok(await decide({ void_matched_after: moment }));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1100, exposure: 0 });
    expect(await business.bet(late)).toMatchObject({ override_outcome: 'void', offer_status: 'accepted' });
    expect(await business.bet(early)).toMatchObject({ override_outcome: null });
    const events = ok(await business.client.get('/events?types=wager.decided,bet.overridden'), 200).data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['wager.decided', 'bet.overridden']);
    expect(Date.parse(events[0].wager.void_matched_after)).toBe(Date.parse(moment));
  });

  it('is previewed', async () => {
    const operation = { type: 'update_wager_outcome', reference: 'match', outcome: 'win', void_matched_after: moment };
    const { data } = ok(await business.client.post('/previews', { operation }), 200);
    expect(data).toMatchObject({ moved: { credit: 100, debit: 100 }, bets: { settled: 2 } });
  });

  it('may stand in a batch', async () => {
    const data = { reference: 'match', outcome: 'win', void_matched_after: moment };
    const operations = [{ operation_type: 'update_wager_outcome', operation_id: '1', data }];
    ok(await business.client.post('/bets/batch', { operations }));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1100, exposure: 0 });
  });

  it.each([{ outcome: 'undecided' }, { void_matched_after: 'soon' }])('is refused with %j', async (more) => {
    const answer = await decide({ void_matched_after: moment, ...more });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringContaining('void_matched_after')]);
    expect(await business.moneyOf('ann')).toMatchObject({ balance: 1000 });
  });
});
