import type { Schemas } from '../../api/api.js';

type Preferences = Schemas['User']['preferences'];

export const NEGATIVE_CHOICES = [
  ['', 'As the account says'],
  ['true', 'Allowed'],
  ['false', 'Not allowed'],
] as const;

/** From the choice of a form to the preferences of a request. */
export const preferencesOf = (choice: string): Preferences =>
  choice === '' ? null : { allow_negative_balance: choice === 'true' };

/** From the preferences of a user to the choice of a form. */
export const choiceOf = (preferences: Preferences): string => String(preferences?.allow_negative_balance ?? '');

/** As people read it. */
export const negativeText = (preferences: Preferences): string =>
  NEGATIVE_CHOICES.find(([choice]) => choice === choiceOf(preferences))?.[1] ?? '';
