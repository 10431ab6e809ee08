import type { Schemas } from '../../api/api.js';
import { formatAmount } from '../../parts/amount.js';
import { outcomeText, wagerAddress } from '../ledger/tags.js';

type ChangeRequest = Schemas['ChangeRequest'];

/** The fields of its route, as the request keeps them. */
interface Operation {
  readonly type: string;
  readonly reference?: string;
  readonly wager_reference?: string;
  readonly outcome?: string;
  readonly bet_id?: number;
  readonly override_outcome?: string;
  readonly user_id?: number;
  readonly user_reference?: string;
  readonly amount?: number;
}

export const operationOf = ({ operation }: Pick<ChangeRequest, 'operation'>): Operation =>
  operation as unknown as Operation;

const resultOf = (outcome: string | undefined): string => {
  const texts: Readonly<Record<string, string>> = outcomeText;
  return (texts[outcome ?? ''] ?? outcome ?? '').toLowerCase();
};

/** What is asked for, in a line. */
export function operationText(of: Pick<ChangeRequest, 'operation'>): string {
  const operation = operationOf(of);
  const { type, bet_id: bet } = operation;
  switch (type) {
    case 'update_wager_outcome':
      return `Decide ${operation.reference} as ${resultOf(operation.outcome)}`;
    case 'force_update_outcome':
      return `Correct ${operation.wager_reference} to ${resultOf(operation.outcome)}`;
    case 'correct_wager_outcome':
      return `Correct ${operation.reference} to ${resultOf(operation.outcome)}`;
    case 'override_bet_outcome':
      return `Override bet ${bet} as ${resultOf(operation.override_outcome)}`;
    case 'force_update_override_outcome':
      return `Correct the override of bet ${bet} to ${resultOf(operation.override_outcome)}`;
    case 'set_inactive':
      return `Set bet ${bet} inactive`;
    case 'set_active':
      return `Set bet ${bet} active`;
    case 'withdraw_user':
      return `Withdraw ${formatAmount(operation.amount ?? 0)} from ${operation.user_reference ?? `user ${operation.user_id}`}`;
    case 'update_preferences':
      return 'Change which operations need approval';
    default:
      return type;
  }
}

/** The page of what it is about; undefined: there is none. */
export function targetAddress(of: ChangeRequest): string | undefined {
  const { reference, wager_reference: wager, bet_id: bet, user_reference: user, user_id: userId } = operationOf(of);
  const reached = reference ?? wager;
  if (reached !== undefined) return wagerAddress(reached);
  if (bet !== undefined) return `/bets/${bet}`;
  if (user !== undefined) return `/users/${encodeURIComponent(user)}`;
  return userId === undefined ? undefined : `/users/by-id/${userId}`;
}

const STATE_TAGS: Readonly<Record<ChangeRequest['state'], string>> = {
  pending: 'tag warn',
  executed: 'tag good',
  rejected: 'tag bad',
  withdrawn: 'tag',
  expired: 'tag',
  failed: 'tag bad',
};

export const StateTag = ({ state }: Pick<ChangeRequest, 'state'>) => <span class={STATE_TAGS[state]}>{state}</span>;
