import { listChangeRequests } from '#approvals/list-change-requests.js';
import { endpoint } from '../../endpoint.js';
import { pageWith } from '../../fields/answers.js';
import { listPage } from '../../fields/list-page.js';
import { accountId, byId, createdFilters, listQuery, newestFirst, timesAndOrderOf } from '../../fields/lists.js';
import { visibleAccount } from '../../guards/visible-accounts.js';
import { changeRequestAnswer, changeRequestState, presentRequest } from './change-request.js';

export const changeRequestList = endpoint({
  method: 'get',
  path: '/change-requests',
  tag: 'Approvals',
  summary: 'List change requests',
  description: 'The newest first, unless asked otherwise.',
  access: 'account',
  isList: true,
  query: listQuery({
    state: changeRequestState.optional().meta({ description: 'Only those in this state.' }),
    account_id: accountId,
    ...createdFilters,
    ...byId(newestFirst),
  }),
  answer: pageWith(changeRequestAnswer).meta({ id: 'ChangeRequestPage' }),
  async handle({ query, caller }, { database }) {
    const seen = visibleAccount(caller, query.account_id);
    const { page, frameOf } = listPage(query, { list: 'change_requests', accountId: seen });
    const list = await listChangeRequests(database, seen, { ...timesAndOrderOf(query), state: query.state, page });
    return { data: list.items.map(presentRequest), ...frameOf(list) };
  },
});
