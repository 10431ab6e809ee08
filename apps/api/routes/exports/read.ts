import { z } from 'zod';
import { readExport } from '#exports/export-rows.js';
import * as fields from '#http/fields.js';
import { endpoint } from '../../endpoint.js';
import { dataWith } from '../../fields/answers.js';
import { accountId as accountIdField } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { exportAnswer, presentExport } from './export.js';

const RETRIEVED = 'Export retrieved';

export const exportId = fields.idText.meta({ description: 'The id of the export.', examples: [5] });

export const exportRead = endpoint({
  method: 'get',
  path: '/exports/:id',
  tag: 'Exports',
  summary: 'Read how far an export is',
  access: 'account',
  params: z.object({ id: exportId }),
  query: z.object({ account_id: accountIdField }),
  answer: dataWith(exportAnswer, RETRIEVED),
  refusals: ['export-not-found'],
  async handle({ params, query, caller }, { database }) {
    const accountId = visibleAccount(caller, query.account_id);
    const found = await readExport(database.of(accountId), { accountId, id: BigInt(params.id) });
    return { data: presentExport(found), message: RETRIEVED };
  },
});
