// The requests of bettors as the plan has them: operations of the API in which a planned offer's number stands where the
// API wants a `bet_id`, which is known only once the offer is made.

export interface MakeOffer {
  readonly operation_type: 'make_bet_offer';
  /** The number that later operations name this offer by. */
  readonly offer: number;
  readonly data: {
    readonly wager_reference: string;
    readonly requesting_user_reference: string;
    readonly requesting_odds: number;
    readonly requesting_amount: number;
  };
}

export interface AcceptOffer {
  readonly operation_type: 'accept_bet_offer';
  readonly offer: number;
  readonly data: {
    readonly accepting_user_reference: string;
    readonly maximum_odds: number;
    readonly accepting_amount: number;
  };
}

export interface CancelOffer {
  readonly operation_type: 'cancel_bet_offer';
  readonly offer: number;
  readonly data: {
    readonly requesting_user_reference: string;
    readonly cancel_all?: boolean;
    readonly cancel_amount?: number;
  };
}

export type Operation = MakeOffer | AcceptOffer | CancelOffer;

/** One operation alone, or several as a batch: all of them or none. */
export type BettorRequest = readonly [Operation, ...Operation[]];
