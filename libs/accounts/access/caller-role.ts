/** What a caller may do with its account, from least to most: each role may do all that the one before it may. */
export const callerRoles = ['viewer', 'trader', 'settler', 'owner'] as const;

export type CallerRole = (typeof callerRoles)[number];

const ranks: Readonly<Record<CallerRole, number>> = { viewer: 0, trader: 1, settler: 2, owner: 3 };

/** Whether a caller of this role may do what needs at least the other one. */
export const includesRole = (role: CallerRole, least: CallerRole): boolean => ranks[role] >= ranks[least];
