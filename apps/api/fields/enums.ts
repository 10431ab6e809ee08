import { z } from 'zod';
import { callerRoles, keyRoles } from '#accounts/access/caller-role.js';
import { accountRoles, accountStatuses } from '#accounts/account.js';
import { accountEventTypes } from '#accounts/events/account-event.js';
import { operatorStates } from '#accounts/operators/operator.js';
import { offerStatuses, outcomes, transactionSources, transactionTypes, wagerStatuses } from '#core/records.js';
import { exportFormats, exportKinds } from '#exports/export.js';
import { errorCodes } from '#http/error-table.js';

// The enums of the domain. The API's documentation calls them by the ids given here.

export const outcome = z.enum(outcomes).meta({
  id: 'Outcome',
  description: 'How a wager ended, or `undecided`.',
  examples: ['win'],
});

export const offerStatus = z.enum(offerStatuses).meta({
  id: 'OfferStatus',
  description:
    'Open to be accepted (`requesting`), matched (`accepted`), taken back by the requesting user (`canceled`), or left over by a decision, ended by its time, or settled by the override of an admin (`expired`).',
  examples: ['requesting'],
});

export const wagerStatus = z.enum(wagerStatuses).meta({
  id: 'WagerStatus',
  description:
    'Whether it takes offers and acceptances (`open`), takes none for now (`suspended`), or never again (`closed`). Canceling and deciding always work.',
  examples: ['open'],
});

export const transactionType = z.enum(transactionTypes).meta({
  id: 'TransactionType',
  description: 'Whether the balance rose or fell. `no-action`: a settlement or a correction that moved nothing.',
  examples: ['credit'],
});

export const transactionSource = z.enum(transactionSources).meta({
  id: 'TransactionSource',
  description: 'What moved the balance. `correction`: an operator made the balance and its transactions agree.',
  examples: ['funding'],
});

export const balanceState = z.enum(['agreed', 'disputed']).meta({
  id: 'BalanceState',
  description:
    '`disputed`: a check found stored figures that differ from the bets and transactions. Until they agree again, the user makes no offer, accepts none and withdraws nothing.',
  examples: ['agreed'],
});

export const accountRole = z.enum(accountRoles).meta({
  id: 'AccountRole',
  description: 'An `admin` also sees and corrects what belongs to other accounts.',
  examples: ['business'],
});

export const callerRole = z.enum(callerRoles).meta({
  id: 'CallerRole',
  description:
    'What an operator may do: `viewer` reads, `trader` also bets and moves money, `settler` also decides and closes, `approver` reads and approves, `owner` does everything.',
  examples: ['settler'],
});

export const operatorState = z.enum(operatorStates).meta({
  id: 'OperatorState',
  description:
    'Whether a person has not accepted its invitation yet (`invited`), may log in (`active`), or may not, and neither may the keys that it made (`suspended`).',
  examples: ['active'],
});

export const keyRole = z.enum(keyRoles).meta({
  id: 'KeyRole',
  description:
    'What a key may do, as the role of an operator, and never more than the operator who made it. Machines make, people approve: none is an `approver`.',
  examples: ['settler'],
});

export const accountStatus = z.enum(accountStatuses).meta({
  id: 'AccountStatus',
  description: 'A `suspended` account may log in and read; everything else is answered with 403.',
  examples: ['active'],
});

export const accountEventType = z.enum(accountEventTypes).meta({
  id: 'AccountEventType',
  description: 'What happened.',
  examples: ['login'],
});

export const exportKind = z.enum(exportKinds).meta({
  id: 'ExportKind',
  description: 'What the lines of an export are.',
  examples: ['transactions'],
});

export const exportFormat = z.enum(exportFormats).meta({
  id: 'ExportFormat',
  description: 'The format of the file of an export: CSV (RFC 4180) or Apache Parquet.',
  examples: ['csv'],
});

/** Open: a client that is made from the document must take codes that come later. */
export const errorCode = z.union([z.enum(errorCodes), z.string()]).meta({
  id: 'ErrorCode',
  description: 'The `Ledger-Error` of the answer. New codes may come.',
  examples: ['offer-unfunded'],
});
