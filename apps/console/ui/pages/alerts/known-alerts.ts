import { useFresh } from '../../live/fresh.js';
import { ownHealth } from '../../live/own-health.js';
import { type Alert, alertsOf, unknownIn, unknownParts } from './alert-list.js';

export interface KnownAlerts {
  /** Undefined: nothing is known now, which is never shown as good. */
  readonly alerts: readonly Alert[] | undefined;
  readonly unknown: readonly string[];
  readonly unknownParts: ReturnType<typeof unknownParts>;
  /** The first answer is on its way. */
  readonly isWaiting: boolean;
}

/** The alerts of an answer that is fresh. */
export function useAlerts(): KnownAlerts {
  const health = ownHealth.value;
  const isFresh = useFresh(health);
  const { body } = health;
  const isWaiting = isFresh && body === undefined;
  if (!isFresh || body === undefined) return { alerts: undefined, unknown: [], unknownParts: [], isWaiting };
  return { alerts: alertsOf(body), unknown: unknownIn(body), unknownParts: unknownParts(body), isWaiting };
}
