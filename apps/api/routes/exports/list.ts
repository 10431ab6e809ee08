import { listExports } from '#exports/export-rows.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import {
  accountId as accountIdField,
  byId,
  createdFilters,
  listQuery,
  newestFirst,
  timesAndOrderOf,
} from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { exportAnswer, presentExport } from './export.js';

export const exportList = endpoint({
  method: 'get',
  path: '/exports',
  tag: 'Exports',
  summary: 'List exports',
  description:
    'The newest first, unless asked otherwise. An export is listed for 30 days, its file lives for 24 hours.',
  access: 'account',
  isList: true,
  query: listQuery({ account_id: accountIdField, ...createdFilters, ...byId(newestFirst) }),
  answer: pageWith(exportAnswer).meta({ id: 'ExportPage' }),
  async handle({ query, caller }, { database }) {
    const accountId = visibleAccount(caller, query.account_id);
    const { page, frameOf } = listPage(query, { list: 'exports', accountId });
    const list = await listExports(database, accountId, { ...timesAndOrderOf(query), page });
    return { data: list.items.map(presentExport), ...frameOf(list) };
  },
});
