import type { ResourceOptions } from '../../api/resource.js';

type Following = Pick<ResourceOptions, 'types' | 'changedBy'>;

/** What changes a change request, or all of them; `others`: what else the page shows. */
export const isAboutRequests = (id?: number, others: readonly string[] = []): Following => ({
  types: ['change_request.*', ...others],
  changedBy: ({ type, change_request: request }) =>
    id === undefined || !type.startsWith('change_request.') || request?.id === id,
});
