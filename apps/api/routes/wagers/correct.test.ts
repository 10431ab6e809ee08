import { beforeEach, describe, expect, it } from '@jest/globals';
import { addPerson } from '#testing/people.js';
import { ok, openTestBusiness, registerAdmin } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api, { ann: 1000, bob: 1000 });
const TOO_LATE =
  'Only a decision of the last 10 minutes can be corrected, and only once: ask the provider of the service';

let bet: number;

beforeEach(async () => {
  bet = await business.match('ann', 'bob', 10, 2.5);
  await business.make('ann', 5, 3);
});

const correct = (outcome: string, more: object = {}) =>
  business.client.post('/wagers/match/correct', { outcome, ...more });
const preview = async (operation: object) => ok(await business.client.post('/previews', { operation }), 200).data;
const wager = async () => ok(await business.client.get('/wagers/match'), 200).data;
const expectTooLate = async (outcome: string) =>
  expect(await correct(outcome)).toMatchObject({ status: 400, body: { error: TOO_LATE } });
/** As if the decision had been made so long ago. */
const age = (interval: string) =>
  api.database.query(
    `UPDATE wagers SET updated_at = updated_at - interval '${interval}' WHERE account_id = $1 AND reference = 'match'`,
    [business.account.id],
  );

describe('a correction by the business', () => {
  it('moves what its preview shows, and says who and why', async () => {
    ok(await business.decide('win'));
    const shown = await preview({ type: 'correct_wager_outcome', reference: 'match', outcome: 'loss' });
    expect(shown).toMatchObject({ would_succeed: true, moved: { credit: 25, debit: 25 } });
    expect(ok(await correct('loss', { reason: 'Wrong team' }), 200)).toEqual({ message: 'Wager outcome updated' });
    expect(await business.moneyOf('ann')).toEqual({ balance: 990, exposure: 0 });
    const trail = (await business.bet(bet)).bet_trails.at(-1);
    expect(trail.description).toMatch(/^Bet settled: loss, was win by the business \(.+@.+\): Wrong team$/);
    const [event] = ok(await business.client.get('/events?types=wager.corrected'), 200).data;
    expect(event).toMatchObject({ reason: 'Wrong team', wager: { reference: 'match', outcome: 'loss' } });
    await expectTooLate('win');
  });

  it('takes a decision back: the offers are open again, and the wager may be decided and corrected anew', async () => {
    ok(await business.decide('win'));
    ok(await correct('undecided'), 200);
    expect(await wager()).toMatchObject({ outcome: 'undecided', status: 'open' });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 15 });
    await expectTooLate('win');
    ok(await business.decide('loss'));
    ok(await correct('push'), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('comes within 10 minutes, or not at all', async () => {
    ok(await business.decide('win'));
    await age('9 minutes 50 seconds');
    expect((await preview({ type: 'correct_wager_outcome', reference: 'match', outcome: 'loss' })).refusal).toBeNull();
    await age('15 seconds');
    expect((await preview({ type: 'correct_wager_outcome', reference: 'match', outcome: 'loss' })).refusal).toBe(
      TOO_LATE,
    );
    await expectTooLate('loss');
    expect(await business.moneyOf('ann')).toEqual({ balance: 1015, exposure: 0 });
  });

  it('gets no more time from a label', async () => {
    ok(await business.decide('win'));
    await age('11 minutes');
    ok(await business.client.put('/wagers/match', { event: 'final', starts_at: '2099-01-15T18:00:00Z' }), 200);
    expect((await wager()).event).toBe('final');
    await expectTooLate('loss');
  });

  it('is none of a wager that is undecided, that an admin corrected, or that is not there', async () => {
    await expectTooLate('win');
    const admin = await registerAdmin(api.client, api.database);
    ok(await business.decide('win'));
    const forced = { account_id: (await wager()).account_id, wager_reference: 'match', outcome: 'push' };
    ok(await admin.client.post('/admin/wagers/force-update-outcome', forced), 200);
    await expectTooLate('win');
    const other = await openTestBusiness(api.client);
    expect(await other.client.post('/wagers/match/correct', { outcome: 'win' })).toMatchObject({ status: 404 });
    expect(await correct('nothing')).toMatchObject({ status: 400 });
    expect(await business.moneyOf('ann')).toEqual({ balance: 1000, exposure: 0 });
  });

  it('needs the approval that a decision needs, and may be approved later', async () => {
    ok(await business.decide('win'));
    const accountId = business.account.id;
    const bea = await addPerson(api.database, api.client, { accountId });
    const approvals = { kinds: ['update_wager_outcome'], above: 1, expires_in: 3_600 };
    ok(await business.client.patch('/auth/account/preferences', { approvals }), 200);
    const { change_request: request } = ok(await correct('loss', { reason: 'Wrong team' }), 202);
    expect(await business.moneyOf('ann')).toEqual({ balance: 1015, exposure: 0 });
    await age('1 hour');
    const { revision } = await wager();
    ok(await bea.client.post(`/change-requests/${request.id}/approve`, { revision }), 200);
    expect(await business.moneyOf('ann')).toEqual({ balance: 990, exposure: 0 });
    expect((await business.bet(bet)).bet_trails.at(-1).description).toMatch(/by the business .*: Wrong team$/);
  });

  it('is asked for where nothing demands it', async () => {
    ok(await business.decide('win'));
    const operation = { type: 'correct_wager_outcome', reference: 'match', outcome: 'push', reason: 'Abandoned' };
    const accountId = business.account.id;
    const bea = await addPerson(api.database, api.client, { accountId });
    const asked = ok(await business.client.post('/change-requests', { operation, reason: 'The match was abandoned' }));
    const { id, revision } = asked.data;
    ok(await bea.client.get(`/change-requests/${id}`), 200);
    ok(await bea.client.post(`/change-requests/${id}/approve`, { revision }), 200);
    expect(await wager()).toMatchObject({ outcome: 'push' });
  });
});

describe('the reason', () => {
  it('of a decision stands in its event, alone and in a batch', async () => {
    const data = { reference: 'match', outcome: 'win', reason: 'Final score 2:1' };
    ok(await business.client.post('/bets/update-wager-outcome', data));
    await business.make('ann', 5, 3, { wager_reference: 'other' });
    const operation = { operation_type: 'update_wager_outcome', operation_id: '1' };
    const operations = [{ ...operation, data: { ...data, reference: 'other', reason: null } }];
    ok(await business.client.post('/bets/batch', { operations }));
    const events = ok(await business.client.get('/events?types=wager.decided'), 200).data;
    expect(events).toMatchObject([{ reason: data.reason, wager: { outcome: 'win' } }, { wager: { outcome: 'win' } }]);
    expect(events[1].reason).toBeUndefined();
    const tooLong = { ...data, reason: 'x'.repeat(201) };
    expect((await business.client.post('/bets/update-wager-outcome', tooLong)).status).toBe(400);
  });

  it('of an override stands in the trail of the bet', async () => {
    const override = { bet_id: bet, override_outcome: 'push', reason: 'Player injured' };
    ok(await business.client.post('/bets/override-outcome', override), 200);
    expect((await business.bet(bet)).bet_trails.at(-1).description).toBe('Outcome overridden: push: Player injured');
    expect((await business.client.post('/bets/override-outcome', { ...override, reason: ' ' })).status).toBe(400);
  });
});

describe('a preview of several decisions', () => {
  const decisions = (...given: [string, string][]) => ({
    type: 'update_wager_outcomes',
    decisions: given.map(([reference, outcome]) => ({ reference, outcome })),
  });

  it('shows what all of them move together, and then they move that', async () => {
    const other = { wager_reference: 'other' };
    const offered = ok(await business.make('bob', 20, 2, other)).data.bet_id;
    ok(await business.accept('ann', 20, { ...other, bet_id: offered }));
    const given: [string, string][] = [
      ['match', 'loss'],
      ['other', 'win'],
    ];
    const shown = await preview(decisions(...given));
    expect(shown).toMatchObject({
      would_succeed: true,
      bets: { settled: 2, expired_offers: 1 },
      moved: { credit: 30, debit: 30 },
      users: { affected: 2, below_zero: 0 },
    });
    expect(shown.largest).toMatchObject([
      { reference: 'ann', balance: 1000, balance_after: 970, exposure: 35, exposure_after: 0 },
      { reference: 'bob', balance: 1000, balance_after: 1030, exposure: 35, exposure_after: 0 },
    ]);
    const operations = given.map(([reference, outcome]) => ({
      operation_type: 'update_wager_outcome',
      operation_id: reference,
      data: { reference, outcome },
    }));
    ok(await business.client.post('/bets/batch', { operations }));
    expect(await business.moneyOf('ann')).toEqual({ balance: 970, exposure: 0 });
    const again = await preview(decisions(...given));
    expect(again).toMatchObject({ would_succeed: false, users: { affected: 0 } });
    expect(again.refusal).toBe("operation 'match': Wager has already been decided");
  });

  it('names each wager once, 20 at most', async () => {
    const many = Array.from({ length: 21 }, (_, place): [string, string] => [`w${place}`, 'win']);
    for (const given of [[], many, [many[0], many[0]]] as [string, string][][]) {
      expect((await business.client.post('/previews', { operation: decisions(...given) })).status).toBe(400);
    }
    expect((await preview(decisions(['match', 'win'], ['absent', 'win']))).refusal).toBe(
      "operation 'absent': Wager not found",
    );
  });

  it('is no change request', async () => {
    const body = { operation: decisions(['match', 'win']), reason: 'A reason that is long enough' };
    expect((await business.client.post('/change-requests', body)).status).toBe(400);
  });
});
