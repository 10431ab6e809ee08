// What bettors do, as the API is told: the operations of a batch, whose data are the bodies of the single endpoints.

export interface MakeOffer {
  readonly operation_type: 'make_bet_offer';
  readonly data: {
    readonly wager_reference: string;
    readonly requesting_user_reference: string;
    readonly requesting_odds: number;
    readonly requesting_amount: number;
  };
}

export interface AcceptOffer {
  readonly operation_type: 'accept_bet_offer';
  readonly data: {
    readonly wager_reference: string;
    readonly accepting_user_reference: string;
    readonly maximum_odds: number;
    readonly accepting_amount: number;
  };
}

export interface CancelOffer {
  readonly operation_type: 'cancel_bet_offer';
  readonly data: {
    readonly wager_references: string[];
    readonly requesting_user_reference: string;
    readonly cancel_all?: boolean;
    readonly cancel_amount?: number;
  };
}

export type Operation = MakeOffer | AcceptOffer | CancelOffer;

/** One operation alone, or several as a batch: all of them or none. */
export type Step = readonly [Operation, ...Operation[]];
