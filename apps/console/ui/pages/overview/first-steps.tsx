import type { ComponentChildren } from 'preact';
import { api, type Schemas } from '../../api/api.js';
import { Form } from '../../forms/form.js';
import { textOrNull } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { readAmount, readOdds } from '../../parts/amount.js';
import { Section } from '../../parts/section.js';
import { route } from '../../shell/router.js';
import { askOfMovement, askOfOffer } from '../ledger/questions.js';
import { wagerAddress } from '../ledger/tags.js';

type User = Schemas['User'];

const CreateUser = () => (
  <Form
    name="first steps: user"
    action="Create the user"
    fields={{
      name: { label: 'Name', isRequired: true },
      reference: { label: 'Reference', hint: 'What your own system calls the user, like “ann”.' },
    }}
    send={({ name, reference }, idempotencyKey) =>
      api.post('/account/user', { idempotencyKey, body: { name, reference: textOrNull(reference) } })
    }
    onDone={({ data }) => announce(`${data.reference} is created.`)}
    afterDone={() => ({ name: '', reference: '' })}
  />
);

/** The field that names a user: at first the one that fits best. */
const userField = (label: string, users: readonly User[], isFit: (user: User) => boolean) => ({
  label,
  value: (users.find(isFit) ?? users[0])?.reference ?? '',
  list: users.map(({ reference }) => reference),
  isRequired: true,
});

const FundUser = ({ users }: { readonly users: readonly User[] }) => (
  <Form
    name="first steps: fund"
    action="Fund"
    decides
    fields={{
      user_reference: userField('User to fund', users, ({ balance }) => balance === 0),
      amount: { label: 'Amount', number: readAmount, isRequired: true },
    }}
    ask={({ user_reference: reference }, { amount }) => askOfMovement({ movement: 'fund', reference, amount })}
    send={({ user_reference }, idempotencyKey, { amount }) =>
      api.post('/transactions/fund-user', { idempotencyKey, body: { user_reference, amount } })
    }
    onDone={({ message }) => announce(message)}
    afterDone={(values) => ({ ...values, amount: '' })}
  />
);

const MakeOffer = ({ users }: { readonly users: readonly User[] }) => (
  <Form
    name="first steps: offer"
    action="Make the offer"
    decides
    fields={{
      requesting_user_reference: userField('User who offers', users, ({ balance }) => balance > 0),
      wager_reference: {
        label: 'Wager',
        hint: 'The reference of the wager, like “home-win”. The first offer creates it.',
        isRequired: true,
      },
      requesting_odds: { label: 'Odds', hint: 'Decimal odds, 1 or more.', number: readOdds, isRequired: true },
      requesting_amount: { label: 'Stake', number: readAmount, isRequired: true },
    }}
    ask={(values, { requesting_odds: odds, requesting_amount: amount }) =>
      askOfOffer({
        reference: values.requesting_user_reference,
        wager: values.wager_reference,
        odds,
        amount,
        isFirst: true,
      })
    }
    send={(values, idempotencyKey, numbers) =>
      api.post('/bets/make-offer', { idempotencyKey, body: { ...values, ...numbers } })
    }
    onDone={({ data, message }) => {
      announce(message);
      route(wagerAddress(data.wager_reference));
    }}
  />
);

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
