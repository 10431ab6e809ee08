import { z } from 'zod';
import type { Sandbox } from '#accounts/sandboxes/sandbox.js';
import { id, moment, text } from '../../fields/answers.js';
import { apiKeyPair, pairExample } from '../api-keys/api-key.js';

const fields = {
  id: id('The id of its account.'),
  name: text('What the business calls it.'),
  state: z.enum(['active', 'deleting']).meta({
    description: '`deleting`: its keys are ended, and the worker deletes its rows. It counts until they are gone.',
  }),
  now: moment('The time of its clock.'),
  created_at: moment('When it was made.'),
};

const example = {
  id: 12,
  name: 'nightly tests',
  state: 'active',
  now: '2026-01-15T18:32:10.125Z',
  created_at: '2026-01-15T18:32:10.125Z',
};

export const sandbox = z.strictObject(fields).meta({ id: 'Sandbox', examples: [example] });

export const newSandbox = z.strictObject({ ...fields, ...apiKeyPair.shape }).meta({
  id: 'NewSandbox',
  description: 'A sandbox with its first API key.',
  examples: [{ ...example, ...pairExample }],
});

export const presentSandbox = ({ isRemoved, ...found }: Sandbox): z.output<typeof sandbox> => ({
  id: Number(found.id),
  name: found.name,
  state: isRemoved ? 'deleting' : 'active',
  now: found.now,
  created_at: found.createdAt,
});
