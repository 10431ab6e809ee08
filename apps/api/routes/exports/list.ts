import { z } from 'zod';
import { listExports } from '#exports/export-rows.js';
import { frameOf } from '#http/paging.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { pageFields, pageOf, rangeOf } from '../../fields/lists.js';
import { exportAnswer, presentExport } from './export.js';

export const exportList = endpoint({
  method: 'get',
  path: '/exports',
  tag: 'Exports',
  summary: 'List exports',
  description: 'The newest first. An export is listed for 30 days, its file lives for 24 hours.',
  access: 'account',
  status: 200,
  isList: true,
  query: z.object(pageFields),
  answer: pageWith(exportAnswer).meta({ id: 'ExportPage' }),
  async handle({ query, caller }, { database }) {
    const { items, total } = await listExports(database, caller.account.accountId, rangeOf(query));
    return { data: items.map(presentExport), ...frameOf(pageOf(query), total, items.length) };
  },
});
