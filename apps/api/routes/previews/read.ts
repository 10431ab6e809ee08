import { z } from 'zod';
import { readPreview } from '#previews/preview-rows.js';
import { endpoint } from '../../endpoint.js';
import { donePreview, presentDone, presentUnfinished, previewIdPath, unfinishedPreview } from './preview.js';

export const previewRead = endpoint({
  method: 'get',
  path: '/previews/:id',
  tag: 'Previews',
  summary: 'Read a preview, or how far it is',
  access: 'account',
  params: previewIdPath,
  answer: z.strictObject({ data: z.discriminatedUnion('state', [donePreview, unfinishedPreview]) }),
  refusals: ['preview-not-found'],
  async handle({ params, caller }, { database }) {
    const key = { accountId: caller.account.accountId, id: BigInt(params.id) };
    const preview = await readPreview(database, key);
    const { figures } = preview;
    return { data: figures === undefined ? presentUnfinished(preview) : presentDone(preview, figures) };
  },
});
