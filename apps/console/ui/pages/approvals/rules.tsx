import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Form } from '../../forms/form.js';
import { announce } from '../../parts/alerts.js';
import { Amount, readAmount, textOfAmount } from '../../parts/amount.js';
import { Loaded } from '../../parts/loaded.js';
import { Facts } from '../../parts/named.js';
import { Section } from '../../parts/section.js';

type Rules = NonNullable<Schemas['ChangePreferences']['approvals']>;
type Kind = Rules['kinds'][number];

const DECISIONS: readonly Kind[] = ['update_wager_outcome', 'override_bet_outcome'];
const CORRECTIONS: readonly Kind[] = [
  'force_update_outcome',
  'force_update_override_outcome',
  'set_inactive',
  'set_active',
];
const CHOICES: Readonly<Record<string, readonly Kind[]>> = {
  'Decisions of wagers': ['update_wager_outcome'],
  'Decisions of wagers and bets': DECISIONS,
  'Decisions and corrections': [...DECISIONS, ...CORRECTIONS],
  'Decisions, corrections and withdrawals': [...DECISIONS, ...CORRECTIONS, 'withdraw_user'],
  Withdrawals: ['withdraw_user'],
};
const NONE = 'Nothing';
const HOUR_S = 3_600;
const USUAL_HOURS = 24;

const nameOf = (kinds: readonly Kind[]): string | undefined => {
  const wanted = [...kinds].sort().join();
  return Object.keys(CHOICES).find((name) => [...(CHOICES[name] ?? [])].sort().join() === wanted);
};

function RulesForm({ rules, onDone }: { readonly rules: Rules | undefined; readonly onDone: () => void }) {
  const kinds = rules === undefined ? NONE : (nameOf(rules.kinds) ?? 'as set by a program');
  const names = [NONE, ...Object.keys(CHOICES), ...(kinds in CHOICES || kinds === NONE ? [] : [kinds])];
  return (
    <Form
      name="set what needs approval"
      hasNoKey
      action="Save"
      least="owner"
      fields={{
        kinds: {
          label: 'Needs a second person',
          hint:
            rules === undefined
              ? 'It takes two people who may approve, owners or approvers: the page People invites them.'
              : 'A change that asks for less waits for approval itself.',
          value: kinds,
          choices: names.map((name) => [name, name] as const),
        },
        above: {
          label: 'When it moves more than',
          value: textOfAmount(rules?.above ?? 0),
          number: readAmount,
          isRequired: true,
        },
        hours: {
          label: 'A request expires after, in hours',
          value: String((rules?.expires_in ?? USUAL_HOURS * HOUR_S) / HOUR_S),
          number: readAmount,
          isRequired: true,
        },
      }}
      send={({ kinds: chosen }, _key, { above, hours }) =>
        api.patch('/auth/account/preferences', {
          body: {
            approvals:
              chosen === NONE
                ? null
                : {
                    kinds: [...(CHOICES[chosen] ?? rules?.kinds ?? [])],
                    above: above ?? 0,
                    expires_in: Math.round((hours ?? USUAL_HOURS) * HOUR_S),
                  },
          },
        })
      }
      onDone={({ message }) => {
        announce(message);
        onDone();
      }}
    />
  );
}

const kindsText = ({ kinds }: Rules): string => nameOf(kinds) ?? kinds.join(', ');

const ShownRules = ({ rules, onDone }: { readonly rules: Rules | undefined; readonly onDone: () => void }) => (
  <>
    <Facts
      of={{
        'In force': rules === undefined ? 'nothing needs a second person' : kindsText(rules),
        Above: rules !== undefined && <Amount value={rules.above} />,
      }}
    />
    <RulesForm key={JSON.stringify(rules)} rules={rules} onDone={onDone} />
  </>
);

/** What the account asks a second person about. Only an owner changes it. */
export function ApprovalRules() {
  const preferences = useResource(({ get }) => get('/auth/account/preferences'), [], {
    types: ['account.updated'],
  });
  return (
    <Section title="What needs approval" of={preferences}>
      <Loaded of={preferences}>
        {({ data }) => <ShownRules rules={data.approvals as Rules | undefined} onDone={preferences.reload} />}
      </Loaded>
    </Section>
  );
}
