import type { ComponentChildren } from 'preact';
import { api, type Schemas } from '../../api/api.js';
import { TextField } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { optionalText } from '../../forms/values.js';
import { announce } from '../../parts/alerts.js';
import { readAmount, readOdds } from '../../parts/amount.js';
import { Section } from '../../parts/section.js';
import { route } from '../../shell/router.js';
import { askOfMovement, askOfOffer } from '../ledger/questions.js';
import { wagerAddress } from '../ledger/tags.js';

type User = Schemas['User'];

function CreateUser() {
  const form = useForm({
    name: 'first steps: user',
    initial: { name: '', reference: '' },
    send: ({ name, reference }, idempotencyKey) =>
      api.post('/account/user', { idempotencyKey, body: { name, reference: optionalText(reference) ?? null } }),
    onDone: ({ data }) => announce(`${data.reference} is created.`),
    afterDone: () => ({ name: '', reference: '' }),
  });
  return (
    <FormView form={form} action="Create the user">
      <TextField form={form} name="name" label="Name" isRequired />
      <TextField
        form={form}
        name="reference"
        label="Reference"
        hint="What your own system calls the user, like “ann”."
      />
    </FormView>
  );
}

function FundUser({ users }: { readonly users: readonly User[] }) {
  const user_reference = (users.find(({ balance }) => balance === 0) ?? users[0])?.reference ?? '';
  const form = useForm({
    name: 'first steps: fund',
    initial: { user_reference, amount: '' },
    numbers: { amount: readAmount },
    ask: ({ user_reference: reference }, { amount }) => askOfMovement({ movement: 'fund', reference, amount }),
    send: ({ user_reference: reference }, idempotencyKey, { amount }) =>
      api.post('/transactions/fund-user', { idempotencyKey, body: { user_reference: reference, amount } }),
    onDone: ({ message }) => announce(message),
    afterDone: (values) => ({ ...values, amount: '' }),
  });
  return (
    <FormView form={form} action="Fund" decides>
      <TextField
        form={form}
        name="user_reference"
        label="User to fund"
        list={users.map(({ reference }) => reference)}
        isRequired
      />
      <TextField form={form} name="amount" label="Amount" inputMode="decimal" isRequired />
    </FormView>
  );
}

function MakeOffer({ users }: { readonly users: readonly User[] }) {
  const requesting_user_reference = (users.find(({ balance }) => balance > 0) ?? users[0])?.reference ?? '';
  const form = useForm({
    name: 'first steps: offer',
    initial: { requesting_user_reference, wager_reference: '', requesting_odds: '', requesting_amount: '' },
    numbers: { requesting_odds: readOdds, requesting_amount: readAmount },
    ask: (
      { requesting_user_reference: reference, wager_reference: wager },
      { requesting_odds: odds, requesting_amount: amount },
    ) => askOfOffer({ reference, wager, odds, amount, isFirst: true }),
    send: (values, idempotencyKey, numbers) =>
      api.post('/bets/make-offer', { idempotencyKey, body: { ...values, ...numbers } }),
    onDone: ({ data, message }) => {
      announce(message);
      route(wagerAddress({ reference: data.wager_reference }));
    },
  });
  return (
    <FormView form={form} action="Make the offer" decides>
      <TextField
        form={form}
        name="requesting_user_reference"
        label="User who offers"
        list={users.map(({ reference }) => reference)}
        isRequired
      />
      <TextField
        form={form}
        name="wager_reference"
        label="Wager"
        hint="The reference of the wager, like “home-win”. The first offer creates it."
        isRequired
      />
      <TextField
        form={form}
        name="requesting_odds"
        label="Odds"
        hint="Decimal odds, 1 or more."
        inputMode="decimal"
        isRequired
      />
      <TextField form={form} name="requesting_amount" label="Stake" inputMode="decimal" isRequired />
    </FormView>
  );
}

function Step({
  title,
  isDone,
  children,
}: {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <li class="panel section">
      <h3>
        {title} {isDone && <span class="tag good">done</span>}
      </h3>
      {children}
    </li>
  );
}

/** What to do first on an empty account: a form for each step. */
export function FirstSteps({ users }: { readonly users: readonly User[] }) {
  const [first] = users;
  const isFunded = users.some(({ balance }) => balance > 0);
  return (
    <Section title="Get started">
      <p>Your ledger is empty. Three steps lead to the first offer. Your own system does the same with the API.</p>
      <ol class="plain panels">
        <Step title="1. Create a user" isDone={first !== undefined}>
          <CreateUser />
        </Step>
        <Step title="2. Fund the user" isDone={isFunded}>
          {first === undefined ? (
            <p class="aside">Create a user first.</p>
          ) : (
            <FundUser key={users.length} users={users} />
          )}
        </Step>
        <Step title="3. Make the first offer" isDone={false}>
          {isFunded ? <MakeOffer key={users.length} users={users} /> : <p class="aside">Fund a user first.</p>}
        </Step>
      </ol>
    </Section>
  );
}
