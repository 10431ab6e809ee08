import type { Reads, Schemas } from '../../api/api.js';
import { MALFORMED, orNothing } from '../../api/errors.js';
import { useResource } from '../../api/resource.js';
import { storageKeyOf } from '../../api/session.js';
import type { FieldOptions } from '../../forms/use-form.js';
import { Amount, exactly } from '../../parts/amount.js';

type User = Schemas['User'];

// Whom a person trades for: found by a part of the name or the reference, and kept for the session.

const STORED = 'trades for';
const MOST_FOUND = 8;
const TYPING_MS = 200;

export const keptUser = (): string => sessionStorage.getItem(storageKeyOf(STORED)) ?? '';
export const keepUser = (reference: string): void => sessionStorage.setItem(storageKeyOf(STORED), reference);

interface Found {
  readonly user: User | undefined;
  readonly others: readonly User[];
}

/** What is no reference names nobody. */
async function named({ get }: Reads, reference: string): Promise<readonly User[]> {
  const query = { user_reference: [reference], per_page: 1, cursor: '' };
  return (await orNothing(get('/account/user', { params: { query } }), MALFORMED))?.data.items ?? [];
}

async function findUsers(reads: Reads, text: string): Promise<Found> {
  if (text === '') return { user: undefined, others: [] };
  await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
  if (reads.signal.aborted) return { user: undefined, others: [] };
  const query = { search: text, per_page: MOST_FOUND, cursor: '' };
  const [[user], found] = await Promise.all([named(reads, text), reads.get('/account/user', { params: { query } })]);
  return { user, others: found.data.items };
}

export interface UserChoice extends Found {
  /** Of the field. */
  readonly list: readonly string[];
  readonly isKnown: boolean;
}

/** The user of whom the field has the reference, and those whose names or references have its text in them. */
export function useUserChoice(written: string): UserChoice {
  const text = written.trim();
  const found = useResource(async (reads) => ({ text, ...(await findUsers(reads, text)) }), [text], { isKept: true });
  const isKnown = found.body?.text === text;
  const others = found.body?.others ?? [];
  const user = isKnown ? found.body?.user : undefined;
  return { user, others, list: others.map(({ reference }) => reference), isKnown };
}

export const userField = (choice: string): FieldOptions => ({
  label: 'User',
  hint: 'A part of the name or the reference; then choose.',
  value: choice,
  isRequired: true,
});

interface ChosenProps {
  readonly choice: UserChoice;
  readonly text: string;
  readonly onChoose: (reference: string) => void;
}

/** Who was found, and what is available; before that, the users to choose from. */
export function ChosenUser({ choice: { user, others, isKnown }, text, onChoose }: ChosenProps) {
  if (text.trim() === '') return null;
  if (user !== undefined) {
    return (
      <p class="aside" role="status">
        <bdi>{user.name}</bdi>: <Amount value={exactly(user.balance - user.exposure)} /> available
      </p>
    );
  }
  if (!isKnown) return <p class="aside">Looking for the user …</p>;
  if (others.length === 0) {
    return (
      <p class="aside" role="status">
        No user has this in the name or the reference.
      </p>
    );
  }
  return (
    <ul class="plain found" aria-label="Users found">
      {others.map(({ reference, name }) => (
        <li key={reference}>
          <button type="button" onClick={() => onChoose(reference)}>
            <bdi>{reference}</bdi>
            {name !== reference && (
              <span class="aside">
                {' '}
                <bdi>{name}</bdi>
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}
