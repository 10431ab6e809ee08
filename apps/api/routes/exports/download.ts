import { z } from 'zod';
import { type Export, type ExportFormat, type ExportKind, exportKinds } from '#exports/export.js';
import { readExport } from '#exports/export-rows.js';
import { exportSources } from '#exports/sources.js';
import { FileAnswer } from '#http/file-answer.js';
import { Refusal } from '#platform/errors/refusal.js';
import { endpoint } from '../../endpoint.js';
import { exportId } from './read.js';

const types: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
};

/** `transactions-2026-01-01-2026-02-01-5.csv` */
function nameOf({ kind, format, id, periodStart, periodEnd }: Export): string {
  const [from, to] = [periodStart, periodEnd].map((moment) => moment.toISOString().slice(0, 10));
  return `${kind}-${from}-${to}-${id}.${format}`;
}

function assertHasFile({ state, expiresAt }: Export): void {
  if (state === 'failed') throw new Refusal('export-failed');
  if (state !== 'done' || expiresAt === null) throw new Refusal('export-not-done');
  if (expiresAt.getTime() <= Date.now()) throw new Refusal('export-expired');
}

/** Of a kind of export, with their types. */
export const columnsText = (kind: ExportKind): string =>
  exportSources[kind].columns.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');

const allColumns = exportKinds.map((kind) => `of ${kind}, ${columnsText(kind)}`).join('; ');

export const exportDownload = endpoint({
  method: 'get',
  path: '/exports/:id/file',
  tag: 'Exports',
  summary: 'Download the file of an export',
  description: `The header \`Repr-Digest\` has the SHA-256 of the whole file. A part is answered to a \`Range\` (206): a download that broke off can go on, with \`If-Range\` and the \`ETag\`. The columns: ${allColumns}.`,
  access: 'account',
  params: z.object({ id: exportId }),
  answer: z.instanceof(FileAnswer),
  fileTypes: {
    'text/csv': 'id,account_id,user_id,user_reference\r\n31,7,12,ann\r\n',
    'application/vnd.apache.parquet': 'PAR1',
  },
  refusals: ['export-not-found', 'export-not-done', 'export-failed', 'export-expired'],
  async handle({ params, caller, cause }, { database, exportFiles, notedEvents, logger }) {
    const { accountId } = caller.account;
    const found = await readExport(database.of(accountId), { accountId, id: BigInt(params.id) });
    assertHasFile(found);
    notedEvents.note({ accountId, type: 'export-downloaded', after: { export_id: Number(found.id) }, cause });
    return new FileAnswer({
      path: exportFiles.pathOf(found),
      name: nameOf(found),
      type: types[found.format],
      sha256: found.sha256 ?? '',
      missing() {
        logger.warn({ export: String(found.id) }, 'the file of an export is not in EXPORT_DIR');
        return new Refusal('export-expired');
      },
    });
  },
});
