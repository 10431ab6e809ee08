import { DAY_MS } from '#platform/config/time-units.js';
import type { CallerRole } from '../access/caller-role.js';

/** A person who works for an account. */
export interface OperatorId {
  readonly accountId: bigint;
  readonly operatorId: bigint;
}

/** A person, as trails name it. */
export interface OperatorName {
  readonly id: bigint;
  readonly name: string;
}

/** Of a person who is there. The row of a deleted one stays, for its name in trails. */
export const operatorStates = ['invited', 'active', 'suspended'] as const;

type OperatorState = (typeof operatorStates)[number];

/** A person of an account, as the account sees it. */
export interface Operator extends OperatorName {
  readonly email: string;
  readonly role: CallerRole;
  readonly state: OperatorState;
  readonly hasSecondFactor: boolean;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}

/** Undefined fields do not change. */
export interface OperatorChanges {
  readonly name?: string | undefined;
  readonly role?: CallerRole | undefined;
  readonly state?: 'active' | 'suspended' | undefined;
}

/** People are away. */
export const INVITATION_LIFE_MS = 7 * DAY_MS;

/** Those who are deleted do not count. */
export const MAX_OPERATORS = 100;
