import type { Schemas } from '../../api/api.js';

type Preferences = Schemas['User']['preferences'];

export const NEGATIVE_CHOICES = [
  ['', 'As the account says'],
  ['true', 'Allowed'],
  ['false', 'Not allowed'],
] as const;

/** From the choice of a form to the preferences of a request, which replace those before: other keys stay as they were. */
export function preferencesOf(choice: string, before: Preferences = null): Preferences {
  const { allow_negative_balance: _replaced, ...others } = before ?? {};
  const preferences = { ...others, ...(choice !== '' && { allow_negative_balance: choice === 'true' }) };
  return Object.keys(preferences).length === 0 ? null : preferences;
}

/** From the preferences of a user to the choice of a form. */
export const choiceOf = (preferences: Preferences): string => String(preferences?.allow_negative_balance ?? '');

/** As people read it. */
export const negativeText = (preferences: Preferences): string =>
  NEGATIVE_CHOICES.find(([choice]) => choice === choiceOf(preferences))?.[1] ?? '';
