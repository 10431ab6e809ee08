import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Admin, accountOfUser, ok, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);
let admin: Admin;
let accountId: number;
let early: number;
let late: number;
let moment: string;

beforeAll(async () => {
  admin = await registerAdmin(api.client, api.database);
});

/** ann wins 100 with each of two bets: one was matched an hour before the other. */
beforeEach(async () => {
  accountId = await accountOfUser(api.database, await business.user('ann'));
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

describe('a forced outcome with void_matched_after', () => {
  const force = (outcome: string, more: object = { void_matched_after: moment }) =>
    admin.client.post('/admin/wagers/force-update-outcome', {
      account_id: accountId,
      wager_reference: 'match',
      outcome,
      ...more,
    });

  it('voids bets of a decided wager that were settled otherwise, and says who did it', async () => {
    ok(await decide({}));
    expect(await business.moneyOf('ann')).toEqual({ balance: 1200, exposure: 0 });
    ok(await force('loss'), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 900, exposure: 0 });
    expect(await business.bet(early)).toMatchObject({ override_outcome: null });
    const voided = await business.bet(late);
    expect(voided).toMatchObject({ override_outcome: 'void' });
    expect(voided.bet_trails.at(-1).description).toContain(`by admin ${admin.id} (${admin.email})`);
    const [event] = ok(await business.client.get('/events?types=wager.corrected'), 200).data;
    expect(Date.parse(event.wager.void_matched_after)).toBe(Date.parse(moment));
  });

  it('voids with the outcome that the wager has, and its overrides are corrected like others', async () => {
    ok(await decide({}));
    ok(await force('win'), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1100, exposure: 0 });
    // The next outcome leaves them as they are.
    ok(await force('loss', {}), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 900, exposure: 0 });
    const correction = { account_id: accountId, bet_id: late, override_outcome: null };
    ok(await admin.client.post('/admin/bets/force-update-override-outcome', correction), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 800, exposure: 0 });
  });

  it('is refused with undecided', async () => {
    ok(await decide({}));
    expect((await force('undecided')).status).toBe(400);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1200, exposure: 0 });
    expect(await business.bet(late)).toMatchObject({ override_outcome: null });
  });
});
