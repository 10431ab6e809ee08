import { describe, expect, it } from '@jest/globals';
import { ok } from '#testing/test-business.js';
import { withFreshBusiness } from '#testing/with-business.js';
import { withTestApi } from '#testing/with-test-api.js';

const api = withTestApi({ isAudited: true });
const business = withFreshBusiness(api);

describe('money in and out', () => {
  it('funds and withdraws, by id and by reference', async () => {
    const ann = await business.user('ann', 0);
    const funded = ok(await business.client.post('/transactions/fund-user', { user_reference: 'ann', amount: 12.34 }));
    expect(funded).toEqual({
      data: {
        id: expect.any(Number),
        user_id: ann,
        account_id: expect.any(Number),
        reference: expect.stringMatching(/^TX_\w+$/),
        amount: 12.34,
        description: 'Balance funded',
        transaction_type: 'credit',
        transaction_source: 'funding',
        balance_after: 12.34,
        created_at: expect.stringMatching(/Z$/),
      },
      message: expect.any(String),
    });
    const withdrawn = ok(
      await business.client.post('/transactions/withdraw', { user_id: ann, amount: 2.34, description: 'cash' }),
    );
    expect(withdrawn.data).toMatchObject({
      amount: 2.34,
      description: 'cash',
      transaction_type: 'debit',
      transaction_source: 'withdrawal',
      balance_after: 10,
    });
    expect(withdrawn.message).toBe(funded.message);
    expect(await business.moneyOf('ann')).toEqual({ balance: 10, exposure: 0 });
  });

  it('never lets parallel withdrawals overdraw, nor touch what is exposed', async () => {
    await business.user('ann', 100);
    ok(await business.make('ann', 40));
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        business.client.post('/transactions/withdraw', { user_reference: 'ann', amount: 1 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(60);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body.error).toBe('Insufficient balance: withdrawal would cause negative effective balance');
    expect(await business.moneyOf('ann')).toEqual({ balance: 40, exposure: 40 });
  });

  it.each([
    [
      { amount: 0.009, user_reference: 'ann' },
      400,
      { message: ['amount must not be less than 0.01'], error: 'Bad Request', statusCode: 400 },
    ],
    [{ amount: 1 }, 400, { status: 400, error: 'user_id or user_reference must be defined' }],
    [{ amount: 1, user_reference: 'nobody' }, 404, { status: 404, error: 'User not found' }],
  ])('refuses %j', async (body, status, expected) => {
    for (const path of ['/transactions/fund-user', '/transactions/withdraw']) {
      const answer = await business.client.post(path, body);
      expect([answer.status, answer.body]).toEqual([status, expected]);
    }
  });
});
