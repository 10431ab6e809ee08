import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api, type Schemas } from '../../api/api.js';
import { isAdmin } from '../../api/session.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { Amount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { DECIDED, type Outcome, outcomeChoices, outcomeText } from '../ledger/tags.js';
import { amountOf, movementsOf } from '../wager/movement-sums.js';

type Bet = Schemas['Bet'];

interface ActionValues {
  readonly [name: string]: string;
  readonly override_outcome: string;
  readonly description: string;
}

/** Something that may be done to a bet. */
interface Action {
  readonly name: string;
  readonly title: string;
  readonly action: string;
  readonly text: string;
  readonly choices?: readonly (readonly [value: string, text: string])[];
  readonly takesDescription?: boolean;
  /** The page shows whether it was done, and afterwards offers the contrary. */
  readonly setsState?: boolean;
  send(values: ActionValues, idempotencyKey: string): Promise<{ readonly message: string }>;
}

const UNDECIDED = ['undecided', 'Undecided: take its settlement back'] as const;
/** The empty outcome takes the override away. */
const NONE = 'none';

function cancelOf(bet: Bet): Action {
  return {
    ...{ name: 'cancel', title: 'Cancel the offer', action: 'Cancel the offer' },
    text: 'Nobody can accept it any more, and its stake is no exposure any more.',
    send: (_, idempotencyKey) =>
      api.post('/bets/cancel-offer', {
        idempotencyKey,
        body: { bet_id: bet.id, requesting_user_id: bet.requesting_user_id, cancel_all: true },
      }),
  };
}

function overrideOf(bet: Bet): Action {
  return {
    ...{ name: 'override', title: 'Settle by an outcome of its own', action: 'Settle' },
    text: 'The bet is settled at once, and stays so when its wager is decided.',
    choices: [...outcomeChoices, UNDECIDED],
    send: ({ override_outcome }, idempotencyKey) =>
      api.post('/bets/override-outcome', {
        idempotencyKey,
        body: { bet_id: bet.id, override_outcome: override_outcome as Outcome },
      }),
  };
}

function forceOverrideOf(bet: Bet): Action {
  return {
    ...{ name: 'force', title: 'Correct the outcome of the bet', action: 'Correct', takesDescription: true },
    text: 'The ledger takes back what the bet has moved, and moves it anew. While its outcome decides, the bet is expired.',
    choices: [...outcomeChoices, UNDECIDED, [NONE, 'None: that of its wager']],
    send: ({ override_outcome, description }, idempotencyKey) =>
      api.post('/admin/bets/force-update-override-outcome', {
        idempotencyKey,
        body: {
          ...{ account_id: bet.account_id, bet_id: bet.id, description: optionalText(description) ?? null },
          override_outcome: override_outcome === NONE ? null : (override_outcome as Outcome),
        },
      }),
  };
}

function setActiveOf(bet: Bet): Action {
  const path = bet.is_active ? '/admin/bets/{betId}/set-inactive' : '/admin/bets/{betId}/set-active';
  const word = bet.is_active ? 'inactive' : 'active';
  return {
    ...{ name: word, title: `Set the bet ${word}`, action: `Set ${word}`, takesDescription: true, setsState: true },
    text: bet.is_active
      ? 'All its effect on balances and exposures is taken back, until it is set active again.'
      : 'Its effect comes back, as its state and the outcome of its wager now say.',
    send: ({ description }, idempotencyKey) =>
      api.post(path, {
        idempotencyKey,
        params: { path: { betId: bet.id } },
        body: { description: optionalText(description) ?? null },
      }),
  };
}

/** A business handles its own bets; an admin corrects every bet. */
function actionsOf(bet: Bet, account: number | undefined): readonly Action[] {
  const isOwn = account === undefined && bet.is_active;
  return [
    ...(isOwn && bet.offer_status === 'requesting' ? [cancelOf(bet)] : []),
    ...(isOwn && bet.offer_status === 'accepted' ? [overrideOf(bet)] : []),
    ...(isAdmin() ? [forceOverrideOf(bet), setActiveOf(bet)] : []),
  ];
}

/** Who gets what by an outcome, once it is the bet's. */
function Consequence({ bet, outcome }: { readonly bet: Bet; readonly outcome: string }): ComponentChildren {
  const place = (DECIDED as readonly string[]).indexOf(outcome);
  const { effective_odds: odds, effective_amount: amount } = bet;
  if (place === -1 || odds === null || amount === null) return null;
  const moved = amountOf(movementsOf({ odds, amount })[place] ?? 0n);
  const [from, to] =
    moved < 0
      ? [bet.requesting_user_reference, bet.accepting_user_reference]
      : [bet.accepting_user_reference, bet.requesting_user_reference];
  return (
    <p class="panel">
      {outcomeText[outcome as Outcome]}:{' '}
      {moved === 0 ? (
        'no money moves.'
      ) : (
        <>
          <bdi>{from}</bdi> pays <Amount value={Math.abs(moved)} /> to <bdi>{to}</bdi>.
        </>
      )}
    </p>
  );
}

function ActionDialog({ bet, action, onClose }: { bet: Bet; action: Action; onClose: () => void }) {
  const form = useForm<ActionValues, { readonly message: string }>({
    name: `${action.name} bet ${bet.id}`,
    isStored: action.setsState !== true,
    initial: { override_outcome: '', description: '' },
    send: action.send,
    onDone: ({ message }) => {
      announce(message);
      onClose();
    },
  });
  const { override_outcome: outcome } = form.values;
  return (
    <Dialog title={action.title} onClose={onClose}>
      <FormView form={form} action={action.action} decides isOff={action.choices !== undefined && outcome === ''}>
        <p>{action.text}</p>
        {action.choices !== undefined && (
          <SelectField
            form={form}
            name="override_outcome"
            label="Outcome of the bet"
            choices={[['', 'Choose an outcome'], ...action.choices]}
            isRequired
          />
        )}
        <Consequence bet={bet} outcome={outcome} />
        {action.takesDescription && (
          <TextField form={form} name="description" label="Why" hint="Stands in the trail of the bet." />
        )}
      </FormView>
    </Dialog>
  );
}

export function Actions({ bet, account }: { readonly bet: Bet; readonly account: number | undefined }) {
  const opened = useSignal<string | undefined>(undefined);
  const actions = actionsOf(bet, account);
  const action = actions.find(({ name }) => name === opened.value);
  const close = () => {
    opened.value = undefined;
  };
  if (actions.length === 0) return null;
  return (
    <>
      <p class="actions">
        {actions.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            onClick={() => {
              opened.value = name;
            }}
          >
            {title} …
          </button>
        ))}
      </p>
      {action !== undefined && <ActionDialog bet={bet} action={action} onClose={close} />}
    </>
  );
}
