/** What a caller may do with its account, and what that includes. */
const included = {
  viewer: ['viewer'],
  trader: ['viewer', 'trader'],
  settler: ['viewer', 'trader', 'settler'],
  approver: ['viewer', 'approver'],
  owner: ['viewer', 'trader', 'settler', 'approver', 'owner'],
} as const satisfies Record<string, readonly string[]>;

export type CallerRole = keyof typeof included;

export const callerRoles = Object.keys(included) as readonly CallerRole[];

/** Machines make, people approve. */
export const keyRoles = ['viewer', 'trader', 'settler', 'owner'] as const satisfies readonly CallerRole[];

export type KeyRole = (typeof keyRoles)[number];

/** Whether a caller of this role may do what needs at least the other one. */
export const includesRole = (role: CallerRole, least: CallerRole): boolean =>
  (included[role] as readonly CallerRole[]).includes(least);

/** Of the callers that may do what needs at least this role. */
export const rolesFrom = (least: CallerRole): ReadonlySet<CallerRole> =>
  new Set(callerRoles.filter((role) => includesRole(role, least)));

/** What a key may do: never more than who made it, whose role may have changed since. */
export const roleOfKey = (key: KeyRole, maker: CallerRole): KeyRole =>
  keyRoles.findLast((role) => includesRole(key, role) && includesRole(maker, role)) ?? 'viewer';
