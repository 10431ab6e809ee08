import type { EventKind } from '#core/records.js';
import type { LoggedEvent } from '#events/log-events.js';
import type { ChangeRequest, Person } from './change-request.js';

type RequestEvent = Extract<EventKind, `change_request.${string}`>;

const shownPerson = (person: Person | undefined) =>
  person && { operator_id: person.id === null ? null : Number(person.id), name: person.name };

/** The event of a change of the request's state. It names both people, who may be gone when it is read. */
export const requestEvent = (kind: RequestEvent, request: ChangeRequest): LoggedEvent => ({
  kind,
  ref: request.id,
  extra: {
    operation: request.kind,
    made_by: shownPerson(request.madeBy),
    approved_by: shownPerson(request.approvedBy),
    decided_by: shownPerson(request.decidedBy),
    reason: request.decisionReason ?? request.reason ?? undefined,
    failure: request.failure ?? undefined,
  },
});
