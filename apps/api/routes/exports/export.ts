import { z } from 'zod';
import { type Export, exportStates } from '#exports/export.js';
import { count, id, moment, text } from '../../fields/answers.js';
import { exportFormat, exportKind } from '../../fields/enums.js';

const example = {
  id: 5,
  account_id: 7,
  kind: 'transactions',
  format: 'csv',
  from: '2026-01-01T00:00:00.000Z',
  to: '2026-02-01T00:00:00.000Z',
  user: null,
  state: 'done',
  rows: 48_210,
  bytes: 6_941_733,
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  as_of: 'AQAAAAAAAAAHAAAAAAAAEnvXU8s0qvk',
  failure: null,
  created_at: '2026-02-01T08:00:00.000Z',
  started_at: '2026-02-01T08:00:00.125Z',
  finished_at: '2026-02-01T08:00:02.250Z',
  expires_at: '2026-02-02T08:00:02.250Z',
};

const exportFields = {
  id: id('Its id.'),
  account_id: id('The account it belongs to.'),
  kind: exportKind,
  format: exportFormat,
  from: moment('The beginning of the period.'),
  to: moment('The end of the period, which is not in it.'),
  user: text('The reference of the one user it is about; null: all users.').nullable(),
  state: z.enum(exportStates).meta({
    description:
      'It waits (`queued`), a worker writes it (`running`), its file is there (`done`), or there will be none (`failed`).',
  }),
  rows: count('The lines of the file, without the names of the columns; null until it is done.').nullable(),
  bytes: count('The size of the file; null until it is done.').nullable(),
  sha256: text('The SHA-256 of the file in hexadecimal digits; null until it is done.').nullable(),
  as_of: text(
    'A cursor of the event log: the file has everything of its period up to it, and nothing later; null until it is done.',
  ).nullable(),
  failure: text('Why it has failed; null: it has not.').nullable(),
  created_at: moment('When it was asked for.'),
  started_at: moment('When a worker first began it; null: not yet.').nullable(),
  finished_at: moment('When it was done or failed; null: not yet.').nullable(),
  expires_at: moment('When its file is deleted; null until it is done.').nullable(),
};

export const exportAnswer = z
  .strictObject(exportFields)
  .meta({ id: 'Export', description: 'A file of lines, made by a worker.', examples: [example] });

const numberOf = (value: bigint | null): number | null => (value === null ? null : Number(value));

export const presentExport = (found: Export): z.output<typeof exportAnswer> => ({
  id: Number(found.id),
  account_id: Number(found.accountId),
  kind: found.kind,
  format: found.format,
  from: found.periodStart,
  to: found.periodEnd,
  user: found.userReference,
  state: found.state,
  rows: numberOf(found.rows),
  bytes: numberOf(found.bytes),
  sha256: found.sha256,
  as_of: found.asOf,
  failure: found.failure,
  created_at: found.createdAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  expires_at: found.expiresAt,
});
