import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { api } from '../../api/api.js';
import { session } from '../../api/session.js';
import { textOrNull } from '../../forms/use-form.js';
import { isLive } from '../../live/liveness.js';
import { type Action, Actions } from '../../parts/actions.js';
import { useSecondsUntil } from '../../parts/countdown.js';
import { areKeysOn } from '../../parts/keys.js';
import { type DecidedWager, decided, endUndo } from '../../shell/decided.js';
import { DecidingDialog, type Decision } from '../ledger/deciding-dialog.js';
import { isAboutWager } from '../ledger/following.js';
import { type Outcome, outcomeText, WagerLink } from '../ledger/tags.js';
import { correctionChoices } from './decisions.js';

/** The key that begins to undo the latest decision. */
const KEY = 'u';

const nameOf = (outcome: Outcome): string => outcomeText[outcome].toLowerCase();

function undoOf({ reference, outcome }: DecidedWager): Decision {
  return {
    name: `undo ${session.peek()?.account.id} ${reference}`,
    title: 'Undo the decision',
    action: 'Correct to',
    text: `${reference} was decided as ${nameOf(outcome)}. Undecided takes the decision back; another result puts it right at once.`,
    chosen: 'undecided',
    choices: correctionChoices({ outcome }),
    approvedAs: 'update_wager_outcome',
    reasonHint: 'May be empty. Shown in the event and in the history of each bet that moves.',
    operationOf: (corrected) => ({ type: 'correct_wager_outcome', reference, outcome: corrected as Outcome }),
    send: ({ outcome: corrected, description }, idempotencyKey) =>
      api.post('/wagers/{reference}/correct', {
        idempotencyKey,
        params: { path: { reference } },
        body: { outcome: corrected as Outcome, reason: textOrNull(description) },
      }),
    onDone: () => endUndo(reference),
  };
}

/** What was decided just now, with the way back, on every page. It stays while the dialog is open. */
export function UndoBar() {
  const opened = useSignal<string | undefined>(undefined);
  const all = decided.value;
  const last = Math.max(...all.map(({ until }) => until));
  const endsAt = useMemo(() => performance.now() + last - Date.now(), [last]);
  const left = useSecondsUntil(endsAt, () => {
    if (opened.peek() === undefined) endUndo();
  });
  const [first] = all;
  if (first === undefined) return null;
  const actions = all.map((wager, index): [string, Action] => [
    wager.reference,
    {
      text: all.length === 1 ? 'Undo …' : `Undo ${wager.reference} …`,
      least: 'settler',
      isMain: index === 0,
      isOff: !isLive.value,
      ...(index === 0 && { key: KEY }),
      dialog: (close) => (
        <OpenUndo
          wager={wager}
          onOpen={(reference) => {
            opened.value = reference;
          }}
          onClose={() => {
            opened.value = undefined;
            close();
            endUndo();
          }}
        />
      ),
    },
  ]);
  return (
    <section class="band undo" aria-label="Undo">
      <p role="status">
        {all.length === 1 ? (
          <>
            <WagerLink reference={first.reference} /> is decided as {nameOf(first.outcome)}.
          </>
        ) : (
          `${all.length} wagers are decided.`
        )}
      </p>
      <Actions of={Object.fromEntries(actions)} />
      <p aria-hidden="true">
        {left} s
        {areKeysOn.value && (
          <>
            {' '}
            · key <kbd>{KEY}</kbd>
          </>
        )}
      </p>
      <button type="button" class="quiet" aria-label="Keep the decision" onClick={() => all.forEach(keep)}>
        ×
      </button>
    </section>
  );
}

const keep = ({ reference }: DecidedWager) => endUndo(reference);

interface OpenUndoProps {
  readonly wager: DecidedWager;
  readonly onOpen: (reference: string) => void;
  readonly onClose: () => void;
}

function OpenUndo({ wager, onOpen, onClose }: OpenUndoProps) {
  useEffect(() => onOpen(wager.reference), []);
  return (
    <DecidingDialog
      decision={undoOf(wager)}
      outcome={wager.outcome}
      changedBy={isAboutWager(wager.reference)}
      onClose={onClose}
    />
  );
}
