import { useSignal } from '@preact/signals';
import type { Schemas } from '../../api/api.js';
import { isAdmin } from '../../api/session.js';
import { Select } from '../../forms/fields.js';
import { Section } from '../../parts/section.js';
import { PayoutPreview } from '../later-dialogs.js';
import { outcomeChoices } from '../ledger/tags.js';
import { correctionChoices, correctionOf, decisionOf } from './decisions.js';

/** What a result of the wager would move. A business may preview its decision, and an admin each correction. */
export function PayoutByResult({ wager }: { readonly wager: Schemas['WagerWithSettlement'] }) {
  const chosen = useSignal('');
  const mayCorrect = isAdmin();
  const choices = mayCorrect ? correctionChoices(wager) : outcomeChoices;
  const isOpen = mayCorrect || wager.outcome === 'undecided';
  // The wager may have got the chosen result meanwhile.
  const outcome = isOpen && choices.some(([value]) => value === chosen.value) ? chosen.value : '';
  const operationOf = mayCorrect ? correctionOf : decisionOf;
  if (!isOpen) return null;
  return (
    <Section title="Payout by result">
      <label class="narrow">
        If the result is{' '}
        <Select
          value={outcome}
          choices={[['', 'Choose a result'], ...choices]}
          onChange={(value) => {
            chosen.value = value;
          }}
        />
      </label>
      {outcome !== '' && (
        <PayoutPreview reference={wager.reference} operation={operationOf(wager, outcome)} outcome={wager.outcome} />
      )}
    </Section>
  );
}
