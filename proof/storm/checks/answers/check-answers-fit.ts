import { finalAnswer, isSuccess, type Operation, type Schemas } from '../../history.js';
import { userInPath } from '../effects.js';
import { type CheckInput, type Finding, findingsOf } from '../finding.js';
import { mismatchesOfBets } from './bet-mismatches.js';
import { nameOf, usersIn } from './check-answers.js';
import { type KnownFacts, readKnownFacts, unless } from './known-facts.js';
import { rememberedMismatches } from './read-mismatches.js';
import { mismatchesOfRefusal } from './refusal-mismatches.js';

// Compares each answer with its request, so that no caller gets the answer to another request. Other checks compare the
// acknowledged effects with the database.

export async function checkAnswersFit(input: CheckInput): Promise<Finding[]> {
  const known = await readKnownFacts(input);
  const textsOf = (find: (operation: Operation, known: KnownFacts) => readonly string[]) =>
    input.history.operations.flatMap((operation) =>
      find(operation, known).map(
        (mismatch) => `${nameOf(operation)} ${JSON.stringify(operation.request.body)}: ${mismatch}`,
      ),
    );
  return [
    ...findingsOf('answers match their requests', textsOf(mismatchesOf)),
    ...findingsOf('refusals have a possible reason', textsOf(mismatchesOfRefusal)),
  ];
}

/** The differences between the answer and the request. */
export function mismatchesOf(operation: Operation, known: KnownFacts): readonly string[] {
  if (!isSuccess(operation)) return [];
  const { data } = (finalAnswer(operation)?.body ?? {}) as { readonly data?: unknown };
  switch (operation.kind) {
    case 'fund':
    case 'withdraw':
      return mismatchesOfMovement(operation, data as Schemas['Movement'], known);
    case 'create-user': {
      const { reference } = operation.request.body as Schemas['CreateUser'];
      const created = data as Schemas['CreatedUser'];
      return unless(created.reference === reference, `created was ${created.reference}`);
    }
    case 'change-user':
      return mismatchesOfChange(operation, data as Schemas['ChangedUser']);
    case 'read-user':
    case 'read-users':
      return mismatchesOfUsers(operation);
    case 'read':
      return rememberedMismatches(operation);
    default:
      return mismatchesOfBets(operation, known);
  }
}

function mismatchesOfMovement(operation: Operation, moved: Schemas['Movement'], { names }: KnownFacts): string[] {
  const { user_id, user_reference, amount } = operation.request.body as Schemas['Fund'];
  const userId = names.idOf(operation, user_id, user_reference);
  const [type, source] = operation.kind === 'fund' ? ['credit', 'funding'] : ['debit', 'withdrawal'];
  return [
    ...unless(moved.account_id === operation.account.id, `it belongs to account ${moved.account_id}`),
    ...unless(moved.user_id === userId, `it was user ${moved.user_id}, not ${userId}`),
    ...unless(moved.amount === amount, `the amount was ${moved.amount}`),
    ...unless(moved.transaction_type === type, `it was a ${moved.transaction_type}`),
    ...unless(moved.transaction_source === source, `it was a ${moved.transaction_source}`),
  ];
}

/** Whether the path names this user. */
function isNamed(operation: Operation, user: Pick<Schemas['User'], 'id' | 'reference'>): boolean {
  const named = userInPath(operation);
  return 'id' in named ? named.id === user.id : named.reference === user.reference;
}

function mismatchesOfChange(operation: Operation, changed: Schemas['ChangedUser']): string[] {
  const { name, meta = {} } = operation.request.body as Schemas['ChangeUser'];
  const fields = Object.entries(meta ?? {});
  return [
    ...unless(isNamed(operation, changed), `it was user ${changed.id} (${changed.reference})`),
    ...unless(name === undefined || changed.name === name, `the name became ${changed.name}`),
    ...fields.flatMap(([key, value]) => unless(changed.meta?.[key] === value, `${key} became ${changed.meta?.[key]}`)),
  ];
}

function mismatchesOfUsers(operation: Operation): string[] {
  const { account, kind } = operation;
  return usersIn(operation).flatMap((user) => [
    ...unless(kind === 'read-users' || isNamed(operation, user), `it was user ${user.id} (${user.reference})`),
    ...unless(user.account_id === account.id, `user ${user.id} is one of account ${user.account_id}`),
    ...unless(user.reference.startsWith(`${account.name}-`), `${user.reference} is a user of another account`),
  ]);
}
