import { z } from 'zod';
import type { Caller } from '#accounts/access/authenticator.js';
import type { AdminAction } from '#core/admin-action.js';
import * as fields from '#http/fields.js';
import { outcome } from '../words.js';

// The bodies of an admin's corrections, and who corrects: the trail of every bet that moves says so.

const description = fields.line(1_000).nullish().meta({ description: 'Why; for whoever reads the trail.' });
const why = 'Entered by mistake';

export const forceOutcomeBody = z
  .strictObject({
    account_id: fields.id.meta({ description: 'Whose wager it is.' }),
    wager_reference: fields.reference.meta({ description: 'The wager, as its business calls it.' }),
    outcome,
    description,
  })
  .meta({
    id: 'ForceOutcome',
    examples: [{ account_id: 7, wager_reference: 'home-win', outcome: 'loss', description: why }],
  });

export const forceOverrideBody = z
  .strictObject({
    account_id: fields.id.meta({ description: 'Whose bet it is.' }),
    bet_id: fields.id.meta({ description: 'The bet.' }),
    override_outcome: outcome.nullish().meta({ description: 'Null, or left out: the override is taken away.' }),
    description,
  })
  .meta({
    id: 'ForceOverride',
    examples: [{ account_id: 7, bet_id: 21, override_outcome: 'void', description: why }],
  });

export const setActiveBody = z
  .strictObject({ description })
  .meta({ id: 'SetActive', examples: [{ description: why }] });

export function actionOf({ account }: Caller, text: string | null | undefined): AdminAction {
  return { adminId: account.accountId, adminEmail: account.email, description: text ?? null };
}
