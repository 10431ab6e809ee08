import { z } from 'zod';
import { answerWith, besideLedger } from '#accounts/accounts-context.js';
import { recordBesideLedger } from '#accounts/events/record-events.js';
import type { Export } from '#exports/export.js';
import { requestExport } from '#exports/request-export.js';
import * as fields from '#http/fields.js';
import type { Tx } from '#platform/database/database.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { exportFormat, exportKind } from '../../fields/enums.js';
import { MAX_PERIOD_DAYS, withPeriod } from '../../fields/periods.js';
import { exportAnswer, presentExport } from './export.js';

const QUEUED = 'Export queued';
const USUAL_FORMAT = 'csv';

const bound = fields.storedMoment.meta({ type: 'string', examples: ['2026-01-01', '2026-01-15T18:30:00Z'] });

/** What the event of the request says of the export. */
const toldOf = ({ id, kind, format, periodStart, periodEnd, userReference }: Export) => ({
  export_id: Number(id),
  kind,
  format,
  from: periodStart,
  to: periodEnd,
  user: userReference,
});

export const exportCreate = endpoint({
  method: 'post',
  path: '/exports',
  tag: 'Exports',
  summary: 'Ask for a file of transactions, bets or a statement',
  description:
    'A worker writes the file, from one snapshot: everything that was committed when it began and was created in the period, the oldest first. The file of a statement has the lines of `GET /account/user/:reference/statement` as CSV: opening and closing balance are the first and the last one. Two exports of an account are written at the same time, and up to 10 may be unfinished. The file lives for 24 hours.',
  access: 'account',
  status: 202,
  body: withPeriod(
    z.strictObject({
      kind: exportKind,
      format: exportFormat.nullish().meta({ default: USUAL_FORMAT }),
      from: bound.meta({ description: 'The beginning of the period, in ISO 8601; a bare date begins in UTC.' }),
      to: bound.meta({
        description: `The end of the period, which is not in it: at most ${MAX_PERIOD_DAYS} days later.`,
      }),
      user: fields.reference.nullish().meta({
        description:
          'The reference of the user whose transactions, or bets on either side, it is about. All users, unless given; a statement needs one.',
      }),
    }),
  )
    .refine(({ kind, user }) => kind !== 'statement' || user != null, {
      path: ['user'],
      error: 'must be given for a statement',
      when: ({ value }) => (value as { kind?: unknown }).kind === 'statement',
    })
    .meta({
      id: 'CreateExport',
      examples: [{ kind: 'transactions', format: 'csv', from: '2026-01-01', to: '2026-02-01', user: 'ann' }],
    }),
  answer: dataWith(exportAnswer, QUEUED),
  refusals: ['user-not-found', 'too-many-exports'],
  handle({ body, caller, call, cause }, { accounts }) {
    const { accountId } = caller.account;
    const request = {
      accountId,
      kind: body.kind,
      format: body.format ?? USUAL_FORMAT,
      periodStart: body.from,
      periodEnd: body.to,
      userReference: body.user ?? undefined,
    };
    const record = (ledger: Tx, made: Export) =>
      recordBesideLedger({ database: accounts.database, ledger }, cause, [
        { accountId, type: 'export-requested', after: toldOf(made) },
      ]);
    return answerWith(besideLedger(accounts, accountId), call.idempotency, {
      use: (context) => requestExport(context, request, record),
      present: (made) => ({ data: presentExport(made), message: QUEUED }),
    });
  },
});
