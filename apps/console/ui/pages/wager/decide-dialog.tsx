import { useEffect } from 'preact/hooks';
import { api, type Schemas } from '../../api/api.js';
import { SelectField, TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { Amount, formatCount } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { type DecidedOutcome, type Outcome, outcomeChoices, outcomeText } from '../ledger/tags.js';
import { Coverage, UserTable } from './results.js';
import { MOST_BETS, type WagerBets } from './wager-bets.js';

const USERS_IN_DIALOG = 4;

export interface DecideProps {
  readonly wager: Schemas['WagerWithSettlement'];
  readonly book: Schemas['OrderBook'];
  readonly bets: WagerBets;
  readonly account: number | undefined;
  readonly onClose: () => void;
}

/** Who pays whom, and what happens to the open offers. */
function Consequences({ outcome, wager, book, bets, account }: DecideProps & { readonly outcome: Outcome }) {
  const sum = outcome === 'undecided' ? undefined : bets.sums.ofRequesters(wager.outcome)[outcome];
  return (
    <div class="panel column">
      <h3>What “{outcomeText[outcome].toLowerCase()}” moves</h3>
      {sum === undefined ? (
        <p>Every settlement of this wager is taken back, and the offers that the decision expired are open again.</p>
      ) : (
        <dl class="figures">
          <div>
            <dt>{sum < 0 ? 'Requesters pay acceptors' : 'Acceptors pay requesters'}</dt>
            <dd>
              <Amount value={Math.abs(sum)} />
            </dd>
          </div>
          <div>
            <dt>Bets that move</dt>
            <dd>{formatCount(bets.sums.moving)}</dd>
          </div>
          <div>
            <dt>Open offers that expire</dt>
            <dd>
              {formatCount(book.open_offers)}
              <p class="aside">
                with stakes of <Amount value={book.open_amount} />
              </p>
            </dd>
          </div>
        </dl>
      )}
      <Coverage bets={bets} total={book.matched_bets} />
      {outcome !== 'undecided' && bets.sums.users > 0 && (
        <UserTable
          bets={bets}
          present={wager.outcome}
          account={account}
          outcomes={[outcome as DecidedOutcome]}
          count={USERS_IN_DIALOG}
        />
      )}
    </div>
  );
}

interface Decision {
  readonly [name: string]: string;
  readonly outcome: string;
  readonly confirmation: string;
  readonly description: string;
}

interface Kind {
  readonly name: string;
  readonly title: string;
  readonly action: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly takesDescription: boolean;
  send(decision: Decision, idempotencyKey: string): Promise<{ readonly message: string }>;
}

/** Decides after the figures were shown and the reference was typed. */
function DecisionDialog({ kind, ...props }: DecideProps & { readonly kind: Kind }) {
  const { wager, bets, onClose } = props;
  useEffect(() => void bets.readTo(MOST_BETS), [bets]);
  const form = useForm<Decision, { readonly message: string }>({
    name: `${kind.name} ${wager.account_id} ${wager.reference}`,
    initial: { outcome: '', confirmation: '', description: '' },
    send: kind.send,
    onDone: ({ message }) => {
      announce(message);
      onClose();
    },
  });
  const { outcome, confirmation } = form.values;
  return (
    <Dialog title={kind.title} onClose={onClose}>
      <FormView form={form} action={kind.action} decides isOff={outcome === '' || confirmation !== wager.reference}>
        <SelectField
          form={form}
          name="outcome"
          label="Result"
          choices={[['', 'Choose a result'], ...kind.choices]}
          isRequired
        />
        {outcome !== '' && <Consequences {...props} outcome={outcome as Outcome} />}
        {kind.takesDescription && (
          <TextField form={form} name="description" label="Why" hint="Stands in the trail of each bet that moves." />
        )}
        <p>
          To confirm, type the reference of the wager: <bdi class="reference">{wager.reference}</bdi>
        </p>
        <TextField form={form} name="confirmation" label="Reference" isRequired />
      </FormView>
    </Dialog>
  );
}

/** The first decision of a wager, which the business makes. */
export function DecideDialog(props: DecideProps) {
  const { reference } = props.wager;
  const kind: Kind = {
    ...{ name: 'decide', title: 'Decide the wager', action: 'Decide', takesDescription: false },
    choices: outcomeChoices,
    send: ({ outcome }, idempotencyKey) =>
      api.post('/bets/update-wager-outcome', { idempotencyKey, body: { reference, outcome: outcome as Outcome } }),
  };
  return <DecisionDialog kind={kind} {...props} />;
}

/** Any later one, which an admin makes. */
export function CorrectDialog(props: DecideProps) {
  const { reference, account_id, outcome: present } = props.wager;
  const kind: Kind = {
    ...{ name: 'correct', title: 'Correct the outcome', action: 'Correct', takesDescription: true },
    choices: [['undecided', outcomeText.undecided] as const, ...outcomeChoices].filter(([value]) => value !== present),
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/admin/wagers/force-update-outcome', {
        idempotencyKey,
        body: {
          ...{ account_id, wager_reference: reference, outcome: outcome as Outcome },
          description: optionalText(description) ?? null,
        },
      }),
  };
  return <DecisionDialog kind={kind} {...props} />;
}
