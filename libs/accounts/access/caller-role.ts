/** What a caller may do with its account, from least to most: each role may do all that the one before it may. */
export const callerRoles = ['viewer', 'trader', 'settler', 'owner'] as const;

export type CallerRole = (typeof callerRoles)[number];

/** Whether a caller of this role may do what needs at least the other one. */
export const includesRole = (role: CallerRole, least: CallerRole): boolean =>
  callerRoles.indexOf(role) >= callerRoles.indexOf(least);
