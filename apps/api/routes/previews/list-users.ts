import { z } from 'zod';
import { readPreviewUsers } from '#previews/preview-rows.js';
import { endpoint } from '../../endpoint.js';
import { text } from '../../fields/answers.js';
import { presentPreviewedUser, previewedUser, previewIdPath } from './preview.js';

/** The number of a page; the empty text is the first. */
const CURSOR = /^\d{0,6}$/;

export const previewUserList = endpoint({
  method: 'get',
  path: '/previews/:id/users',
  tag: 'Previews',
  summary: 'List all users whom a preview would move',
  description: 'By pages of 100: those below zero first, then those whose balance moves most.',
  access: 'account',
  params: previewIdPath,
  query: z.strictObject({
    cursor: z
      .string()
      .regex(CURSOR, 'must be a cursor')
      .transform(Number)
      .optional()
      .meta({
        description: 'The `next` of the page before; empty: the first page.',
        examples: ['1'],
      }),
  }),
  answer: z
    .strictObject({
      data: z.array(previewedUser),
      next: text('The cursor of the next page; null: there is none.')
        .nullable()
        .meta({ examples: ['1'] }),
    })
    .meta({ id: 'PreviewUserPage', description: 'A page of the users of a preview.' }),
  refusals: ['preview-not-found', 'preview-not-done'],
  async handle({ params, query, caller }, { database }) {
    const key = { accountId: caller.account.accountId, id: BigInt(params.id) };
    const { users, next } = await readPreviewUsers(database, key, query.cursor ?? 0);
    return { data: users.map(presentPreviewedUser), next: next === undefined ? null : String(next) };
  },
});
