import * as fields from '#http/fields.js';
import { type Field, fixedValueOf, isMadeOf, type RequestForm } from './request-forms.js';

// The kind of resource that each field of the API names. The test that tries ids of other accounts fails while a field
// looks like a name and is missing here.

export type Kind =
  | 'account'
  | 'user'
  | 'userReference'
  | 'wagerReference'
  | 'bet'
  | 'transaction'
  | 'transactionReference'
  | 'ownReference'
  | 'apiKey'
  | 'session'
  | 'operator'
  | 'export'
  | 'preview'
  | 'changeRequest'
  | 'sandbox'
  | 'webhookEndpoint';

/** `own`: a name that the caller chooses, and that the API does not look up. */
type Known = Kind | 'own';

const byName: Readonly<Record<string, Known>> = {
  account_id: 'account',
  account_ids: 'account',
  userId: 'user',
  user_id: 'user',
  user_ids: 'user',
  requesting_user_id: 'user',
  requesting_user_ids: 'user',
  accepting_user_id: 'user',
  allowed_acceptor_ids: 'user',
  user_reference: 'userReference',
  user: 'userReference',
  user_references: 'userReference',
  requesting_user_reference: 'userReference',
  requesting_user_references: 'userReference',
  accepting_user_reference: 'userReference',
  allowed_acceptor_references: 'userReference',
  own_reference: 'ownReference',
  wager_reference: 'wagerReference',
  wager_references: 'wagerReference',
  bet_id: 'bet',
  betId: 'bet',
  operator_id: 'operator',
  operation_id: 'own',
  // Each account labels its own wagers.
  event: 'own',
  // Each account counts its own events.
  seq: 'own',
  // A search finds resources by their names.
  search: 'userReference',
  q: 'userReference',
};

/** For `id` and `reference` the path determines the kind. */
const byPath: readonly (readonly [path: RegExp, field: string, kind: Known])[] = [
  [/^\/bets\/:id$/, 'id', 'bet'],
  [/^\/transactions\/:id$/, 'id', 'transaction'],
  [/^\/admin\/accounts\/:id(\/end-access)?$/, 'id', 'account'],
  [/^\/auth\/account\/api-keys\/:id$/, 'id', 'apiKey'],
  [/^\/auth\/account\/sessions\/:id$/, 'id', 'session'],
  [/^\/operators\/:id(\/(invite|second-factor))?$/, 'id', 'operator'],
  [/^\/exports\/:id(\/file)?$/, 'id', 'export'],
  [/^\/previews\/:id(\/users)?$/, 'id', 'preview'],
  [/^\/change-requests\/:id(\/\w+)?$/, 'id', 'changeRequest'],
  [/^\/account\/sandboxes\/:id$/, 'id', 'sandbox'],
  [/^\/webhook-endpoints\/:id(\/[\w-]+)?$/, 'id', 'webhookEndpoint'],
  [/^\/account\/user/, 'reference', 'userReference'],
  [/^\/transactions\/(fund-user|withdraw)$/, 'reference', 'own'],
  [/^\/transactions\/:reference\/reference$/, 'reference', 'transactionReference'],
  [/^\/wagers(\/:reference(\/(book(\/stream)?|suspend|resume|close|correct))?)?$/, 'reference', 'wagerReference'],
  [/^\/(previews|change-requests|bets\/(update-wager-outcome|batch))$/, 'reference', 'wagerReference'],
];

function knownOf(form: RequestForm, { name }: Field): Known | undefined {
  const { endpoint } = form;
  if (name === 'reference' && form.fields.some((field) => fixedValueOf(field) === 'withdraw_user')) return 'own';
  if (endpoint.method === 'put' && name === 'reference') return 'own'; // it makes what it names
  if (Object.hasOwn(byName, name)) return byName[name];
  return byPath.find(([path, field]) => field === name && path.test(endpoint.path))?.[2];
}

/** The kind of resource that a field names; undefined for a field that names none. */
export function kindOf(form: RequestForm, field: Field): Kind | undefined {
  const known = knownOf(form, field);
  return known === 'own' ? undefined : known;
}

const LOOKS_LIKE_A_NAME = /(^|_)(ids?|references?|uuid|key|slug)$|[a-z](Ids?|References?)$/;
const namingSchemas = [fields.idNumber, fields.idText, fields.reference];

/** Fields that name a resource by their name or schema, and have no kind here. */
export const unknownNames = (form: RequestForm): string[] =>
  form.fields
    .filter(({ name, schema }) => LOOKS_LIKE_A_NAME.test(name) || isMadeOf(schema, namingSchemas))
    .filter((field) => knownOf(form, field) === undefined)
    .map(({ place, path }) => `${place}: ${path.join('.')}`);

const stemOf = ({ name }: Field): string =>
  name.replace(/_?(ids?|references?)$/i, '').replace(/^(wager|bet)$/, 'wager or bet');

/** Two fields that can name the same resource: a request may hold either. */
export const nameTheSame = (one: Field, other: Field): boolean => one !== other && stemOf(one) === stemOf(other);
