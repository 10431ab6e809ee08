import { useRef } from 'preact/hooks';
import { viewedAccount } from '../../api/viewed-account.js';
import { Fields } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { formatAmount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { waitsText } from '../approvals/waits.js';
import { type ApprovalKind, ApprovalNote, useApprovalRules } from './approval-note.js';
import { Preview } from './preview.js';
import { type Outcome, outcomeText } from './tags.js';
import { type PreviewedOperation, type PreviewOptions, type ShownPreview, usePreview } from './use-preview.js';

interface DecidedValues {
  readonly outcome: string;
  readonly description: string;
  readonly confirmation: string;
}

type Done = Parameters<typeof waitsText>[0];

/** Something that a person does to a wager or a bet. */
export interface Decision {
  /** Names what is done and to what, as the name of a form. */
  readonly name: string;
  readonly title: string;
  /** The text of its button, before the chosen result. */
  readonly action: string;
  /** What it does. */
  readonly text?: string;
  /** The results to choose from. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** The result that is chosen at first; Enter then confirms it. */
  readonly chosen?: string;
  /** The kind of approval that it may need in the own account. */
  readonly approvedAs?: ApprovalKind;
  /** Where its reason is shown; without it, none is asked for. */
  readonly reasonHint?: string;
  readonly needsReason?: boolean;
  /** Has to be typed first. */
  readonly reference?: string;
  /** The page shows whether it was done, and afterwards offers the contrary. */
  readonly setsState?: boolean;
  /** Undefined: it moves no money, and has no preview. */
  readonly operationOf?: (outcome: string) => PreviewedOperation;
  send(values: DecidedValues, idempotencyKey: string): Promise<Done>;
  /** It is done, and does not wait for another person. */
  readonly onDone?: (outcome: string) => void;
}

export interface DecidingProps extends Pick<PreviewOptions, 'changedBy'> {
  readonly decision: Decision;
  /** The present outcome of the wager. */
  readonly outcome: Outcome;
  readonly onClose: () => void;
}

const nameOf = (outcome: string): string => (outcomeText[outcome as Outcome] ?? outcome).toLowerCase();

const UNCHOSEN = ['', 'Choose a result'] as const;

/** It names what the preview has shown. */
function buttonText({ action }: Decision, outcome: string, { done }: ShownPreview): string {
  const chosen = outcome === '' ? action : `${action} ${nameOf(outcome)}`;
  if (done?.would_succeed !== true) return chosen;
  const { credit } = done.moved;
  return `${chosen}: ${credit === 0 ? 'no money' : formatAmount(credit)} moves`;
}

function useDecision({ decision, onClose }: DecidingProps) {
  const { choices, chosen, reasonHint, reference } = decision;
  const all = chosen === undefined ? [UNCHOSEN, ...(choices ?? [])] : (choices ?? []);
  const form = useForm({
    name: decision.name,
    isStored: decision.setsState !== true,
    fields: {
      outcome: choices === undefined ? {} : { label: 'Result', value: chosen ?? '', choices: all, isRequired: true },
      confirmation: reference === undefined ? {} : { label: 'Reference', isRequired: true },
      description:
        reasonHint === undefined ? {} : { label: 'Why', hint: reasonHint, isRequired: decision.needsReason === true },
    },
    send(values, idempotencyKey) {
      sentRef.current = values.outcome;
      return decision.send(values, idempotencyKey);
    },
    onDone(answer: Done, { outcome }) {
      announce(waitsText(answer));
      onClose();
      if (answer.change_request === undefined) decision.onDone?.(outcome);
    },
  });
  const sentRef = useRef(form.values.outcome);
  // After a lost answer the same request may come again, although what it has done would be refused now.
  const isUnanswered = form.isRepeat || form.faults?.isFinal === false;
  return { form, mayRepeat: isUnanswered && sentRef.current === form.values.outcome };
}

/** Browsers do not send a form by Enter in a list. The button is off until it is shown what it moves. */
function confirmWithEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.repeat || !(event.target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  event.target.form?.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
}

/** Shows what a decision moves, and lets it be confirmed once that is known. */
export function DecidingDialog(props: DecidingProps) {
  const { decision, changedBy, onClose } = props;
  const { title, text, choices, reference, operationOf } = decision;
  const { form, mayRepeat } = useDecision(props);
  const { outcome, confirmation } = form.values;
  const isChosen = choices === undefined || outcome !== '';
  const preview = usePreview({ operation: isChosen ? operationOf?.(outcome) : undefined, changedBy });
  const isShown = operationOf === undefined || (preview.isComplete && (preview.done?.would_succeed || mayRepeat));
  const isConfirmed = reference === undefined || confirmation === reference;
  const rules = useApprovalRules(viewedAccount.value === undefined ? decision.approvedAs : undefined);
  return (
    <Dialog title={title} onClose={onClose}>
      <FormView
        form={form}
        action={buttonText(decision, outcome, preview)}
        decides
        isOff={!(isChosen && isShown && isConfirmed)}
      >
        {text !== undefined && <p>{text}</p>}
        {decision.chosen === undefined ? (
          <Fields form={form} names={['outcome']} />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: a list that is chosen from already
          <div class="field" onKeyDown={confirmWithEnter}>
            <Fields form={form} names={['outcome']} />
          </div>
        )}
        <Preview of={preview} outcome={props.outcome} />
        <ApprovalNote rules={rules} moved={preview.done?.moved.credit} />
        {reference !== undefined && (
          <p>
            To confirm, type the reference of the wager: <bdi class="reference">{reference}</bdi>
          </p>
        )}
        <div class="columns">
          <Fields form={form} names={['confirmation', 'description']} />
        </div>
      </FormView>
    </Dialog>
  );
}
