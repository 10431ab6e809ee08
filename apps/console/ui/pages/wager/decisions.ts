import type { Schemas } from '../../api/api.js';
import { type Outcome, outcomeChoices, outcomeText } from '../ledger/tags.js';
import type { PreviewedOperation } from '../ledger/use-preview.js';

type Wager = Pick<Schemas['WagerWithSettlement'], 'reference' | 'account_id' | 'outcome'>;

/** As the business decides it. */
export const decisionOf = (
  { reference }: Pick<Wager, 'reference'>,
  outcome: string,
): Extract<PreviewedOperation, { readonly type: 'update_wager_outcome' }> => ({
  type: 'update_wager_outcome',
  reference,
  outcome: outcome as Outcome,
});

/** As an admin corrects it. */
export const correctionOf = ({ reference, account_id }: Wager, outcome: string): PreviewedOperation => ({
  type: 'force_update_outcome',
  account_id,
  wager_reference: reference,
  outcome: outcome as Outcome,
});

/** A wager is corrected to any other outcome. */
export const correctionChoices = ({ outcome }: Pick<Wager, 'outcome'>) =>
  [...outcomeChoices, ['undecided', outcomeText.undecided] as const].filter(([value]) => value !== outcome);
