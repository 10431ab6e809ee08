import type { Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import type { Choices } from '../../forms/use-form.js';

type Preferences = Schemas['User']['preferences'];

/** Whether a user may have a negative balance, as forms offer it. The first choice says what the account allows. */
export function useNegativeChoices(): Choices {
  const { body } = useResource(({ get }) => get('/auth/account/preferences'), [], {
    types: ['account.*'],
    changedBy: ({ type }) => type === 'account.updated',
  });
  const usual = body && (body.data.allow_negative_balance === true ? ' (allowed)' : ' (not allowed)');
  return [
    ['', `Account default${usual ?? ''}`],
    ['true', 'Allowed'],
    ['false', 'Not allowed'],
  ];
}

/** From the choice of a form to the preferences of a request, which replace those before: other keys stay as they were. */
export function preferencesOf(choice: string, before: Preferences = null): Preferences {
  const { allow_negative_balance: _replaced, ...others } = before ?? {};
  const preferences = { ...others, ...(choice !== '' && { allow_negative_balance: choice === 'true' }) };
  return Object.keys(preferences).length === 0 ? null : preferences;
}

/** From the preferences of a user to the choice of a form. */
export const choiceOf = (preferences: Preferences): string => String(preferences?.allow_negative_balance ?? '');
