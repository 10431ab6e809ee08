import { z } from 'zod';
import { readSecondFactor } from '#accounts/second-factor/second-factor.js';
import { endpoint } from '../../endpoint.js';
import { count, dataWith, moment } from '../../fields/answers.js';

const RETRIEVED = 'Second factor retrieved';

const secondFactor = z
  .strictObject({
    added_at: moment('When it was confirmed; null: there is none, and the log-in takes no code.').nullable(),
    recovery_codes: count('How many recovery codes are left.'),
  })
  .meta({ id: 'SecondFactor', examples: [{ added_at: '2026-01-15T18:32:10.125Z', recovery_codes: 10 }] });

export const accountSecondFactorRead = endpoint({
  method: 'get',
  path: '/auth/account/second-factor',
  tag: 'Accounts',
  summary: 'Whether the operator that is calling has a second factor',
  description: 'Needs a bearer token.',
  access: 'bearer',
  withoutSecondFactor: true,
  answer: dataWith(secondFactor, RETRIEVED),
  async handle({ caller }, { database }) {
    const id = { accountId: caller.account.accountId, operatorId: caller.operator?.id ?? 0n };
    const { since, recoveryCodes } = await readSecondFactor(database.shared, id);
    return { data: { added_at: since, recovery_codes: recoveryCodes }, message: RETRIEVED };
  },
});
