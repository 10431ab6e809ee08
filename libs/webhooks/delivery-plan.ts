import type { EventKind } from '#core/records.js';
import { typesNamed } from '#events/event-types.js';
import type { LogEvent } from '#reads/event.js';
import type { Delivery } from './delivery-rows.js';
import type { EndpointMode } from './webhook-endpoint.js';

// How the modes of endpoints differ. All have deliveries in lines; a line is delivered in the order of the log.

export interface DeliveryPlan {
  /** How many deliveries wait at most: what has failed holds up no more of the log than that. */
  readonly room: number;
  /** How many events are read from the log at once. */
  readonly look: number;
  /** How many lines are delivered at the same time. */
  readonly lanes: number;
}

export const deliveryPlans: Record<EndpointMode, DeliveryPlan> = {
  ordered: { room: 100, look: 1_000, lanes: 1 },
  keyed: { room: 1_000, look: 200, lanes: 8 },
  doorbell: { room: 1, look: 10_000, lanes: 1 },
};

const ALL = '*';

export const isTypeName = (name: string): boolean => name === ALL || typesNamed(name).length > 0;

/** The events that an endpoint wants. A name that has no type any more stands for none. */
export function wantedTypes(names: readonly string[]): (type: EventKind) => boolean {
  if (names.includes(ALL)) return () => true;
  const types = new Set(names.flatMap(typesNamed));
  return (type) => types.has(type);
}

const isOfBets = (type: EventKind): boolean => type.startsWith('offer.') || type.startsWith('bet.');

/** A busy day has a million events of single bets, and no receiver takes a million requests. */
export const usualMode = (names: readonly string[]): EndpointMode =>
  names.some((name) => name === ALL || typesNamed(name).some(isOfBets)) ? 'doorbell' : 'ordered';

/** The line of all deliveries of an endpoint that is not keyed. */
export const ONE_LINE = 'all';

/** In a keyed endpoint, what is about one wager is a line, and what is about one user. */
export function lineOf({ type, ref, bet, transactions: [transaction] }: LogEvent): string {
  if (bet !== undefined) return `wager ${bet.wagerId}`;
  if (type.startsWith('wager.')) return `wager ${ref}`;
  if (transaction !== undefined) return `user ${transaction.userId}`;
  if (type.startsWith('user.') || type === 'operator.repaired') return `user ${ref}`;
  return 'account';
}

/** In the order of the log. */
export function linesOf(deliveries: readonly Delivery[]): Delivery[][] {
  const lines = new Map<string, Delivery[]>();
  for (const delivery of deliveries) {
    const line = lines.get(delivery.line);
    if (line === undefined) lines.set(delivery.line, [delivery]);
    else line.push(delivery);
  }
  return [...lines.values()];
}

/** When the first of each line may go; undefined: nothing waits. */
export function firstDueOf(deliveries: readonly Delivery[]): Date | undefined {
  const times = linesOf(deliveries).flatMap(([first]) => (first === undefined ? [] : [first.nextAt.getTime()]));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
