import type { Kind, Operation, Schemas } from './history.js';

type BatchOperation = Schemas['Batch']['operations'][number];
export type BetOperationType = BatchOperation['operation_type'];

/** Each operation that a batch may hold: its kind in the history, and the path of the request for it alone. */
export const betOperations = {
  make_bet_offer: { kind: 'make-offer', path: '/bets/make-offer' },
  accept_bet_offer: { kind: 'accept-offer', path: '/bets/accept-offer' },
  cancel_bet_offer: { kind: 'cancel-offer', path: '/bets/cancel-offer' },
  update_wager_outcome: { kind: 'decide', path: '/bets/update-wager-outcome' },
  override_bet_outcome: { kind: 'override', path: '/bets/override-outcome' },
  suspend_wager: { kind: 'suspend', path: '/wagers/:reference/suspend' },
  resume_wager: { kind: 'resume', path: '/wagers/:reference/resume' },
  close_wager: { kind: 'close', path: '/wagers/:reference/close' },
} as const satisfies Record<BetOperationType, { readonly kind: Kind; readonly path: string }>;

/** A request of its own, or one operation of a batch. */
export interface BetRequest {
  readonly kind: Kind;
  readonly data: unknown;
  /** The request that carried it. */
  readonly operation: Operation;
}

export const singleRequest = (operation: Operation): BetRequest => ({
  kind: operation.approves?.kind ?? operation.kind,
  data: operation.approves?.data ?? operation.request.body,
  operation,
});

/** The operations of a batch, each as if it were a request of its own. */
export const requestsOfBatch = (operation: Operation): (BetRequest & { readonly id: string })[] =>
  (operation.request.body as Schemas['Batch']).operations.map(({ operation_type: type, operation_id: id, data }) => ({
    id,
    kind: betOperations[type].kind,
    data,
    operation,
  }));
