import { z } from 'zod';
import type { ImportLine } from '#accounts/users/import-users.js';
import { TextAnswer } from '#http/answer.js';
import * as fields from '#http/fields.js';
import { LINES_TYPE, MAX_LINES } from '#http/json-lines.js';
import { parse } from '#http/request-input.js';
import { Refusal } from '#platform/errors/refusal.js';
import { endpoint } from '../../endpoint.js';
import { preferences } from '../../fields/preferences.js';
import { FUNDED } from '../transactions/fund-user.js';
import { MAX_OWN_REFERENCE, MINIMUM_AMOUNT, ownReference } from '../transactions/movement.js';
import { movementMeta } from '../transactions/transaction.js';
import { answerLine } from './import-answer.js';
import { runImport } from './run-import.js';
import { userMeta, userNameField } from './user.js';

const OWN_REFERENCE_PREFIX = 'import:';
const LONGEST_NAMED = MAX_OWN_REFERENCE - OWN_REFERENCE_PREFIX.length;
/** 5,000 users take a few seconds; where others import as well, they wait. */
const WORK_MS = 50_000;

const funds = z
  .strictObject({
    amount: fields.amount(MINIMUM_AMOUNT).meta({ description: 'At most 6 decimals.' }),
    description: fields.line(1_000).nullish().meta({
      description: 'What it is for; shown with the transaction.',
      default: FUNDED,
    }),
    reference: ownReference.nullish().meta({
      description: `The \`own_reference\` of the transaction: an import gives money once for each. Without one it is \`${OWN_REFERENCE_PREFIX}\` and the user's reference.`,
    }),
    meta: movementMeta.nullish(),
  })
  .meta({ id: 'ImportFunds', description: 'Money to give to the user.', examples: [{ amount: 100 }] });

const importLine = z
  .strictObject({
    reference: fields.reference.meta({ description: 'What the business calls the user; once in a body.' }),
    name: userNameField,
    preferences: preferences.nullish(),
    meta: userMeta.nullish(),
    funds: funds.nullish(),
  })
  .superRefine(({ reference, funds: given }, context) => {
    if (given == null || given.reference != null || reference.length <= LONGEST_NAMED) return;
    const message = `should not be empty for a user whose reference is longer than ${LONGEST_NAMED} characters`;
    context.addIssue({ code: 'custom', path: ['funds', 'reference'], message });
  })
  .meta({
    id: 'ImportUser',
    description: 'A line of an import.',
    examples: [{ reference: 'ann', name: 'Ann', funds: { amount: 100 } }],
  });

function lineOf({ reference, name, ...given }: z.output<typeof importLine>): ImportLine {
  const user = { reference, name, preferences: given.preferences ?? null, meta: given.meta ?? null };
  if (given.funds == null) return { user, funds: undefined };
  const { amount, description, reference: named, meta } = given.funds;
  return {
    user,
    funds: {
      amount,
      description: description ?? FUNDED,
      ownReference: named ?? `${OWN_REFERENCE_PREFIX}${reference}`,
      meta: meta ?? undefined,
    },
  };
}

export const userImport = endpoint({
  method: 'post',
  path: '/account/users/import',
  tag: 'Users',
  summary: 'Create many users, and give them money',
  description: `Up to ${MAX_LINES} users as JSON lines. Each is answered by a line, in their order: the status and the error are those of \`POST /account/user\` and \`POST /transactions/fund-user\`. A refused line changes nothing, and the others go on. The same body may be sent again: it creates no user and gives no money twice. A user that exists under the same name stays as it is; under another name the line gets 409.`,
  access: 'account',
  isRepeatable: true,
  workMs: WORK_MS,
  query: z.object({
    dry_run: fields.booleanText.optional().meta({
      description: 'With `true`, each line is judged as if it were done, and nothing is done.',
    }),
  }),
  lines: importLine,
  answer: answerLine,
  refusals: ['rate-limited'],
  async handle(
    { lines, query: { dry_run: isTrial = false }, caller: { account }, call, streamHeaders },
    { importUsers, inImportTurn, prove, logger },
  ) {
    const { accountId } = account;
    const { deadline, cause } = call;
    const text = await inImportTurn(account, () =>
      runImport(lines, {
        deadline,
        async prove() {
          const { account: again } = await prove(streamHeaders.authorization);
          if (again.status !== 'active') throw new Refusal('account-suspended');
        },
        onFailed: (error) => logger.error({ err: error }, 'an import ended early'),
        parse: (value) => lineOf(parse(importLine, value)),
        run: (chunk) => importUsers({ accountId, cause, isTrial }, chunk),
      }),
    );
    return new TextAnswer(LINES_TYPE, text);
  },
});
