import { api, type Schemas } from '../../api/api.js';
import type { Role } from '../../api/first-view-data.js';
import { isAdmin } from '../../api/session.js';
import { viewedAccount } from '../../api/viewed-account.js';
import { textOrNull } from '../../forms/use-form.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { Actions } from '../../parts/actions.js';
import { DecidingDialog } from '../later-dialogs.js';
import type { Decision } from '../ledger/deciding-dialog.js';
import { type Outcome, outcomeChoices } from '../ledger/tags.js';

type Bet = Schemas['Bet'];

const UNDECIDED = ['undecided', 'Undecided: take its settlement back'] as const;
/** It takes the override away. */
const NONE = 'none';
const IN_HISTORY = "Shown in the bet's history.";

function cancelOf(bet: Bet): Decision {
  return {
    name: `cancel bet ${bet.id}`,
    title: 'Cancel the offer',
    action: 'Cancel the offer',
    text: 'Nobody can accept it any more, and its stake is no exposure any more.',
    send: (_, idempotencyKey) =>
      api.post('/bets/cancel-offer', {
        idempotencyKey,
        body: { bet_id: bet.id, requesting_user_id: bet.requesting_user_id, cancel_all: true },
      }),
  };
}

function overrideOf(bet: Bet): Decision {
  const bodyOf = (outcome: string) => ({ bet_id: bet.id, override_outcome: outcome as Outcome });
  return {
    name: `override bet ${bet.id}`,
    title: 'Override result',
    action: 'Override to',
    text: 'The bet is settled at once, and stays so when its wager is decided.',
    choices: [...outcomeChoices, UNDECIDED],
    approvedAs: 'override_bet_outcome',
    reasonHint: IN_HISTORY,
    operationOf: (outcome) => ({ type: 'override_bet_outcome', ...bodyOf(outcome) }),
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/bets/override-outcome', {
        idempotencyKey,
        body: { ...bodyOf(outcome), reason: textOrNull(description) },
      }),
  };
}

function forceOverrideOf(bet: Bet): Decision {
  const bodyOf = (outcome: string) => ({
    account_id: bet.account_id,
    bet_id: bet.id,
    override_outcome: outcome === NONE ? null : (outcome as Outcome),
  });
  return {
    name: `force bet ${bet.id}`,
    title: 'Correct the result of the bet',
    action: 'Correct to',
    text: 'The ledger takes back what the bet has moved, and settles it anew. As long as it has this result, its state is “expired”.',
    choices: [...outcomeChoices, UNDECIDED, [NONE, 'None: the result of its wager']],
    reasonHint: IN_HISTORY,
    operationOf: (outcome) => ({ type: 'force_update_override_outcome', ...bodyOf(outcome) }),
    send: ({ outcome, description }, idempotencyKey) =>
      api.post('/admin/bets/force-update-override-outcome', {
        idempotencyKey,
        body: { ...bodyOf(outcome), description: textOrNull(description) },
      }),
  };
}

function setActiveOf(bet: Bet): Decision {
  const path = bet.is_active ? '/admin/bets/{betId}/set-inactive' : '/admin/bets/{betId}/set-active';
  const word = bet.is_active ? 'inactive' : 'active';
  return {
    name: `${word} bet ${bet.id}`,
    title: `Set the bet ${word}`,
    action: `Set ${word}`,
    setsState: true,
    text: bet.is_active
      ? 'All its effect on balances and exposures is taken back, until it is set active again.'
      : 'Its effect comes back, as its state and the outcome of its wager now say.',
    reasonHint: IN_HISTORY,
    operationOf: () => ({ type: bet.is_active ? 'set_inactive' : 'set_active', bet_id: bet.id }),
    send: ({ description }, idempotencyKey) =>
      api.post(path, {
        idempotencyKey,
        params: { path: { betId: bet.id } },
        body: { description: textOrNull(description) },
      }),
  };
}

/** A business handles its own bets; an admin corrects every bet. */
function actionsOf(bet: Bet): readonly (readonly [least: Role, Decision])[] {
  const isOwn = viewedAccount.value === undefined && bet.is_active;
  return [
    ...(isOwn && bet.offer_status === 'requesting' ? [['trader', cancelOf(bet)] as const] : []),
    ...(isOwn && bet.offer_status === 'accepted' ? [['settler', overrideOf(bet)] as const] : []),
    ...(isAdmin() ? [forceOverrideOf(bet), setActiveOf(bet)].map((decision) => ['owner', decision] as const) : []),
  ];
}

/** Events about the bet, or about all of its wager. */
const isAbout =
  ({ id, wager_reference }: Bet) =>
  ({ bet, wager }: LedgerEvent): boolean =>
    bet === undefined ? wager?.reference === wager_reference : bet.id === id;

export function BetActions({ bet }: { readonly bet: Bet }) {
  const decisions = actionsOf(bet);
  const shared = { outcome: bet.wager.outcome, changedBy: isAbout(bet) };
  const actions = decisions.map(([least, decision]) => [
    decision.name,
    {
      least,
      isForAdmins: isAdmin(),
      text: `${decision.title} …`,
      dialog: (close: () => void) => <DecidingDialog decision={decision} {...shared} onClose={close} />,
    },
  ]);
  return <Actions of={Object.fromEntries(actions)} />;
}
