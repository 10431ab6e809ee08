import type { Caller } from '#accounts/access/authenticator.js';

/** Nobody has this id. */
const NOBODY = 0n;

/** Whose sessions a caller sees and ends; undefined: those of all people. A key is nobody's person. */
export function ownOperatorOf({ role, operator, apiKey }: Caller): bigint | undefined {
  if (role === 'owner') return undefined;
  return apiKey === undefined ? (operator?.id ?? NOBODY) : NOBODY;
}
