import type { Caller } from '#accounts/access/authenticator.js';

/** Nobody has this id. */
const NOBODY = 0n;

/** Whose sessions a caller sees and ends; undefined: those of all people. */
export const ownOperatorOf = ({ role, operator }: Caller): bigint | undefined =>
  role === 'owner' ? undefined : (operator?.id ?? NOBODY);
