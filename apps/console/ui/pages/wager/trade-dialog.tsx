import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../api/api.js';
import { Fields } from '../../forms/fields.js';
import { FormView } from '../../forms/form-view.js';
import { useForm } from '../../forms/use-form.js';
import { announce } from '../../parts/alerts.js';
import { Amount, exactly, formatAmount, readAmount, readOdds } from '../../parts/amount.js';
import { Dialog } from '../../parts/dialog.js';
import { askOfAcceptance, askOfOffer } from '../ledger/questions.js';
import { ChosenUser, keepUser, keptUser, userField, useUserChoice } from './user-choice.js';

const SIDES = [
  ['accept', 'Accept, up to these odds'],
  ['offer', 'Offer at these odds'],
] as const;
type Side = (typeof SIDES)[number][0];

interface Trade {
  readonly wager: string;
  readonly user: string;
  readonly odds: number;
  readonly amount: number;
}

const senders: Readonly<Record<Side, (trade: Trade, idempotencyKey: string) => Promise<string>>> = {
  async accept({ wager, user, odds, amount }, idempotencyKey) {
    const { data } = await api.post('/bets/accept-offer', {
      idempotencyKey,
      body: {
        wager_reference: wager,
        maximum_odds: odds,
        accepting_amount: amount,
        accepting_user_reference: user,
      },
    });
    const taken = exactly(data.reduce((sum, { accepted_amount }) => sum + accepted_amount, 0));
    return `${user} has accepted ${formatAmount(taken)} of ${formatAmount(amount)}`;
  },
  async offer({ wager, user, odds, amount }, idempotencyKey) {
    const { data } = await api.post('/bets/make-offer', {
      idempotencyKey,
      body: {
        wager_reference: wager,
        requesting_odds: odds,
        requesting_amount: amount,
        requesting_user_reference: user,
      },
    });
    return `Offer ${data.bet_id} of ${user} is open`;
  },
};

const numberIn = (reading: ReturnType<typeof readAmount>): number | undefined =>
  'value' in reading ? reading.value : undefined;

/** What the user may lose and win, at the odds that are written. */
function Stakes({ side, odds: oddsText, amount: text }: Readonly<Record<'side' | 'odds' | 'amount', string>>) {
  const [odds, amount] = [numberIn(readOdds(oddsText)), numberIn(readAmount(text))];
  if (odds === undefined || amount === undefined || odds < 1) return null;
  const winnings = exactly(amount * (odds - 1));
  const [risk, gain] = side === 'offer' ? [amount, winnings] : [winnings, amount];
  return (
    <p class="aside" role="status">
      Risks {side === 'accept' && 'at most '}
      <Amount value={risk} /> to win <Amount value={gain} />.
    </p>
  );
}

export interface TradeProps {
  readonly wager: string;
  /** Of the level; undefined: any. */
  readonly odds: number | undefined;
  readonly onClose: () => void;
}

function useTrade({ wager, odds, onClose }: TradeProps) {
  return useForm({
    name: `trade on ${wager}`,
    fields: {
      user: userField(keptUser()),
      side: { label: 'Do', value: odds === undefined ? 'offer' : 'accept', choices: SIDES },
      odds: { label: 'Odds', value: odds === undefined ? '' : String(odds), number: readOdds, isRequired: true },
      amount: { label: 'Stake', hint: 'Of the one who offers.', number: readAmount, isRequired: true },
    },
    ask: ({ user, side }, { odds: wanted, amount }) => {
      const asked = { reference: user.trim(), wager, odds: wanted, amount };
      return side === 'offer' ? askOfOffer({ ...asked, isFirst: true }) : askOfAcceptance(asked);
    },
    send: ({ user, side }, idempotencyKey, numbers) =>
      senders[side as Side]({ wager, user: user.trim(), ...numbers }, idempotencyKey),
    onDone(text, { user }) {
      keepUser(user.trim());
      announce(text);
      onClose();
    },
  });
}

/** Offers at the odds of a level, or accepts offers up to them, for a user. */
export function TradeDialog(props: TradeProps) {
  const { wager, onClose } = props;
  const form = useTrade(props);
  const { user, side, odds, amount } = form.values;
  const choice = useUserChoice(user);
  const ref = useRef<HTMLDivElement>(null);
  const focusOn = (name: string) => ref.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus();
  useEffect(() => {
    if (user !== '') focusOn(odds === '' ? 'odds' : 'amount');
  }, []);
  const choose = (reference: string) => {
    form.set('user', reference);
    focusOn('amount');
  };
  return (
    <Dialog title={`Trade on ${wager}`} onClose={onClose}>
      <FormView
        form={form}
        action={side === 'offer' ? 'Make the offer' : 'Accept'}
        decides
        least="trader"
        isOff={choice.isKnown && choice.user === undefined}
      >
        <div ref={ref} class="column">
          <Fields form={form} names={['user']} />
          <ChosenUser choice={choice} text={user} onChoose={choose} />
          <Fields form={form} names={['side']} />
          <div class="columns">
            <Fields form={form} names={['odds', 'amount']} />
          </div>
          <Stakes side={side} odds={odds} amount={amount} />
        </div>
      </FormView>
    </Dialog>
  );
}
