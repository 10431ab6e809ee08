import { z } from 'zod';
import { actorOfCaller, type Caller } from '#accounts/access/authenticator.js';
import type { Cause } from '#accounts/events/account-event.js';
import {
  type ChangeRequest,
  type ChangeRequestKey,
  changeRequestStates,
  type OperationMovement,
  type Person,
} from '#approvals/change-request.js';
import { accountOfChangeRequest } from '#approvals/change-request-rows.js';
import type { Decider } from '#approvals/decide-request.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import type { Replayed } from '#idempotency/stored-answers.js';
import type { EndpointCall } from '../../endpoint.js';
import { id, moment, text } from '../../fields/answers.js';
import { deciderOf } from '../../guards/approval.js';
import { isActiveAdmin } from '../../guards/visible-accounts.js';
import type { ApiServices } from '../../services.js';
import { donePreview, presentDone } from '../previews/preview.js';

export const changeRequestPath = z.object({
  id: fields.idText.meta({ description: 'The id of the change request.', examples: [5] }),
});

export const requestReason = fields
  .line(500)
  .min(10)
  .meta({ description: 'Why; for the other person and the trail.', examples: ['The referee took the goal back'] });

export const changeRequestState = z.enum(changeRequestStates).meta({
  id: 'ChangeRequestState',
  description:
    'It waits (`pending`), was approved and done (`executed`), rejected, taken back by its maker (`withdrawn`), too late (`expired`), or approved and then refused by the ledger (`failed`).',
});

/** A preview that is kept with the request: it has neither an id nor pages of users. */
export const movementShown = donePreview
  .omit({ id: true, state: true })
  .meta({ id: 'ShownMovement', description: 'What the operation would move.' });

const person = z
  .strictObject({
    operator_id: id('Its id; null: the API key that came with a sandbox.').nullable(),
    name: text('Its name then.'),
  })
  .meta({ id: 'Person', description: 'A person, or a key.', examples: [{ operator_id: 3, name: 'Ann' }] });

const example = {
  id: 5,
  account_id: 7,
  operation: { type: 'update_wager_outcome', reference: 'home-win', outcome: 'win' },
  approval_of: 'account',
  reason: 'The match has ended 2:1',
  state: 'pending',
  suspended: false,
  revision: 7,
  made_by: { operator_id: 3, name: 'Ann' },
  approved_by: null,
  decided_by: null,
  decision_reason: null,
  failure: null,
  created_at: '2026-01-15T18:30:00.000Z',
  expires_at: '2026-01-16T18:30:00.000Z',
  decided_at: null,
};

const requestFields = {
  id: id('Its id.'),
  account_id: id('Whose ledger it is about.'),
  operation: z.looseObject({}).meta({ description: 'The operation: its `type`, and the fields of its route.' }),
  approval_of: z.enum(['account', 'admin', 'both']).meta({
    description: 'Who must approve: another person of the account, another admin, or one of each.',
  }),
  reason: text('Why; null: the operation was sent to its own route.').nullable(),
  state: changeRequestState,
  suspended: z.boolean().meta({ description: 'Whether it has suspended its wager.' }),
  revision: z.int().min(0).meta({ description: 'Of the wager, when it was made. Who approves sends it.' }),
  made_by: person.meta({ description: 'Who made it.' }),
  approved_by: person.nullable().meta({ description: 'Who gave the first of two approvals.' }),
  decided_by: person.nullable().meta({ description: 'Who decided it; null: it is pending, or its time ran out.' }),
  decision_reason: text('Why it was rejected.').nullable(),
  failure: text('Why the ledger refused the approved operation.').nullable(),
  created_at: moment('When it was made.'),
  expires_at: moment('When it expires, unless it is decided before.'),
  decided_at: moment('When it was decided; null: not yet.').nullable(),
};

export const changeRequestAnswer = z.strictObject(requestFields).meta({
  id: 'ChangeRequest',
  description: 'An operation that waits for another person, or did.',
  examples: [example],
});

export const detailedRequest = z
  .strictObject({
    ...requestFields,
    preview: movementShown.nullable().meta({ description: 'The preview it was made on; null: it moves nothing.' }),
    now: movementShown.nullable().meta({
      description:
        'The same at this moment; null: the request is decided, is about the preferences, or moves more than 20,000 bets.',
    }),
    as_shown: z.boolean().nullable().meta({
      description: 'Whether it would still do what was shown, as an approval asks for; null: `now` is null.',
    }),
  })
  .meta({ id: 'ChangeRequestDetails', examples: [{ ...example, preview: null, now: null, as_shown: null }] });

const presentPerson = ({ id: operatorId, name }: Person): z.output<typeof person> => ({
  operator_id: operatorId === null ? null : Number(operatorId),
  name,
});

export const presentRequest = (request: ChangeRequest): z.output<typeof changeRequestAnswer> => ({
  id: Number(request.id),
  account_id: Number(request.accountId),
  operation: { ...request.operation },
  approval_of: request.asks,
  reason: request.reason,
  state: request.state,
  suspended: request.suspended,
  revision: request.revision,
  made_by: presentPerson(request.madeBy),
  approved_by: request.approvedBy === undefined ? null : presentPerson(request.approvedBy),
  decided_by: request.decidedBy === undefined ? null : presentPerson(request.decidedBy),
  decision_reason: request.decisionReason,
  failure: request.failure,
  created_at: request.createdAt,
  expires_at: request.expiresAt,
  decided_at: request.decidedAt,
});

export function presentMoved({
  figures,
  largest,
}: Pick<OperationMovement, 'figures' | 'largest'>): z.output<typeof movementShown> {
  const { id: _, state: __, ...shown } = presentDone({ id: 0n, largest }, figures);
  return shown;
}

interface Asking {
  readonly caller: Caller;
  readonly cause: Cause;
  /** As the event of an admin's read names it. */
  readonly route: string;
}

/** A business finds its own requests. An admin finds those of all, and the account gets an event of that. */
export async function requestKeyOf(
  { id: given }: { readonly id: number },
  { caller, cause, route }: Asking,
  { database, notedEvents }: Pick<ApiServices, 'database' | 'notedEvents'>,
): Promise<ChangeRequestKey> {
  const { accountId: ownId } = caller.account;
  const requestId = BigInt(given);
  const accountId = isActiveAdmin(caller) ? await accountOfChangeRequest(database, requestId) : ownId;
  if (accountId !== ownId) {
    notedEvents.note({
      accountId,
      type: 'admin-read',
      after: { route },
      cause: { ...cause, actor: actorOfCaller(caller, true) },
    });
  }
  return { accountId, id: requestId };
}

/** The request that a person decides, and who that is. */
export const decisionOf = (
  {
    params,
    caller,
    call,
    cause,
  }: Omit<Asking, 'route'> & {
    readonly params: { readonly id: number };
    readonly call: EndpointCall;
  },
  route: string,
  services: Pick<ApiServices, 'database' | 'notedEvents'>,
): Promise<{ readonly key: ChangeRequestKey; readonly decider: Decider } | Replayed> =>
  lookUpOnce(services.database.shared, call.idempotency, async () => {
    const key = await requestKeyOf(params, { caller, cause, route }, services);
    return { key, decider: deciderOf(caller, key.accountId) };
  });
