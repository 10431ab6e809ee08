// Made from the API's document by `npm run client`: what is changed here is lost.

/** For each value of a property, the whole with it and with the parts that are there then. */
type Having<Whole, Name extends keyof Whole, Value, Parts extends keyof Whole> = Value extends unknown
  ? Omit<Whole, Name | Parts> & { [P in Name]: Value } & Required<Pick<Whole, Parts>>
  : never;

export interface paths {
  '/bets/make-offer': { post: operations['betMakeOffer'] };
  '/bets/accept-offer': { post: operations['betAcceptOffer'] };
  '/bets/cancel-offer': { post: operations['betCancelOffer'] };
  '/bets/cancel-after': { post: operations['betCancelAfter'] };
  '/bets/batch': { post: operations['betBatch'] };
  '/bets/update-wager-outcome': { post: operations['betUpdateWagerOutcome'] };
  '/transactions/fund-user': { post: operations['transactionFundUser'] };
  '/transactions/withdraw': { post: operations['transactionWithdraw'] };
  '/auth/account/me': { get: operations['accountMe'] };
  '/account/health': { get: operations['accountHealth'] };
  '/auth/account/preferences': {
    get: operations['accountPreferencesRead'];
    patch: operations['accountPreferencesUpdate'];
  };
  '/auth/account/money': { patch: operations['accountMoneyUpdate'] };
  '/auth/register/account': { post: operations['accountRegister'] };
  '/auth/login/account': { post: operations['accountLogin'] };
  '/auth/logout/account': { post: operations['accountLogout'] };
  '/auth/account/confirm': { post: operations['accountConfirm'] };
  '/auth/account/second-factor': {
    get: operations['accountSecondFactorRead'];
    post: operations['accountSecondFactorAdd'];
    delete: operations['accountSecondFactorRemove'];
  };
  '/auth/account/second-factor/confirm': { post: operations['accountSecondFactorConfirm'] };
  '/auth/account/generate-keys': { post: operations['accountGenerateKeys'] };
  '/auth/account/api-keys': { get: operations['accountApiKeyList']; post: operations['accountApiKeyCreate'] };
  '/auth/account/api-keys/{id}': { delete: operations['accountApiKeyRevoke'] };
  '/auth/account/sessions': { get: operations['accountSessionList'] };
  '/auth/account/sessions/{id}': { delete: operations['accountSessionEnd'] };
  '/account-events': { get: operations['accountEventList'] };
  '/request-log': { get: operations['requestLogList'] };
  '/auth/account/verify-email': { get: operations['accountVerifyEmail'] };
  '/auth/account/confirm-email': { post: operations['accountConfirmEmail'] };
  '/auth/account/resend-verification-email': { post: operations['accountResendVerification'] };
  '/auth/account/reset-password': { post: operations['accountResetPassword'] };
  '/auth/account/forgot-password': { post: operations['accountForgotPassword'] };
  '/auth/account/create-password-for-forgot-password': { post: operations['accountCreatePassword'] };
  '/operators': { post: operations['operatorInvite']; get: operations['operatorList'] };
  '/operators/me': { get: operations['operatorMe'] };
  '/operators/{id}': {
    get: operations['operatorRead'];
    patch: operations['operatorUpdate'];
    delete: operations['operatorDelete'];
  };
  '/operators/{id}/second-factor': { delete: operations['operatorSecondFactorRemove'] };
  '/operators/{id}/invite': { post: operations['operatorInviteAgain'] };
  '/operators/accept-invitation': { post: operations['operatorAcceptInvitation'] };
  '/account/user': { post: operations['userCreate']; get: operations['userList'] };
  '/account/user/{userId}': { get: operations['userRead']; patch: operations['userUpdate'] };
  '/account/user/{reference}/reference': {
    get: operations['userReadByReference'];
    patch: operations['userUpdateByReference'];
  };
  '/account/user/{userId}/positions': { get: operations['userPositionList'] };
  '/account/user/{reference}/statement': { get: operations['userStatement'] };
  '/bets/open-bets': { get: operations['betOpenList'] };
  '/bets/history': { get: operations['betHistory'] };
  '/bets/override-outcome': { post: operations['betOverrideOutcome'] };
  '/bets/{id}': { get: operations['betRead'] };
  '/change-requests': { post: operations['changeRequestCreate']; get: operations['changeRequestList'] };
  '/change-requests/{id}': { get: operations['changeRequestRead'] };
  '/change-requests/{id}/approve': { post: operations['changeRequestApprove'] };
  '/change-requests/{id}/reject': { post: operations['changeRequestReject'] };
  '/change-requests/{id}/withdraw': { post: operations['changeRequestWithdraw'] };
  '/previews': { post: operations['previewCreate'] };
  '/previews/{id}': { get: operations['previewRead'] };
  '/previews/{id}/users': { get: operations['previewUserList'] };
  '/transactions': { get: operations['transactionList'] };
  '/transactions/{id}': { get: operations['transactionRead'] };
  '/transactions/{reference}/reference': { get: operations['transactionReadByReference'] };
  '/reconciliation': { get: operations['reconciliationRead'] };
  '/risk/wagers': { get: operations['riskWagers'] };
  '/risk/users': { get: operations['riskUsers'] };
  '/search': { get: operations['searchAll'] };
  '/series': { get: operations['seriesRead'] };
  '/wagers': { get: operations['wagerList'] };
  '/wagers/{reference}': { get: operations['wagerRead']; put: operations['wagerSchedule'] };
  '/wagers/{reference}/suspend': { post: operations['wagerSuspend'] };
  '/wagers/{reference}/resume': { post: operations['wagerResume'] };
  '/wagers/{reference}/close': { post: operations['wagerClose'] };
  '/wagers/{reference}/correct': { post: operations['wagerCorrect'] };
  '/events': { get: operations['eventList'] };
  '/events/matched-totals': { get: operations['eventMatchedTotals'] };
  '/events/{seq}': { get: operations['eventRead'] };
  '/wagers/{reference}/book': { get: operations['wagerBook'] };
  '/webhook-endpoints': { post: operations['webhookEndpointCreate']; get: operations['webhookEndpointList'] };
  '/webhook-endpoints/{id}': {
    get: operations['webhookEndpointRead'];
    patch: operations['webhookEndpointUpdate'];
    delete: operations['webhookEndpointDelete'];
  };
  '/webhook-endpoints/{id}/rotate-secret': { post: operations['webhookEndpointRotateSecret'] };
  '/webhook-endpoints/{id}/test': { post: operations['webhookEndpointTest'] };
  '/webhook-endpoints/{id}/enable': { post: operations['webhookEndpointEnable'] };
  '/webhook-endpoints/{id}/disable': { post: operations['webhookEndpointDisable'] };
  '/webhook-endpoints/{id}/replay': { post: operations['webhookEndpointReplay'] };
  '/webhook-endpoints/{id}/attempts': { get: operations['webhookAttemptList'] };
  '/account/sandboxes': { post: operations['sandboxCreate']; get: operations['sandboxList'] };
  '/account/sandboxes/{id}': { delete: operations['sandboxDelete'] };
  '/sandbox/clock': { get: operations['sandboxClockRead']; post: operations['sandboxClockMove'] };
  '/exports': { post: operations['exportCreate']; get: operations['exportList'] };
  '/exports/{id}': { get: operations['exportRead'] };
  '/admin/health': { get: operations['adminHealth'] };
  '/admin/accounts': { get: operations['adminAccountList'] };
  '/admin/accounts/{id}': { get: operations['adminAccountRead']; patch: operations['adminAccountUpdate'] };
  '/admin/accounts/{id}/end-access': { post: operations['adminAccountEndAccess'] };
  '/admin/wagers/force-update-outcome': { post: operations['adminWagerForceOutcome'] };
  '/admin/bets/{betId}/set-inactive': { post: operations['adminBetSetInactive'] };
  '/admin/bets/{betId}/set-active': { post: operations['adminBetSetActive'] };
  '/admin/bets/force-update-override-outcome': { post: operations['adminBetForceOverride'] };
  '/healthz': { get: operations['healthz'] };
  '/readyz': { get: operations['readyz'] };
  '/openapi.json': { get: operations['openapi'] };
}

export interface operations {
  /**
   * Offer a bet on a wager
   * The stake becomes exposure of the requesting user until the offer is accepted, canceled or expired. Least role: `trader`.
   */
  betMakeOffer: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['MakeOffer'] } };
    responses: {
      /** Bet offer made */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['MadeOffer'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Accept offers of a wager, or one bet
   * Takes as much as there is, up to the amount: the lowest odds first, then the oldest. The rest of an offer stays open as a bet of its own. One request matches at most 1,000 offers and then stops as at the end of the book: the answer lists what it matched. Least role: `trader`.
   */
  betAcceptOffer: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['AcceptOffer'] } };
    responses: {
      /** Bet offer accepted */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['AcceptedOffer'][];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Cancel open offers, wholly or for an amount
   * Canceled in part, an offer leaves a bet of its own for the rest, which keeps its place in the queue. One request cancels at most 1,000 offers itself, the oldest first, and leaves the others to the worker, which cancels them soon after; one by amount cancels at most 10,000 in all. From the answer on, no request can accept them. Least role: `trader`.
   */
  betCancelOffer: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['CancelOffer'] } };
    responses: {
      /** Bet offer canceled */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
            data: components['schemas']['CanceledOffer'][];
            /** How many more offers it leaves to the worker, which cancels them within a minute; present only when there are some. They are no longer listed as open, and no request can accept them. 100,000 means at least so many for a wager. */
            remaining?: number;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Cancel all open offers, unless it is called again in time
   * Arms a timer of the account, or of one user: one each. Another call moves it. When it fires, at most 2 seconds late, all open offers of the account or the user are canceled, once; later offers are not. Their events have the `reason` `timer`. A call that comes after the time and before it has fired moves it, too. Least role: `trader`.
   */
  betCancelAfter: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CancelAfter'] } };
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: {
              /** When it fires, unless a call moves it; null: it is disarmed. */ fires_at: string | null;
            };
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Several operations as one: all of them, or none
   * Done in order. Money is judged once, at the end, so a cancel and what it pays for may stand in either order. When one operation is refused, nothing is done; the text names its `operation_id`. Each operation needs the role of its own endpoint. Least role: `trader`.
   */
  betBatch: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['Batch'] } };
    responses: {
      /** Batch executed */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
            /** In the same order. */
            results: (
              | components['schemas']['MakeBetOfferResult']
              | components['schemas']['AcceptBetOfferResult']
              | components['schemas']['CancelBetOfferResult']
              | components['schemas']['UpdateWagerOutcomeResult']
              | components['schemas']['OverrideBetOutcomeResult']
              | components['schemas']['SuspendWagerResult']
              | components['schemas']['ResumeWagerResult']
              | components['schemas']['CloseWagerResult']
            )[];
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Decide a wager: its offers expire, its bets are settled
   * A wager is decided once. What is beyond the bound for one request, the worker settles; the text then says how much. Least role: `settler`.
   */
  betUpdateWagerOutcome: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['DecideWager'] } };
    responses: {
      /** Wager outcome updated */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Give a user money
   * Least role: `trader`.
   */
  transactionFundUser: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['Fund'] } };
    responses: {
      /** User funded successfully */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Movement'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Take money from a user
   * What the open and matched bets of the user can still cost stays, unless a negative balance is allowed. Least role: `trader`.
   */
  transactionWithdraw: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['Withdraw'] } };
    responses: {
      /** User funded successfully */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Movement'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * The account that is calling
   * Least role: `viewer`.
   */
  accountMe: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Account retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['OwnAccount'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Whether the service works for the account that is calling
   * It answers within seconds, also while the database does not. An answer is shared for 3 seconds, and is the last one for 30 while no newer one comes. Least role: `viewer`.
   */
  accountHealth: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Health retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['AccountHealth'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * The preferences of the account that is calling
   * Least role: `viewer`.
   */
  accountPreferencesRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Preferences retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['AccountPreferences'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change the preferences that an account sets itself
   * Needs a bearer token. To set `confirm_keys` from true to false takes the password. To set `require_second_factor` takes a second factor of the own. Admins change the other preferences. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  accountPreferencesUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangePreferences'] } };
    responses: {
      /** Preferences updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['AccountPreferences'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Set the currency and the decimals of an account
   * Needs a bearer token. Only what is given changes; null takes it back. After the first offer or transaction of the account nothing of it changes any more. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  accountMoneyUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangeMoneySettings'] } };
    responses: {
      /** Money settings updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['MoneySettings'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Register a business
   * A mail with a link is sent to verify the address. The account can be used at once. At most 200 requests in 3600 seconds from one address.
   */
  accountRegister: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['Register'] } };
    responses: {
      /** Account registered. Please check your e-mail to verify the address */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Log in and receive an access token
   * Who has a second factor sends a `code` too. Without one, a right password is answered with 401, `Second factor required`. A wrong code is answered and counted as a wrong password. At most 300 requests in 60 seconds from one address.
   */
  accountLogin: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['LogIn'] } };
    responses: {
      /** Logged in */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['AccessToken'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      /** No credentials, or wrong ones. */
      401: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['UnauthorizedError'] | components['schemas']['DomainError'];
        };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * End the access token used, or every token of the operator
   * Needs a bearer token. A suspended account may call it. Least role: `viewer`.
   */
  accountLogout: {
    parameters: {
      query?: {
        /**
         * End every token of the operator.
         * @default false
         */
        logout_all?: boolean;
      };
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Logged out */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Prove once more that one uses the session
   * Needs a bearer token. For 15 minutes, as after the log-in, the session may then do what is answered with 403, `Confirm your password`, otherwise. Who has a second factor sends a `code` too. Least role: `viewer`. At most 300 requests in 60 seconds from one address.
   */
  accountConfirm: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ConfirmPassword'] } };
    responses: {
      /** Password confirmed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Whether the operator that is calling has a second factor
   * Needs a bearer token. Least role: `viewer`.
   */
  accountSecondFactorRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Second factor retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['SecondFactor'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Begin a second factor of one’s own: codes of an authenticator app
   * Needs a bearer token. Codes are those of RFC 6238: SHA-1, 6 digits, 30 seconds. It has no effect until it is confirmed; begun again, the one before is forgotten. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `viewer`. At most 300 requests in 60 seconds from one address.
   */
  accountSecondFactorAdd: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['AddSecondFactor'] } };
    responses: {
      /** Second factor begun. Confirm it with a code */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['BegunSecondFactor'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Remove the second factor of one’s own
   * Needs a bearer token, and its recovery codes end with it. The operator gets a mail. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `viewer`. At most 300 requests in 60 seconds from one address.
   */
  accountSecondFactorRemove: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['RemoveSecondFactor'] } };
    responses: {
      /** Second factor removed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Confirm the second factor that was begun, with a code of it
   * Needs a bearer token. From then on the log-in takes a code. The operator gets a mail. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `viewer`. At most 300 requests in 60 seconds from one address.
   */
  accountSecondFactorConfirm: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ConfirmSecondFactor'] } };
    responses: {
      /** Second factor added. The recovery codes are shown only this once */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['RecoveryCodes'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Make the API key called default, in place of the earlier one
   * Needs a bearer token. The key lives until it is replaced or revoked. The account gets a mail. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  accountGenerateKeys: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['GenerateKeys'] } };
    responses: {
      /** API keys generated. The secret is shown only this once */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ApiKeyPair'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List API keys
   * The oldest first, unless asked otherwise; those too that have ended by themselves. Least role: `viewer`.
   */
  accountApiKeyList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApiKeyPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Make an API key beside the others
   * Needs a bearer token. The account gets a mail. At most 50 for an account. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  accountApiKeyCreate: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateApiKey'] } };
    responses: {
      /** API key made. The secret is shown only this once */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['NewApiKey'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * End an API key
   * Needs a bearer token. A suspended account may call it. When it is answered, no process takes the key any more. Least role: `owner`.
   */
  accountApiKeyRevoke: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the key. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** API key revoked */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['RoleForbids'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List sessions
   * Of an owner, those of all people; of others, their own; of a key with another role, none. The newest first, unless asked otherwise. Least role: `viewer`.
   */
  accountSessionList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SessionPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * End a session
   * Needs a bearer token. Everybody ends their own sessions, owners those of all people. A suspended account may call it. When it is answered, no process takes the session's token any more. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `viewer`.
   */
  accountSessionEnd: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the session. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Session ended */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account asks its operators for a second factor, and the one of the session has none. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List who did what to an account and its credentials
   * An event is listed as soon as its cause is answered, a wrong login within 10 seconds. Wrong logins of a few seconds from one address are one event: `after.attempts` counts them, and its time is that of the first. Events are deleted after 400 days. Least role: `viewer`.
   */
  accountEventList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only of these types. */
        type?: components['schemas']['AccountEventType'][];
        /** Only what this operator did, also with the keys that it made. */
        operator_id?: number;
        /** For admins: these accounts only. Its own, unless given. */
        account_ids?: number[];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "created_at"
         */
        sort_by?: 'created_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['AccountEventPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List calls of the account that were refused or failed
   * The newest first, unless asked otherwise, for 7 days. A call is listed about a second after its answer. Of an account with many, a sample: 200 at once from each process, then one a minute. Calls without a right credential belong to no account. Least role: `viewer`.
   */
  requestLogList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only with these statuses. */
        status?: number[];
        /** Only with these codes. */
        code?: (
          | 'acceptance-unfunded'
          | 'acceptor-not-allowed'
          | 'answer-too-large'
          | 'approval-required'
          | 'approvals-need-two'
          | 'bad-framing'
          | 'bet-already-active'
          | 'bet-already-inactive'
          | 'bet-canceled'
          | 'bet-inactive'
          | 'bet-not-accepted'
          | 'bet-not-requesting'
          | 'bet-void-due'
          | 'body-unreadable'
          | 'clock-backward'
          | 'clock-too-far'
          | 'code-wrong'
          | 'current-password-wrong'
          | 'decision-final'
          | 'invitation-invalid'
          | 'last-admin'
          | 'last-admin-active'
          | 'ledger-bound'
          | 'malformed'
          | 'meta-too-large'
          | 'new-passwords-differ'
          | 'no-cancelable-bets'
          | 'no-matching-offers'
          | 'not-a-sandbox'
          | 'not-defined'
          | 'odds-above-maximum'
          | 'offer-unfunded'
          | 'operation-ids-repeated'
          | 'other-requester'
          | 'own-offer'
          | 'own-second-factor-first'
          | 'page-too-deep'
          | 'part-too-small'
          | 'password-common'
          | 'password-needed'
          | 'password-obvious'
          | 'password-wrong'
          | 'passwords-differ'
          | 'path-encoding'
          | 'reset-code-invalid'
          | 'sandbox-as-admin'
          | 'sandbox-full'
          | 'sandbox-of-sandbox'
          | 'statement-too-long'
          | 'too-many-api-keys'
          | 'too-many-decimals'
          | 'too-many-operators'
          | 'too-many-sandboxes'
          | 'too-many-trails'
          | 'users-differ'
          | 'verification-token-invalid'
          | 'wager-closed'
          | 'wager-decided'
          | 'wager-is-decided'
          | 'wager-suspended'
          | 'webhook-test-failed'
          | 'winnings-too-large'
          | 'withdrawal-unfunded'
          | 'login-code-needed'
          | 'unauthorized'
          | 'account-suspended'
          | 'admins-only'
          | 'code-needed'
          | 'metrics-private'
          | 'not-the-maker'
          | 'other-side-approves'
          | 'own-change-request'
          | 'own-factor-with-code'
          | 'people-approve'
          | 'proof-stale'
          | 'role-forbids'
          | 'second-factor-required'
          | 'account-not-found'
          | 'allowed-acceptor-not-found'
          | 'api-key-not-found'
          | 'bet-not-found'
          | 'change-request-not-found'
          | 'event-not-found'
          | 'export-not-found'
          | 'operator-not-found'
          | 'preview-not-found'
          | 'route-not-found'
          | 'sandbox-not-found'
          | 'session-not-found'
          | 'transaction-not-found'
          | 'user-not-found'
          | 'wager-not-found'
          | 'webhook-endpoint-not-found'
          | 'method-not-allowed'
          | 'not-acceptable'
          | 'request-timeout'
          | 'api-key-name-taken'
          | 'balance-disputed'
          | 'book-too-large'
          | 'change-request-decided'
          | 'change-request-expired'
          | 'change-request-pending'
          | 'email-taken'
          | 'export-failed'
          | 'export-not-done'
          | 'history-restored'
          | 'key-in-use'
          | 'last-owner'
          | 'money-begun'
          | 'operator-email-taken'
          | 'operator-invited'
          | 'operator-joined'
          | 'own-reference-taken'
          | 'payments-differ'
          | 'preview-not-done'
          | 'second-factor-active'
          | 'second-factor-missing'
          | 'second-factor-not-begun'
          | 'too-large-to-approve'
          | 'too-many-webhook-endpoints'
          | 'two-people-needed'
          | 'user-reference-taken'
          | 'wager-changed'
          | 'export-expired'
          | 'sandbox-deleted'
          | 'file-changed'
          | 'too-large'
          | 'charset-unsupported'
          | 'encoding-unsupported'
          | 'not-json'
          | 'not-lines'
          | 'no-such-part'
          | 'expectation-failed'
          | 'key-reused'
          | 'books-too-large'
          | 'rate-limited'
          | 'too-many-exports'
          | 'too-many-previews'
          | 'too-many-streams'
          | 'too-many-waiting'
          | 'too-many-webhook-tests'
          | 'headers-too-large'
          | 'internal-error'
          | 'database-unavailable'
          | 'outcome-unknown'
          | 'overloaded'
          | 'second-factor-off'
          | 'webhooks-off'
        )[];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "created_at"
         */
        sort_by?: 'created_at';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['RefusedCallPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Verify an e-mail address with the token from the mail
   * A token lives 24 hours and works here once. Programs that scan mails may open the link, so it does not prove whose account it is: `POST /auth/account/confirm-email` takes the same token with the password. At most 300 requests in 60 seconds from one address.
   */
  accountVerifyEmail: {
    parameters: {
      query: {
        /** The token from the mail. */ token: string;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** E-mail address verified */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Confirm an e-mail address with the token from the mail and the password
   * Proves that the account belongs to the owner of the address. A token lives 24 hours and works once, also after `GET /auth/account/verify-email`. At most 300 requests in 60 seconds from one address.
   */
  accountConfirmEmail: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ConfirmEmail'] } };
    responses: {
      /** E-mail address confirmed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Send the verification mail again
   * At most 5 an hour and 10 a day for an account; none once the address is proved. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  accountResendVerification: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Verification e-mail sent */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change the password, knowing the current one
   * Ends every other access token of the operator. Least role: `viewer`. At most 300 requests in 60 seconds from one address.
   */
  accountResetPassword: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ResetPassword'] } };
    responses: {
      /** Password changed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrFactor'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Ask for a password reset code by e-mail
   * The answer and its time never tell whether there is such an account. At most 300 requests in 60 seconds from one address.
   */
  accountForgotPassword: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ForgotPassword'] } };
    responses: {
      /** If an account with this e-mail exists, a reset code has been sent to it */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Set a new password with the reset code from the mail
   * Ends every access token and API key, and disables every webhook endpoint, unless `end_access` is false. The code proves that the e-mail address is the caller's own; while nothing had proved that, `end_access: false` has no effect. At most 300 requests in 60 seconds from one address.
   */
  accountCreatePassword: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreatePassword'] } };
    responses: {
      /** Password created. You can log in with it now */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Invite a person
   * Needs a bearer token. The person gets a mail with a token, which `POST /operators/accept-invitation` takes for 7 days. An e-mail address is one operator of one account. At most 100 people for an account; 100 invitations a day, 5 of them to one address. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  operatorInvite: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['InviteOperator'] } };
    responses: {
      /** Invitation sent */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Operator'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List the people of an account
   * The first one first, unless asked otherwise; without those who are deleted. Least role: `viewer`.
   */
  operatorList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['OperatorPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * The person who is calling
   * Needs a bearer token. Least role: `viewer`.
   */
  operatorMe: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Operator retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Operator'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a person of an account
   * Least role: `viewer`.
   */
  operatorRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the operator. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Operator retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Operator'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change a person, suspend it, or end its suspension
   * Needs a bearer token. When it is answered, every process knows of it. A suspension ends the sessions of the person; the keys that it made open nothing until it ends. An active owner is always left. Who is invited becomes active by accepting. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  operatorUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the operator. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['UpdateOperator'] } };
    responses: {
      /** Operator updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Operator'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Delete a person
   * Needs a bearer token. A suspended account may call it. Its sessions and the keys that it made end: when it is answered, no process takes them any more. Its name stays in trails; its e-mail address may be invited again. An active owner is always left. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  operatorDelete: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the operator. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Operator deleted */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The caller's role does not allow this, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Remove the second factor that another person has lost
   * Needs a bearer token. The sessions of the person end, it gets a mail, and its password is enough for the next log-in. Make sure who asks: you vouch for the person, as with its invitation. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  operatorSecondFactorRemove: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the operator. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Second factor removed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The caller's role does not allow this, or a second factor is missing. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Send an invitation again
   * Needs a bearer token. The token of the new mail lives 7 days; that of the former one ends. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`. At most 300 requests in 60 seconds from one address.
   */
  operatorInviteAgain: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the operator. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Invitation sent */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Operator'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Accept an invitation with the token from the mail
   * Sets the password with which the person then logs in, as everybody. A token lives 7 days and works once. At most 300 requests in 60 seconds from one address.
   */
  operatorAcceptInvitation: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['AcceptInvitation'] } };
    responses: {
      /** Invitation accepted. You can log in now */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Create a user
   * Least role: `trader`.
   */
  userCreate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateUser'] } };
    responses: {
      /** User created */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['CreatedUser'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List users
   * Least role: `viewer`.
   */
  userList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Part of a name or reference; case does not count. */
        search?: string;
        /** Only these users; those of `user_reference` too. */
        user_id?: number[];
        /** Only these users; those of `user_id` too. */
        user_reference?: string[];
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * Ties stand by id.
         * @default "created_at"
         */
        sort_by?: 'id' | 'name' | 'reference' | 'created_at' | 'balance' | 'exposure';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
        /** The former name of `sort_direction`. */
        sort_order?: 'asc' | 'desc';
        /** Each `meta_<key>=<text>` in the query, like `meta_favourite_team=Rovers`: only those whose `meta` has exactly this text under this key. All of them must hold. */
        meta?: { [key: string]: string };
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Users retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['UserPage'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a user by id
   * Least role: `viewer`.
   */
  userRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the user. */ userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** User retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['User'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change a user by id
   * Only what is given changes: `meta` key by key, `preferences` as a whole. Least role: `trader`.
   */
  userUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the user. */ userId: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangeUser'] } };
    responses: {
      /** User updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangedUser'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a user by reference
   * Least role: `viewer`.
   */
  userReadByReference: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The user, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** User retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['User'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change a user by reference
   * Only what is given changes: `meta` key by key, `preferences` as a whole. Least role: `trader`.
   */
  userUpdateByReference: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The user, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangeUser'] } };
    responses: {
      /** User updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangedUser'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List what the exposure of a user is made of
   * Ordered by the id of the wager; those that are 0 in all are left out. Least role: `viewer`.
   */
  userPositionList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Only in these wagers. */
        wager_reference?: string[];
        /**
         * The only order of this list.
         * @default "wager_id"
         */
        sort_by?: 'wager_id';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the user. */ userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['PositionPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read the statement of a user
   * The transactions of a period, the oldest first unless asked otherwise, with the balance after each. The balances and sums are of the whole period on every page, and the closing balance of a period is the opening balance of the next. As CSV it begins and ends with a line of the opening and the closing balance; the header `Link` names the next page. Least role: `viewer`.
   */
  userStatement: {
    parameters: {
      query?: {
        /** The first moment of the period; 31 days before its end, unless given. */ from?: string | number;
        /** The moment behind the period, at most 400 days after `from`; now, unless given. */
        to?: string | number;
        /** The same as `from`. */
        created_after?: string | number;
        /** The last moment of the period, or a bare date, its last day: unlike `to`, it is in the period. */
        created_before?: string | number;
        /** How many lines to a page, at most 1000; 100, unless given. A CSV without `per_page` and `cursor` has all lines. */
        per_page?: number;
        /** The former name of `per_page`. */
        limit?: number;
        /** The page that a former answer named as `next`; the other parameters must be the same. */
        cursor?: string;
        /** JSON, unless given. A CSV begins and ends with a line of the opening and the closing balance. */
        format?: 'json' | 'csv';
        /**
         * Of the lines: the oldest or the newest first.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
        /** Only lines of this source. Balances and sums are of all lines. */
        transaction_source?: components['schemas']['TransactionSource'];
        /** Also what the user has now, of one moment with the statement. */
        include?: 'holdings';
        /** With `include=holdings`: the page of its positions; the first one, unless given. */
        positions_cursor?: string;
        /** With `include=holdings`: the page of its open offers; the first one, unless given. */
        offers_cursor?: string;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The user, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** The transactions of a user in a period, with the balance after each. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Statement']; 'text/csv': string };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List open offers
   * Those that can be accepted: active, `requesting`, and their wager undecided. Least role: `viewer`.
   */
  betOpenList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only on these wagers. */
        wager_reference?: string[];
        /** The former name of `wager_reference`. */
        wager_references?: string[];
        /** For admins: these accounts only. Its own, unless given. */
        account_ids?: number[];
        /** Only by these users; by those of `user_reference` too. */
        user_id?: number[];
        /** The former name of `user_id`. */
        requesting_user_ids?: number[];
        /** Only by these users; by those of `user_id` too. */
        user_reference?: string[];
        /** The former name of `user_reference`. */
        requesting_user_references?: string[];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * At least these odds.
         * @default 1
         */
        minimum_odds?: number;
        /** At most these odds. */
        maximum_odds?: number;
        /** At least this stake. */
        minimum_amount?: number;
        /** At most this stake. */
        maximum_amount?: number;
        /**
         * Ties stand by id.
         * @default "created_at"
         */
        sort_by?: 'requesting_odds' | 'requesting_amount' | 'created_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
        /** Each `meta_<key>=<text>` in the query, like `meta_favourite_team=Rovers`: only those whose `meta` has exactly this text under this key. All of them must hold. */
        meta?: { [key: string]: string };
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['OpenBetPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List bets of every status
   * Least role: `viewer`.
   */
  betHistory: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only on these wagers. */
        wager_reference?: string[];
        /** The former name of `wager_reference`. */
        wager_references?: string[];
        /** For admins: these accounts only. Its own, unless given. */
        account_ids?: number[];
        /** Only of these users, on either side; those of `user_reference` too. */
        user_id?: number[];
        /** The former name of `user_id`. */
        user_ids?: number[];
        /** Only of these users, on either side; those of `user_id` too. */
        user_reference?: string[];
        /** The former name of `user_reference`. */
        user_references?: string[];
        /** By the override of the bet, else by the outcome of its wager. */
        bet_outcomes?: components['schemas']['Outcome'][];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /** At least this stake: of a match what was matched. */
        minimum_amount?: number;
        /**
         * With `bet_trails`.
         * @default false
         */
        include_bet_trails?: boolean;
        /**
         * With `bet_trails`, and with the transactions in them.
         * @default false
         */
        include_bet_trails_transactions?: boolean;
        /**
         * Bets without odds or an amount stand at the end, up or down.
         * @default "created_at"
         */
        sort_by?: 'effective_odds' | 'effective_amount' | 'created_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
        /** Each `meta_<key>=<text>` in the query, like `meta_favourite_team=Rovers`: only those whose `meta` has exactly this text under this key. All of them must hold. */
        meta?: { [key: string]: string };
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['BetPage'] } };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Settle an accepted bet by an outcome of its own
   * It is settled at once, and stays so when its wager is decided. `undecided` takes its settlement back. Least role: `settler`.
   */
  betOverrideOutcome: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['OverrideOutcome'] } };
    responses: {
      /** Bet outcome overridden */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a bet by id
   * Least role: `viewer`.
   */
  betRead: {
    parameters: {
      query?: {
        /**
         * With `bet_trails`.
         * @default false
         */
        include_bet_trails?: boolean;
        /**
         * With `bet_trails`, and with the transactions in them.
         * @default false
         */
        include_bet_trails_transactions?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the bet. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Bet retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Bet'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Ask another person to approve an operation
   * It takes the role of the route that does the operation. Nothing happens until another person approves it. An operation that the ledger would refuse now is refused. Least role: `trader`.
   */
  changeRequestCreate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateChangeRequest'] } };
    responses: {
      /** Change request made */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangeRequest'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** Only admin accounts may do this, unless they are suspended, in production with a second factor, and only with the role for it. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List change requests
   * The newest first, unless asked otherwise. Least role: `viewer`.
   */
  changeRequestList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only those in this state. */
        state?: components['schemas']['ChangeRequestState'];
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ChangeRequestPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a change request, with what it moved then and would move now
   * Least role: `viewer`.
   */
  changeRequestRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the change request. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['ChangeRequestDetails'] } };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Approve a change request: the operation is done in the same transaction
   * By another person than its maker, who has logged in. It is done only when every user still moves as shown; else the answer is 409 with a fresh `preview`, and the request stays pending. Least role: `approver`.
   */
  changeRequestApprove: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the change request. */ id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ApproveChangeRequest'] } };
    responses: {
      /** Change request executed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangeRequest'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Reject a change request
   * By another person than its maker, who has logged in. Least role: `approver`.
   */
  changeRequestReject: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the change request. */ id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['RejectChangeRequest'] } };
    responses: {
      /** Change request rejected */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangeRequest'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Take a change request back
   * Only its maker can. Least role: `trader`.
   */
  changeRequestWithdraw: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the change request. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Change request withdrawn */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ChangeRequest'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Show what a decision or a correction would move
   * The ledger does the operation to a snapshot and writes nothing of it. An operation that would be refused is answered with `would_succeed: false`. With more than 20,000 bets a worker computes the preview: the answer is 202, and `GET /previews/:id` shows how far it is. Least role: `viewer`.
   */
  previewCreate: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreatePreview'] } };
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['Preview'] } };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['UnfinishedPreview'] } };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenOrSuspended'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      /** The account asks too often, or has too much that is not done, or that waits. */
      429: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a preview, or how far it is
   * Least role: `viewer`.
   */
  previewRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the preview. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': { data: components['schemas']['Preview'] | components['schemas']['UnfinishedPreview'] };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List all users whom a preview would move
   * By pages of 100: those below zero first, then those whose balance moves most. Least role: `viewer`.
   */
  previewUserList: {
    parameters: {
      query?: {
        /** The `next` of the page before; empty: the first page. */ cursor?: string;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the preview. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the users of a preview. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['PreviewUserPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List transactions
   * The oldest first, unless asked otherwise. Least role: `viewer`.
   */
  transactionList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only of these users; those of `user_reference` too. */
        user_id?: number[];
        /** The former name of `user_id`. */
        user_ids?: number[];
        /** Only of these users; those of `user_id` too. */
        user_reference?: string[];
        /** The former name of `user_reference`. */
        user_references?: string[];
        /** Only what bets on these wagers paid. */
        wager_reference?: string[];
        /** Whether the balance rose or fell. `no-action`: a settlement or a correction that moved nothing. */
        transaction_type?: components['schemas']['TransactionType'];
        /** What moved the balance. `correction`: an operator made the balance and its transactions agree. */
        transaction_source?: components['schemas']['TransactionSource'];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** The former name of `created_after`. */
        start_date?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /** The former name of `created_before`. */
        end_date?: string | number;
        /** Only that with this own reference. */
        own_reference?: string;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /**
         * The only order of this list.
         * @default "created_at"
         */
        sort_by?: 'created_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
        /** Each `meta_<key>=<text>` in the query, like `meta_favourite_team=Rovers`: only those whose `meta` has exactly this text under this key. All of them must hold. */
        meta?: { [key: string]: string };
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['TransactionPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a transaction by id
   * Least role: `viewer`.
   */
  transactionRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the transaction. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Transaction retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Transaction'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a transaction by reference
   * Least role: `viewer`.
   */
  transactionReadByReference: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The reference that it was answered with, or its own reference. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Transaction retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Transaction'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Reconcile a day
   * A past day is as the nightly audit has stored it. The figures of all users add up to those of the account, but on a day that ends between a fault and the correction of a balance. Each page is of its own moment, so a day that still runs may change between two pages. Least role: `viewer`.
   */
  reconciliationRead: {
    parameters: {
      query: {
        /** A day, in UTC. */ date: string;
        /** Also the figures of each user, page by page. */
        include?: 'users';
        /** How many users to a page, at most 1000; 100, unless given. */
        per_page?: number;
        /** The former name of `per_page`. */
        limit?: number;
        /** The page that a former answer named as `next`; the other parameters must be the same. */
        cursor?: string;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** What all transactions of an account come to on a day. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Reconciliation'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List what each undecided wager can still cost
   * Of the 2000 undecided wagers with the most matched, among the newest 20,000. All callers share an answer for 3 seconds, and for longer where it took long: at most a thirtieth of the time goes into it. Least role: `viewer`.
   */
  riskWagers: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
        /** Only those with one of these labels. */
        event?: string[];
        /**
         * Ties stand by id; what has no value stands last.
         * @default "worst_case"
         */
        sort_by?:
          | 'worst_case'
          | 'largest_loss'
          | 'matched_amount'
          | 'open_amount'
          | 'last_odds'
          | 'created_at'
          | 'closes_at';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
        /**
         * How many to show. The totals are of all.
         * @default 100
         */
        limit?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['WagersAtRisk'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List the users with the largest exposure, profit or loss
   * The first 50 at most. Today is the day in UTC. All callers share an answer as of `/risk/wagers`. Least role: `viewer`.
   */
  riskUsers: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
        /**
         * The largest first; users who have none are left out. Ties stand by id.
         * @default "exposure"
         */
        sort_by?: 'exposure' | 'profit_today' | 'loss_today';
        /**
         * How many to show. The totals are of all.
         * @default 50
         */
        limit?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['UsersAtRisk'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Find users, wagers, bets, transactions and events
   * Users and wagers by any part of a reference or name, bets and transactions by id, transactions by either reference, wagers by the label of their event, events by number. What `q` names exactly comes first, then the newest. Older users and wagers than the newest 2,000 of each are found by three letters or digits in a row. Least role: `viewer`.
   */
  searchAll: {
    parameters: {
      query: {
        /** What to look for. Capitals do not matter in parts of names. */ q: string;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['SearchHits'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read what was matched, settled and at risk by hour
   * From the event log, by the time of its events, in hours of UTC up to the present one. An hour says what happened in it: a later correction counts in the hour in which it is made. Of the account, or of one wager or one user. Both users of a bet have its amounts. Least role: `viewer`.
   */
  seriesRead: {
    parameters: {
      query?: {
        /** A moment of the first hour; a day before the end, unless given. */ from?: string | number;
        /** The moment behind the last hour, at most 744 hours after the first; the end of the present hour, unless given. */
        to?: string | number;
        /** Of this wager alone. */
        wager_reference?: string;
        /** Of this user alone. Not together with `wager_reference`. */
        user_reference?: string;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['HourlySeries'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List wagers
   * Least role: `viewer`.
   */
  wagerList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Only with one of these outcomes. */
        outcome?: components['schemas']['Outcome'][];
        /** Only these wagers. */
        wager_reference?: string[];
        /** The former name of `wager_reference`. */
        reference?: string[];
        /** Only those with one of these labels. */
        event?: string[];
        /** Only those whose bets wait to be settled (`settling_since`), or only the others. */
        settling?: boolean;
        /** Only those that a `closes_at` ahead will close, neither closed nor decided before, or only the others. */
        closing?: boolean;
        /** Only those with a `closes_at` not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        closes_before?: string | number;
        /** For admins: these accounts only. Its own, unless given. */
        account_ids?: number[];
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * `closes_at` only with `closing=true`. Ties stand by id.
         * @default "created_at"
         */
        sort_by?: 'created_at' | 'id' | 'closes_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['WagerPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a wager, and how far its bets are settled
   * Least role: `viewer`.
   */
  wagerRead: {
    parameters: {
      query?: {
        /** Shows the book too, with so many levels. */ depth?: number;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Wager retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WagerWithSettlement'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Set when a wager closes, and its event
   * Makes the wager when there is none. From `closes_at` on, by the clock of the database, no offer is made and none is accepted. Least role: `trader`.
   */
  wagerSchedule: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ScheduleWager'] } };
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['ListedWager'] } };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Stop betting on a wager for now
   * From the answer on, no offer is made and none is accepted. Its open offers keep their places, but for those with the persistence `cancel_on_suspend`, which are canceled. Canceling and deciding go on. A wager that is suspended stays as it is, also when a change request has suspended it and ends; with `cancel_offers` its offers are canceled. Least role: `trader`.
   */
  wagerSuspend: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['SuspendWager'] } };
    responses: {
      /** Wager suspended */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ListedWager'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Take bets on a suspended wager again
   * The offers that were left are open again, in their order. A wager that is open stays as it is. Least role: `trader`.
   */
  wagerResume: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Wager resumed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ListedWager'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Stop betting on a wager for good
   * No offer is made and none is accepted any more; only a decision follows. Its open offers stay until they are canceled or the decision expires them; those with the persistence `cancel_on_suspend` are canceled. A wager that is closed stays as it is. Least role: `settler`.
   */
  wagerClose: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['CloseWager'] } };
    responses: {
      /** Wager closed */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ListedWager'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Correct a decision of the last minutes
   * Once, within 10 minutes of the decision: every bet moves to where the outcome says, and with `undecided` the offers that the decision expired are open again. An account that wants approval of its decisions wants it of their corrections. Least role: `settler`.
   */
  wagerCorrect: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CorrectWager'] } };
    responses: {
      /** Wager outcome updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List what happened, in the order of the commits
   * The numbers have no gap and never change, so a reader that follows `next` misses nothing. The events about a user, a wager or a bet are found by an index. With `types` alone, and among events that are not indexed yet, a request looks at 10,000 events at most: while `has_more` says so, ask again, also when `data` is empty. A page has at most 2 MiB: with large events it ends before `per_page`. Least role: `viewer`.
   */
  eventList: {
    parameters: {
      query?: {
        /** A `cursor`, a `next` or a `Ledger-As-Of`: only what came after it. `now`: what comes from now on. Without it: from the beginning. */
        after?: string;
        /** With `sort_direction=desc`, a `cursor`, a `next` or a `Ledger-As-Of`: only what came before it. Without it: from the end of the log. */
        before?: string;
        /** The same as `after`, or with `sort_direction=desc` as `before`. */
        cursor?: string;
        /**
         * The only order of this list.
         * @default "seq"
         */
        sort_by?: 'seq';
        /**
         * In the order of the commits, or the newest first.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
        /**
         * How many events at most.
         * @default 100
         */
        per_page?: number;
        /** The former name of `per_page`. */
        limit?: number;
        /** Only of these types, with commas between them. `offer.*` stands for all types that begin so. */
        types?: string;
        /** Only about this wager and the bets on it. */
        wager_reference?: string;
        /** Only about this user and the bets that it is a party of. */
        user_id?: number;
        /** Only about this user and the bets that it is a party of. Not together with `user_id`. */
        user_reference?: string;
        /** Only about this bet. */
        bet_id?: number;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * While there is no event to answer, wait for one, so many milliseconds at most.
         * @default 0
         */
        wait_ms?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['EventPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** The account asks too often, or has too much that is not done, or that waits. */
      429: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Sum up what was matched since a moment
   * From the events `offer.matched` of the log. A request looks at 100,000 events at most: while `has_more` says so, ask again with `next` as `after`, and add up the answers. Least role: `viewer`.
   */
  eventMatchedTotals: {
    parameters: {
      query?: {
        /** A `cursor`, a `next` or a `Ledger-As-Of`: only what came after it. Without it: from the beginning. */
        after?: string;
        /** Only what came at this moment or later; of one that is still to come, nothing. Not together with `after`. */
        created_after?: string | number;
        /** The former name of `created_after`. */
        created_from?: string | number;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['MatchedTotals'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read an event by its number
   * Least role: `viewer`.
   */
  eventRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The number of the event. */ seq: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Event retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Event'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read the order book of a wager
   * The open offers by odds, and what was matched. Least role: `viewer`.
   */
  wagerBook: {
    parameters: {
      query?: {
        /** How many levels to show; 10, unless given. */ depth?: number;
        /** Only the offers that this user may accept. */
        user_id?: number;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The wager, as the business calls it. */ reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['OrderBook'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Make an endpoint that gets the events of the account
   * It begins at the end of the event log. Its requests are signed by Standard Webhooks 1.0.0. The account gets a mail. At most 10 for an account. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`.
   */
  webhookEndpointCreate: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateWebhookEndpoint'] } };
    responses: {
      /** Webhook endpoint made. The secret is shown only this once */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['NewWebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, or not done. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * List webhook endpoints
   * Least role: `viewer`.
   */
  webhookEndpointList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['WebhookEndpointPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read a webhook endpoint, and how far it is
   * Least role: `viewer`.
   */
  webhookEndpointRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Webhook endpoint retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change a webhook endpoint
   * Only what is given changes. With other types or another mode it goes on after its `cursor`, so it may get events again that it took beyond it; with another address it tries at once, and the account gets a mail. Another description takes no password. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`.
   */
  webhookEndpointUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangeWebhookEndpoint'] } };
    responses: {
      /** Webhook endpoint updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Delete a webhook endpoint
   * A request that is under way may still arrive. Least role: `owner`.
   */
  webhookEndpointDelete: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Webhook endpoint deleted */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Give an endpoint a new secret
   * For 24 hours its requests have two signatures, by the new secret and by the one before. A session needs a log-in or a confirmation of the last 15 minutes for it, or the `password` of who has no second factor: else 403, `Confirm your password`. Least role: `owner`.
   */
  webhookEndpointRotateSecret: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['RotateWebhookSecret'] } };
    responses: {
      /** Secret rotated. The new one is shown only this once */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['NewWebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
      403: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Send a `ping` to a webhook endpoint
   * It is signed like an event, and has the type `ping`. The answer of the endpoint is not shown beyond its status. Least role: `owner`.
   */
  webhookEndpointTest: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Webhook endpoint tested */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookTest'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      /** The account asks too often, or has too much that is not done, or that waits. */
      429: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Go on with a disabled or failing webhook endpoint
   * Sends a `ping` first. When it is taken, delivery goes on where it ended, at once; otherwise the endpoint stays as it is, and `test_error` says why. Least role: `owner`.
   */
  webhookEndpointEnable: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Webhook endpoint enabled */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      /** The account asks too often, or has too much that is not done, or that waits. */
      429: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      500: components['responses']['InternalError'];
      /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Send nothing to a webhook endpoint until it is enabled
   * No event is lost: `POST …/enable` goes on where it ended. A request that is under way may still arrive, and comes again then. An endpoint that is disabled already stays as it is. Least role: `owner`.
   */
  webhookEndpointDisable: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Webhook endpoint disabled */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Go on from another place of the event log
   * Everything after `after` is sent, again or for the first time. What lies between is not sent. Least role: `owner`.
   */
  webhookEndpointReplay: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ReplayWebhooks'] } };
    responses: {
      /** Webhook endpoint goes on after this cursor */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['WebhookEndpoint'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List the requests to a webhook endpoint
   * The newest first, unless asked otherwise. An attempt is listed for 30 days. Least role: `viewer`.
   */
  webhookAttemptList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the webhook endpoint. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['WebhookAttemptPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Make a sandbox
   * An account of its own, for tests: with an API key, and with a clock that `POST /sandbox/clock` advances. It counts money as the account does. At most 5 for a business, each with at most 100,000 bets. Least role: `owner`.
   */
  sandboxCreate: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateSandbox'] } };
    responses: {
      /** Sandbox made. The secret is shown only this once */
      201: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['NewSandbox'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List the sandboxes of a business
   * All of them, the oldest first; those too that are being deleted. Least role: `viewer`.
   */
  sandboxList: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Sandboxes'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Delete a sandbox
   * With all of its rows. When it is answered, no process takes its keys any more; the worker then deletes its rows. The list shows it, and it counts, until they are gone. Least role: `owner`.
   */
  sandboxDelete: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the sandbox. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Sandbox deleted */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read the clock of a sandbox
   * Needs a key of the sandbox. Least role: `viewer`.
   */
  sandboxClockRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['SandboxClock'] } };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** It was there, and is no more. */
      410: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Advance the clock of a sandbox
   * Needs a key of the sandbox. From the answer on its time is the new one; the worker then runs what is due, until `GET /sandbox/clock` says `ready`. Only forward, at most 3,650 days in all. Least role: `owner`.
   */
  sandboxClockMove: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['MoveSandboxClock'] } };
    responses: {
      /** A page of the list. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': { data: components['schemas']['SandboxClock'] } };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrRole'];
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It was there, and is no more. */
      410: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Ask for a file of transactions, bets or a statement
   * A worker writes the file, from one snapshot: everything that was committed when it began and was created in the period, the oldest first. The file of a statement has the lines of `GET /account/user/:reference/statement` as CSV: opening and closing balance are the first and the last one. Two exports of an account are written at the same time, and up to 10 may be unfinished. The file lives for 24 hours. Least role: `viewer`.
   */
  exportCreate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['CreateExport'] } };
    responses: {
      /** Export queued */
      202: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Export'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['SuspendedOrFactor'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      /** The account asks too often, or has too much that is not done, or that waits. */
      429: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List exports
   * The newest first, unless asked otherwise. An export is listed for 30 days, its file lives for 24 hours. Least role: `viewer`.
   */
  exportList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** For admins: the account that is looked into. Its own, unless given. */
        account_id?: number;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * The only order of this list.
         * @default "id"
         */
        sort_by?: 'id';
        /**
         * Up or down.
         * @default "desc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ExportPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read how far an export is
   * Least role: `viewer`.
   */
  exportRead: {
    parameters: {
      query?: {
        /** For admins: the account that is looked into. Its own, unless given. */ account_id?: number;
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the export. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Export retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Export'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['FactorRequired'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Whether the service works for all accounts
   * What is not known says `unknown`. It answers within seconds, also while the database does not. An answer is shared for some seconds, and is the last one for 30 while no newer one comes. Only admin accounts may do this. Least role: `viewer`.
   */
  adminHealth: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Health retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['ServiceHealth'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * List accounts
   * Only admin accounts may do this. Least role: `viewer`.
   */
  adminAccountList: {
    parameters: {
      query?: {
        /** Which page, counted from 1; the first, unless given. Not together with `cursor`. */ page?: number;
        /**
         * How many to a page.
         * @default 20
         */
        per_page?: number;
        /** The page that a former answer named as `next` or `previous`, with the same filters and sort; empty: the first one. Not together with `page`. */
        cursor?: string;
        /** Whether a page by cursor has the totals; a page by number always has them. */
        include_totals?: boolean;
        /** Part of a name or e-mail address; case does not count. */
        search?: string;
        /** Only accounts whose address is verified, or is not. */
        email_verified?: boolean;
        /** Not before this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time. */
        created_after?: string | number;
        /** Not after this moment. Milliseconds since 1970 (seconds, below 100,000,000,000), or an ISO 8601 date or time, where a bare date includes its whole day. */
        created_before?: string | number;
        /**
         * Accounts have neither odds nor amounts: by each of them they stand in the order of their creation.
         * @default "created_at"
         */
        sort_by?: 'effective_odds' | 'effective_amount' | 'created_at';
        /**
         * Up or down.
         * @default "asc"
         */
        sort_direction?: 'asc' | 'desc';
      };
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** A page of the list. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['AccountPage'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Read an account
   * Only admin accounts may do this. Least role: `viewer`.
   */
  adminAccountRead: {
    parameters: {
      query?: never;
      header?: {
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the account. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** Account retrieved */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Account'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Change an account
   * Only what is given changes. Only admin accounts may do this. Least role: `owner`.
   */
  adminAccountUpdate: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the account. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['ChangeAccount'] } };
    responses: {
      /** Account updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            data: components['schemas']['Account'];
            /** What was done, in a sentence for people. */
            message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * End every session and API key of an account, and disable its webhook endpoints
   * The account may log in again with its password. Only admin accounts may do this. Least role: `owner`.
   */
  adminAccountEndAccess: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the account. */ id: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** All access of the account ended */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Give a wager another outcome, decided or not
   * Every bet of the wager moves to where the outcome says; what is beyond the bound for one request, the worker moves. Back to `undecided`, the offers that the decision expired are open again. Only admin accounts may do this. Least role: `owner`.
   */
  adminWagerForceOutcome: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ForceOutcome'] } };
    responses: {
      /** Wager outcome updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Take all effect of a bet back
   * Only admin accounts may do this. Least role: `owner`.
   */
  adminBetSetInactive: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the bet. */ betId: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['SetActive'] } };
    responses: {
      /** Bet set inactive */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Give a bet its effect back
   * Only admin accounts may do this. Least role: `owner`.
   */
  adminBetSetActive: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path: {
        /** The id of the bet. */ betId: number;
      };
      cookie?: never;
    };
    requestBody?: { content: { 'application/json': components['schemas']['SetActive'] } };
    responses: {
      /** Bet set active */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /**
   * Give a bet an outcome of its own, or take it away
   * The ledger takes back the bet's movements, and moves it anew by its effective outcome. While its override decides, it is `expired`. Only admin accounts may do this. Least role: `owner`.
   */
  adminBetForceOverride: {
    parameters: {
      query?: never;
      header?: {
        /** The same key with the same request: the first answer is given again, for 24 hours at least, and nothing is done twice. Neither the order of fields counts nor, but in a PUT or PATCH, null for a field that is not given. With another request: 422. While the first is still running: 409. Keys belong to the account. */
        'Idempotency-Key'?: string;
        /** What the caller calls the request: the answer, its events and the logs have it. It need not be unique. One of another form is replaced. */
        'X-Request-Id'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: { content: { 'application/json': components['schemas']['ForceOverride'] } };
    responses: {
      /** Bet override updated */
      200: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': {
            /** What was done, in a sentence for people. */ message: string;
          };
        };
      };
      /** A worker goes on with it. */
      202: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ApprovalRequired'] };
      };
      /** The request is malformed, or a rule says no. */
      400: {
        headers: { [name: string]: unknown };
        content: {
          'application/json': components['schemas']['ValidationError'] | components['schemas']['DomainError'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['ForbiddenSuspendedOrRole'];
      /** Unknown, or it belongs to another account. */
      404: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It is taken, the state of the user does not allow it, or the first request with the Idempotency-Key is still running. */
      409: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['BodyNotJson'];
      422: components['responses']['KeyReused'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalError'];
      503: components['responses']['Unavailable'];
    };
  };
  /** Whether the process is alive */
  healthz: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** It is. */
      200: { headers: { [name: string]: unknown }; content: { 'application/json': components['schemas']['Health'] } };
      /** The request ends, or names its host, in a way that could be read in two ways */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
    };
  };
  /**
   * Whether the process can do its work
   * It can without Redis: mails and background work wait then, requests do not. What is not known in time is `unknown`.
   */
  readyz: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** It can. */
      200: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Readiness'] };
      };
      /** The request ends, or names its host, in a way that could be read in two ways */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['DomainError'] };
      };
      /** It cannot. */
      503: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['Readiness'] };
      };
    };
  };
  /** This document */
  openapi: {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    requestBody?: never;
    responses: {
      /** OpenAPI 3.1. */
      200: { headers: { [name: string]: unknown }; content: { 'application/json': Record<string, unknown> } };
      /** The request has a query. */
      400: {
        headers: { [name: string]: unknown };
        content: { 'application/json': components['schemas']['ValidationError'] };
      };
      429: components['responses']['TooManyRequests'];
    };
  };
}

export interface components {
  schemas: {
    AcceptBetOffer: {
      /** What is done. */ operation_type: 'accept_bet_offer';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['AcceptOffer'];
    };
    AcceptBetOfferResult: {
      operation_type: 'accept_bet_offer';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['AcceptedOffer'][];
    };
    AcceptInvitation: {
      /** The token from the mail. */ token: string;
      /** At most 72 bytes in UTF-8; up to 64 characters may take more. Not the name of the business, its e-mail address, the name of this service, or a common or breached password. */
      password: string;
    };
    AcceptOffer: {
      /** Offers of this wager are taken, the lowest odds first. Needed unless `bet_id` is given. */
      wager_reference?: string | null;
      /** Just this offer; goes before `wager_reference`. */
      bet_id?: number | null;
      /** Offers above are not taken. At most 6 decimals. */
      maximum_odds: number;
      /** How much to take, in the requesting users' stakes; as much as there is, up to it. At most 6 decimals. */
      accepting_amount: number;
      /** Who accepts, by id; needed unless `accepting_user_reference` is given. */
      accepting_user_id?: number | null;
      /** Who accepts, as the business calls it; needed unless `accepting_user_id` is given. Both must name the same user. */
      accepting_user_reference?: string | null;
      /** Only offers of this user, by id. */
      requesting_user_id?: number | null;
      /** Only offers of this user, as the business calls it. */
      requesting_user_reference?: string | null;
      /** Anything of the business's own; at most 8,192 characters as JSON. It is not stored: the bet has the `meta` of its offer. */
      meta?: { [key: string]: unknown } | null;
    };
    /** A match. The rest of the offer stays open, as a bet of its own. */
    AcceptedOffer: {
      /** The bet. */ bet_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** The wager. */
      wager_id: number;
      /** Who offered, as the business calls it. */
      requesting_user_reference: string;
      /** Who offered. */
      requesting_user_id: number;
      /** What was taken of it, in the requesting user's stake. At most 6 decimals. */
      accepted_amount: number;
      /** The odds of the offer. At most 6 decimals. */
      accepted_odds: number;
    };
    AccessToken: {
      /** Goes into the Authorization header: `Bearer <token>`. It lives 24 hours. */ token: string;
    };
    /** An account, as admins see it. */
    Account: {
      /** Its id. */ id: number;
      /** Given at registration. */
      name: string;
      /** Given at registration; what it logs in with. */
      email: string;
      role: components['schemas']['AccountRole'];
      status: components['schemas']['AccountStatus'];
      /** When the link of a mail to its address was opened; null: not yet. */
      email_verified_at: string | null;
      /** When somebody who reads its e-mail knew its password or set it; null: not yet. Then it belongs to the owner of the address. */
      email_proved_at: string | null;
      /** When the newest of its API keys was made; null: it has none. */
      api_key_generated_at: string | null;
      preferences: components['schemas']['AccountPreferences'];
      /** The currency of all amounts, as a label: an alphabetic code of ISO 4217. Null or absent: it was not set. */
      currency?: string;
      /** How many decimals amounts may have. Winnings are rounded down to them. Null or absent: it was not set; then amounts have up to 6, and winnings are rounded to the nearest millionth. */
      decimals?: number;
      /** When it registered. */
      created_at: string;
      /** When anything about it changed last. */
      updated_at: string;
    };
    AccountEvent: {
      /** Its id. */ id: number;
      /** The account that it happened to. */
      account_id: number;
      type: components['schemas']['AccountEventType'];
      actor: components['schemas']['Actor'];
      /** Where the request came from; null: from no request, or from many addresses. */
      address: string | null;
      /** What changed, as it was; null: nothing was there. */
      before: { [key: string]: unknown } | null;
      /** What changed, after the change; null: nothing is there. */
      after: { [key: string]: unknown } | null;
      /** The `X-Request-Id` of the answer to the request; null: there was none. */
      request_id: string | null;
      /** When it happened; of several attempts, the first. */
      created_at: string;
    };
    AccountEventPage: {
      data: components['schemas']['AccountEvent'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** What happened. */
    AccountEventType:
      | 'registered'
      | 'email-verified'
      | 'email-proved'
      | 'login'
      | 'login-refused'
      | 'session-ended'
      | 'access-ended'
      | 'password-changed'
      | 'password-recovered'
      | 'password-refused'
      | 'second-factor-added'
      | 'second-factor-removed'
      | 'recovery-code-used'
      | 'api-key-created'
      | 'api-key-revoked'
      | 'webhook-created'
      | 'webhook-changed'
      | 'webhook-deleted'
      | 'sandbox-created'
      | 'sandbox-deleted'
      | 'operator-invited'
      | 'operator-joined'
      | 'operator-changed'
      | 'operator-deleted'
      | 'name-changed'
      | 'preferences-changed'
      | 'role-changed'
      | 'status-changed'
      | 'currency-changed'
      | 'decimals-changed'
      | 'admin-read'
      | 'export-requested'
      | 'export-downloaded'
      | 'queue-action'
      | 'quota-refused';
    /** What is not known says `unknown`. */
    AccountHealth: {
      /** Without it, the service cannot work. */ database: 'up' | 'down';
      /** Without it, mails and background work wait. */
      redis: 'up' | 'down';
      background_work: components['schemas']['BackgroundWork'];
      /** At most 20, the longest waiting first. */
      stuck_settlements: components['schemas']['StuckSettlement'][] | 'unknown';
      /** Also those that are disabled because they failed. */
      failing_webhooks: components['schemas']['FailingWebhook'][] | 'unknown';
      late_audits: number | 'unknown';
      overdue_work: number | 'unknown';
      /** The newest verdict on the account; null: there is none. */
      last_audit: components['schemas']['AuditVerdict'] | null | 'unknown';
      /** Users whose balance differs from their bets and transactions: at most 20, the longest disputed first. */
      disputed_balances: components['schemas']['DisputedBalance'][] | 'unknown';
      /** Users who may not go below zero and whose open bets can cost more than they have: at most 20, the lowest first. An answer is shared for 30 seconds. */
      users_below_zero: components['schemas']['UserBelowZero'][] | 'unknown';
      pending_approvals: number | 'unknown';
      /** Null: for a business. */
      dead_workers: number | 'unknown' | null;
    };
    AccountPage: {
      data: components['schemas']['Account'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** Open for keys of the business's own; at most 8,192 characters as JSON. */
    AccountPreferences: {
      /** Whether offers, acceptances and withdrawals may leave less than the exposure. A user's own value goes before that of its account. */
      allow_negative_balance?: boolean;
      /** Whether making an API key, and making or changing a webhook endpoint, takes the account's password in the body. The account sets it with `PATCH /auth/account/preferences`. */
      confirm_keys?: boolean;
      /** Whether operators without a second factor may only log in and add one. API keys go on. The account sets it with `PATCH /auth/account/preferences`. */
      require_second_factor?: boolean;
      /** The console asks once more before it sends an amount above this; 10000, unless given. */
      confirm_amounts_above?: number;
      /** Which operations need the approval of a second person. The people of the account alone set it. */
      approvals?: { [key: string]: unknown };
      [key: string]: unknown;
    };
    /** An `admin` also sees and corrects what belongs to other accounts. */
    AccountRole: 'business' | 'admin';
    /** A `suspended` account may log in and read; everything else is answered with 403. */
    AccountStatus: 'active' | 'suspended';
    Actor: {
      /** The account itself, with its password or a token (`account`) or with an API key (`key`), an admin (`admin`), a command of a provider (`command`), or a caller without a right credential (`unknown`). */
      type: 'account' | 'key' | 'admin' | 'command' | 'unknown';
      /** The account that called. */
      account_id: number | null;
      /** Of the API key that it called with. */
      api_key_id: number | null;
      /** Who had logged in, or had made the key. */
      operator_id: number | null;
      /** Of the person; of a key or a command its name. */
      name: string | null;
    };
    AddSecondFactor: {
      /** The password of the operator. */ password: string;
    };
    /** An API key, without its secret. */
    ApiKey: {
      /** Its id. */ id: number;
      /** What the account calls it. */
      name: string;
      role: components['schemas']['KeyRole'];
      /** Who made it; null: it came with a sandbox. */
      operator: components['schemas']['OperatorName'] | null;
      /** Its public half: the user name of HTTP Basic. */
      api_key: string;
      /** When it was made. */
      created_at: string;
      /** When it ends by itself; null: never. */
      expires_at: string | null;
      /** When it was last used, up to two minutes behind; null: not yet. */
      last_used_at: string | null;
    };
    ApiKeyPage: {
      data: components['schemas']['ApiKey'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    ApiKeyPair: {
      /** Its public half: the user name of HTTP Basic. */ api_key: string;
      /** The password of HTTP Basic. It is shown only this once. */
      api_secret: string;
      /** Both, as they go into the Authorization header: `Basic <base64_encoded>`. */
      base64_encoded: string;
    };
    /** The account wants another person to approve this: nothing is done yet. */
    ApprovalRequired: {
      message: 'Approval required';
      /** What another person must approve. */
      change_request: {
        /** Its id. */ id: number;
        state: 'pending';
      };
    };
    ApproveChangeRequest: {
      /** Of the request, as it was shown. */ revision: number;
    };
    AuditVerdict: {
      /** Whether all checks found the books right. */ verdict: 'balanced' | 'differs';
      /** How many checks found a difference. */
      failed_checks: number;
      /** When the audit looked. */
      audited_at: string;
      /** The audit of the night, or `npm run audit`. */
      audited_by: 'night' | 'command';
    };
    /** Whether a worker lives: it settles what decisions leave, sends mails and webhooks, and audits. */
    BackgroundWork: 'alive' | 'none' | 'unknown';
    /** `disputed`: a check found stored figures that differ from the bets and transactions. Until they agree again, the user makes no offer, accepts none and withdraws nothing. */
    BalanceState: 'agreed' | 'disputed';
    Batch: {
      /** In the order to do them in. */
      operations: (
        | components['schemas']['MakeBetOffer']
        | components['schemas']['AcceptBetOffer']
        | components['schemas']['CancelBetOffer']
        | components['schemas']['UpdateWagerOutcome']
        | components['schemas']['OverrideBetOutcome']
        | components['schemas']['SuspendWagerOperation']
        | components['schemas']['ResumeWagerOperation']
        | components['schemas']['CloseWagerOperation']
      )[];
    };
    BegunSecondFactor: {
      /** What the app takes, in base32. It is shown only this once. */ secret: string;
      /** The same as an address, `otpauth://totp/…`, for a QR code. */
      uri: string;
    };
    /** An offer, and what became of it. */
    Bet: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      offer_status: components['schemas']['OfferStatus'];
      /** The wager. */
      wager_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** Who offered. */
      requesting_user_id: number;
      /** Who offered, as the business calls it. */
      requesting_user_reference: string;
      /** The odds that were offered. At most 6 decimals. */
      requesting_odds: number;
      /** The stake of the requesting user. At most 6 decimals. */
      requesting_amount: number;
      /** Who accepted; null: no user yet. */
      accepting_user_id: number | null;
      /** Who accepted, as the business calls it; null: no user yet. */
      accepting_user_reference: string | null;
      /** Who may accept; only on bets with such a list. */
      allowed_acceptor_ids?: number[];
      /** The odds it was matched at; null: it was not. At most 6 decimals. */
      effective_odds: number | null;
      /** The amount it was matched for; null: it was not. At most 6 decimals. */
      effective_amount: number | null;
      /** An outcome of its own, which goes before that of its wager. */
      override_outcome: components['schemas']['Outcome'] | null;
      /** False: an admin has taken back all its effect. */
      is_active: boolean;
      /** When it was offered. */
      created_at: string;
      /** From then on no acceptance takes the offer, and it expires within seconds; null: it ends at no time. */
      expires_at: string | null;
      /** When it was accepted; null: not yet. */
      accepted_at: string | null;
      /** The `meta` of the offer, as it was given; only on bets with some. The rest of an offer has the offer's. */
      meta?: { [key: string]: unknown };
      wager: components['schemas']['Wager'];
      /** In the order of the steps; only when asked for. */
      bet_trails?: components['schemas']['BetTrail'][];
    };
    BetPage: {
      data: components['schemas']['Bet'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** One step in the life of a bet, as it was then. */
    BetTrail: {
      /** Its id. */ id: number;
      /** The bet. */
      bet_id: number;
      /** The account it belongs to. */
      account_id: number;
      /** The wager. */
      wager_id: number;
      offer_status: components['schemas']['OfferStatus'];
      /** What was done, and for a correction who did it and why. */
      description: string;
      outcome: components['schemas']['Outcome'];
      /** An outcome of its own, which goes before that of its wager. */
      override_outcome: components['schemas']['Outcome'] | null;
      /** The odds that were offered. At most 6 decimals. */
      requesting_odds: number;
      /** The stake that was offered. At most 6 decimals. */
      requesting_amount: number;
      /** The odds of the acceptance; null: not accepted. At most 6 decimals. */
      accepting_odds: number | null;
      /** The amount of the acceptance; null: not accepted. At most 6 decimals. */
      accepting_amount: number | null;
      /** The odds it was matched at; null: it was not. At most 6 decimals. */
      effective_odds: number | null;
      /** The amount it was matched for; null: it was not. At most 6 decimals. */
      effective_amount: number | null;
      /** When it was done. */
      created_at: string;
      /** What it moved; empty as well unless `include_bet_trails_transactions` asks for them. */
      transactions: components['schemas']['Transaction'][];
    };
    /** What an operator may do: `viewer` reads, `trader` also bets and moves money, `settler` also decides and closes, `approver` reads and approves, `owner` does everything. */
    CallerRole: 'viewer' | 'trader' | 'settler' | 'approver' | 'owner';
    CancelAfter: {
      /** Seconds from now, 10 to 300. 0 disarms the timer. */ timeout_s: number;
      /** A timer for the offers of this user alone. */
      user_id?: number | null;
      /** The same by reference. */
      user_reference?: string | null;
    };
    CancelBetOffer: {
      /** What is done. */ operation_type: 'cancel_bet_offer';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['CancelOfferInBatch'];
    };
    CancelBetOfferResult: {
      operation_type: 'cancel_bet_offer';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['CanceledOffer'][];
      /** How many more offers it leaves to the worker, which cancels them within a minute; present only when there are some. They are no longer listed as open, and no request can accept them. 100,000 means at least so many for a wager. */
      remaining?: number;
    };
    CancelOffer: {
      /** Who offers, by id; needed unless `requesting_user_reference` is given. */ requesting_user_id?: number | null;
      /** Who offers, as the business calls it; needed unless `requesting_user_id` is given. Both must name the same user. */
      requesting_user_reference?: string | null;
      /** Offers on these wagers. Needed unless `bet_id` is given. */
      wager_references?: string[] | null;
      /** Just this offer, at any odds. */
      bet_id?: number | null;
      /** The oldest offers first, until this amount is used up. Needed unless `cancel_all` is true. At most 6 decimals. */
      cancel_amount?: number | null;
      /**
       * All that match; goes before `cancel_amount`.
       * @default false
       */
      cancel_all?: boolean | null;
      /** Offers below are left. At most 6 decimals. */
      minimum_odds?: number | null;
      /** Offers above are left. At most 6 decimals. */
      maximum_odds?: number | null;
    };
    CancelOfferInBatch: {
      /** Who offers, by id; needed unless `requesting_user_reference` is given. */ requesting_user_id?: number | null;
      /** Who offers, as the business calls it; needed unless `requesting_user_id` is given. Both must name the same user. */
      requesting_user_reference?: string | null;
      /** Offers on these wagers. Needed unless `bet_id` is given. */
      wager_references?: string[] | null;
      /** Just this offer, at any odds. */
      bet_id?: number | null;
      /** The oldest offers first, until this amount is used up. Needed unless `cancel_all` is true. At most 6 decimals. */
      cancel_amount?: number | null;
      /**
       * All that match; goes before `cancel_amount`.
       * @default false
       */
      cancel_all?: boolean | null;
      /** Offers below are left. At most 6 decimals. */
      minimum_odds?: number | null;
      /** Offers above are left. At most 6 decimals. */
      maximum_odds?: number | null;
    };
    CanceledOffer: {
      /** The bet. */ bet_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** The wager. */
      wager_id: number;
      /** Names the amount that remains, when the bet is the rest of one that was canceled in part. */
      note?: string;
    };
    ChangeAccount: {
      /** The name of the business. */ name?: string;
      /** Replaces what there was. Without `allow_negative_balance`, that is false. `approvals` stay as the account has set them. */
      preferences?: components['schemas']['AccountPreferences'];
      /** The last admin keeps its role. */
      role?: components['schemas']['AccountRole'];
      /** The last active admin cannot be suspended. */
      status?: components['schemas']['AccountStatus'];
    };
    ChangeMoneySettings: {
      /** The currency of all amounts, as a label: an alphabetic code of ISO 4217. Null or absent: it was not set. */
      currency?: string | null;
      /** How many decimals amounts may have. Winnings are rounded down to them. Null or absent: it was not set; then amounts have up to 6, and winnings are rounded to the nearest millionth. */
      decimals?: number | null;
    };
    ChangePreferences: {
      /** Whether making an API key, and making or changing a webhook endpoint, takes the password. */
      confirm_keys?: boolean;
      /** Whether operators without a second factor may only log in and add one. API keys go on. The account sets it with `PATCH /auth/account/preferences`. */
      require_second_factor?: boolean;
      /** The console asks once more before it sends an amount above this; 10000, unless given. */
      confirm_amounts_above?: number | null;
      /** Which operations another person must approve; null: none. It takes two active people who may approve. Once it is set, less needs approval only when another person approves that. */
      approvals?: {
        /** The operations that need approval. */
        kinds: (
          | 'update_wager_outcome'
          | 'override_bet_outcome'
          | 'force_update_outcome'
          | 'force_update_override_outcome'
          | 'set_inactive'
          | 'set_active'
          | 'withdraw_user'
        )[];
        /** Only when they move more than this. */
        above: number;
        /** After so many seconds a change request that waits has expired: up to 30 days. */
        expires_in: number;
      } | null;
      /** The account's password: needed to set `confirm_keys` from true to false. */
      password?: string | null;
    };
    /** An operation that waits for another person, or did. */
    ChangeRequest: {
      /** Its id. */ id: number;
      /** Whose ledger it is about. */
      account_id: number;
      /** The operation: its `type`, and the fields of its route. */
      operation: { [key: string]: unknown };
      /** Who must approve: another person of the account, another admin, or one of each. */
      approval_of: 'account' | 'admin' | 'both';
      /** Why; null: the operation was sent to its own route. */
      reason: string | null;
      state: components['schemas']['ChangeRequestState'];
      /** Whether it has suspended its wager. */
      suspended: boolean;
      /** Of the wager, when it was made. Who approves sends it. */
      revision: number;
      /** Who made it. */
      made_by: components['schemas']['Person'];
      /** Who gave the first of two approvals. */
      approved_by: components['schemas']['Person'] | null;
      /** Who decided it; null: it is pending, or its time ran out. */
      decided_by: components['schemas']['Person'] | null;
      /** Why it was rejected. */
      decision_reason: string | null;
      /** Why the ledger refused the approved operation. */
      failure: string | null;
      /** When it was made. */
      created_at: string;
      /** When it expires, unless it is decided before. */
      expires_at: string;
      /** When it was decided; null: not yet. */
      decided_at: string | null;
    };
    ChangeRequestDetails: {
      /** Its id. */ id: number;
      /** Whose ledger it is about. */
      account_id: number;
      /** The operation: its `type`, and the fields of its route. */
      operation: { [key: string]: unknown };
      /** Who must approve: another person of the account, another admin, or one of each. */
      approval_of: 'account' | 'admin' | 'both';
      /** Why; null: the operation was sent to its own route. */
      reason: string | null;
      state: components['schemas']['ChangeRequestState'];
      /** Whether it has suspended its wager. */
      suspended: boolean;
      /** Of the wager, when it was made. Who approves sends it. */
      revision: number;
      /** Who made it. */
      made_by: components['schemas']['Person'];
      /** Who gave the first of two approvals. */
      approved_by: components['schemas']['Person'] | null;
      /** Who decided it; null: it is pending, or its time ran out. */
      decided_by: components['schemas']['Person'] | null;
      /** Why it was rejected. */
      decision_reason: string | null;
      /** Why the ledger refused the approved operation. */
      failure: string | null;
      /** When it was made. */
      created_at: string;
      /** When it expires, unless it is decided before. */
      expires_at: string;
      /** When it was decided; null: not yet. */
      decided_at: string | null;
      /** The preview it was made on; null: it moves nothing. */
      preview: components['schemas']['ShownMovement'] | null;
      /** The same at this moment; null: the request is decided, is about the preferences, or moves more than 20,000 bets. */
      now: components['schemas']['ShownMovement'] | null;
      /** Whether it would still do what was shown, as an approval asks for; null: `now` is null. */
      as_shown: boolean | null;
    };
    ChangeRequestPage: {
      data: components['schemas']['ChangeRequest'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** It waits (`pending`), was approved and done (`executed`), rejected, taken back by its maker (`withdrawn`), too late (`expired`), or approved and then refused by the ledger (`failed`). */
    ChangeRequestState: 'pending' | 'executed' | 'rejected' | 'withdrawn' | 'expired' | 'failed';
    ChangeUser: {
      /** For people to read. */ name?: string;
      preferences?: components['schemas']['Preferences'] | null;
      meta?: components['schemas']['UserMeta'];
    };
    ChangeWebhookEndpoint: {
      /** Where requests go: https only, port 443 or 8443, a public name and no address, no user, no fragment. */
      url?: string;
      /** Which events: types, families such as `offer.*`, or `*` for all. */
      types?: string[];
      mode?: components['schemas']['WebhookMode'];
      /** What the business calls it. */
      description?: string | null;
      /** The account's password: needed when its preference `confirm_keys` is true. */
      password?: string | null;
    };
    ChangedUser: {
      /** Its id. */ id: number;
      /** What the business calls the user; unique within the account. */
      reference: string;
      /** For people to read. */
      name: string;
      preferences: components['schemas']['Preferences'] | null;
      meta: components['schemas']['UserMeta'] | null;
      /** Now. */
      updated_at: string;
    };
    CloseWager: {
      /** Why; the wager and its event show it. */ reason?: string | null;
    };
    CloseWagerInBatch: {
      /** The wager, as the business calls it. */ wager_reference: string;
      /** Why; the wager and its event show it. */
      reason?: string | null;
    };
    CloseWagerOperation: {
      /** What is done. */ operation_type: 'close_wager';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['CloseWagerInBatch'];
    };
    CloseWagerResult: {
      operation_type: 'close_wager';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['ListedWager'];
    };
    ConfirmEmail: {
      /** The token from the mail. */ token: string;
      /** The password of the account. */
      password: string;
    };
    ConfirmPassword: {
      /** The password of the operator. */ password: string;
      /** Of the second factor: 6 digits of the app, or a recovery code. Each works once. Spaces, dashes and case do not count. */
      code?: string | null;
    };
    ConfirmSecondFactor: {
      /** Of the second factor: 6 digits of the app, or a recovery code. Each works once. Spaces, dashes and case do not count. */
      code: string;
    };
    CorrectWager: {
      /** The right one; `undecided` takes the decision back. */ outcome: components['schemas']['Outcome'];
      /** Why; its event and the trails show it. */
      reason?: string | null;
    };
    CreateApiKey: {
      /** What the account calls it; no other key of it has this name. */ name: string;
      /** What it may do. `owner`, unless given. */
      role?: components['schemas']['KeyRole'] | null;
      /** When it ends by itself, in ISO 8601. Never, unless given. */
      expires_at?: string | null;
      /** The account's password: needed when its preference `confirm_keys` is true. */
      password?: string | null;
    };
    CreateChangeRequest: {
      /** The operation, with the fields of its route. */
      operation:
        | components['schemas']['PreviewUpdateWagerOutcome']
        | components['schemas']['PreviewOverrideBetOutcome']
        | components['schemas']['PreviewForceOutcome']
        | components['schemas']['PreviewForceOverride']
        | components['schemas']['PreviewSetInactive']
        | components['schemas']['PreviewSetActive']
        | components['schemas']['PreviewCorrectWager']
        | components['schemas']['RequestWithdrawal']
        | components['schemas']['RequestPreferences'];
      /** Why; for the other person and the trail. */
      reason: string;
      /**
       * Whether the wager is suspended meanwhile, so that what is shown stays so. It is resumed when the request ends, unless somebody else has suspended it.
       * @default false
       */
      suspend?: boolean | null;
    };
    CreateExport: {
      kind: components['schemas']['ExportKind'];
      /** @default "csv" */
      format?: components['schemas']['ExportFormat'] | null;
      /** The beginning of the period, in ISO 8601; a bare date begins in UTC. */
      from: string;
      /** The end of the period, which is not in it: at most 400 days later. */
      to: string;
      /** The reference of the user whose transactions, or bets on either side, it is about. All users, unless given; a statement needs one. */
      user?: string | null;
    };
    CreatePassword: {
      /** The e-mail address of the account. */ email: string;
      /** The code from the mail: 8 digits, for 10 minutes and 5 tries. */
      token: string;
      /** The new one. At most 72 bytes in UTF-8; up to 64 characters may take more. Not the name of the business, its e-mail address, the name of this service, or a common or breached password. */
      password: string;
      /** The new one again. */
      password_confirmation: string;
      /**
       * Whether API keys end and webhook endpoints are disabled, too. They always are while neither an earlier code nor a confirmation with the password had proved the e-mail address.
       * @default true
       */
      end_access?: boolean | null;
    };
    CreatePreview: {
      /** The operation, with the fields of its route. */
      operation:
        | components['schemas']['PreviewUpdateWagerOutcome']
        | components['schemas']['PreviewOverrideBetOutcome']
        | components['schemas']['PreviewForceOutcome']
        | components['schemas']['PreviewForceOverride']
        | components['schemas']['PreviewSetInactive']
        | components['schemas']['PreviewSetActive']
        | components['schemas']['PreviewCorrectWager']
        | components['schemas']['PreviewDecisions'];
    };
    CreateSandbox: {
      /** What the business calls it. */ name: string;
    };
    CreateUser: {
      /** For people to read. */ name: string;
      /** What the business calls the user. Without one, one is made up: `a<account_id>_user_<random>`. */
      reference?: string | null;
      preferences?: components['schemas']['Preferences'] | null;
      meta?: components['schemas']['UserMeta'] | null;
    };
    CreateWebhookEndpoint: {
      /** Where requests go: https only, port 443 or 8443, a public name and no address, no user, no fragment. */
      url: string;
      /** Which events: types, families such as `offer.*`, or `*` for all. */
      types: string[];
      /** Unless given, `doorbell` where `types` has events of single bets, else `ordered`. */
      mode?: components['schemas']['WebhookMode'] | null;
      /** What the business calls it. */
      description?: string | null;
      /** The account's password: needed when its preference `confirm_keys` is true. */
      password?: string | null;
    };
    CreatedUser: {
      /** Its id. */ id: number;
      /** As given, or one that was made up for it. */
      reference: string;
      /** Now. */
      created_at: string;
    };
    /** What the statement of a user comes to for the day. */
    DayOfUser: {
      /** The user. */ user_id: number;
      /** The user, as the business calls it. */
      user_reference: string;
      /** Before the first transaction of the day. At most 6 decimals. */
      opening_balance: number;
      /** After the last transaction of the day. At most 6 decimals. */
      closing_balance: number;
      /** The sum of all money in. At most 6 decimals. */
      funded: number;
      /** The sum of all money out, not negative. At most 6 decimals. */
      withdrawn: number;
      /** The sum of what bets brought, before corrections: a payment that was taken back counts as well. At most 6 decimals. */
      bet_credits: number;
      /** The sum of what bets cost, before corrections, not negative. At most 6 decimals. */
      bet_debits: number;
      /** What a provider corrected, with its sign; only on a day with a correction. At most 6 decimals. */
      corrected?: number;
      /** How many transactions there were. */
      transactions: number;
      /** What bets brought and cost together, with its sign: a payment that was taken back is in neither. At most 6 decimals. */
      bet_net: number;
    };
    DecideWager: {
      /** The wager, as the business calls it. */ reference: string;
      outcome: components['schemas']['Outcome'];
      /** Every bet of the wager that was matched then or later gets the override `void`, also one that had another. Not with `undecided`. */
      void_matched_after?: string | null;
      /** Why; the event of the decision shows it. */
      reason?: string | null;
    };
    DisputedBalance: {
      /** The user. */ user_id: number;
      /** The user, as the business calls it. */
      user_reference: string;
    };
    /** A rule says no. */
    DomainError: {
      /** The status of the answer. */ status: number;
      /** Why not, in a sentence. */
      error: string;
      /** Why the receiver did not take the test of `enable`, in the words of attempts. */
      test_error?:
        | 'timeout'
        | 'address-refused'
        | 'unknown-host'
        | 'not-reachable'
        | 'tls'
        | 'broken-answer'
        | 'status';
      /** The status that the receiver answered; only beside `test_error`. */
      test_status?: string;
      /** The change request that waits; only where another one of its target is refused. */
      change_request?: {
        /** Its id. */ id: number;
        state: 'pending';
      };
      /** What the operation would move now; only where an approval is refused because that has changed. */
      preview?: components['schemas']['ShownMovement'];
      /** The end of the event log; only where a cursor is unknown. */
      head?: string;
    };
    /** The `Ledger-Error` of the answer. New codes may come. */
    ErrorCode:
      | 'acceptance-unfunded'
      | 'acceptor-not-allowed'
      | 'answer-too-large'
      | 'approval-required'
      | 'approvals-need-two'
      | 'bad-framing'
      | 'bet-already-active'
      | 'bet-already-inactive'
      | 'bet-canceled'
      | 'bet-inactive'
      | 'bet-not-accepted'
      | 'bet-not-requesting'
      | 'bet-void-due'
      | 'body-unreadable'
      | 'clock-backward'
      | 'clock-too-far'
      | 'code-wrong'
      | 'current-password-wrong'
      | 'decision-final'
      | 'invitation-invalid'
      | 'last-admin'
      | 'last-admin-active'
      | 'ledger-bound'
      | 'malformed'
      | 'meta-too-large'
      | 'new-passwords-differ'
      | 'no-cancelable-bets'
      | 'no-matching-offers'
      | 'not-a-sandbox'
      | 'not-defined'
      | 'odds-above-maximum'
      | 'offer-unfunded'
      | 'operation-ids-repeated'
      | 'other-requester'
      | 'own-offer'
      | 'own-second-factor-first'
      | 'page-too-deep'
      | 'part-too-small'
      | 'password-common'
      | 'password-needed'
      | 'password-obvious'
      | 'password-wrong'
      | 'passwords-differ'
      | 'path-encoding'
      | 'reset-code-invalid'
      | 'sandbox-as-admin'
      | 'sandbox-full'
      | 'sandbox-of-sandbox'
      | 'statement-too-long'
      | 'too-many-api-keys'
      | 'too-many-decimals'
      | 'too-many-operators'
      | 'too-many-sandboxes'
      | 'too-many-trails'
      | 'users-differ'
      | 'verification-token-invalid'
      | 'wager-closed'
      | 'wager-decided'
      | 'wager-is-decided'
      | 'wager-suspended'
      | 'webhook-test-failed'
      | 'winnings-too-large'
      | 'withdrawal-unfunded'
      | 'login-code-needed'
      | 'unauthorized'
      | 'account-suspended'
      | 'admins-only'
      | 'code-needed'
      | 'metrics-private'
      | 'not-the-maker'
      | 'other-side-approves'
      | 'own-change-request'
      | 'own-factor-with-code'
      | 'people-approve'
      | 'proof-stale'
      | 'role-forbids'
      | 'second-factor-required'
      | 'account-not-found'
      | 'allowed-acceptor-not-found'
      | 'api-key-not-found'
      | 'bet-not-found'
      | 'change-request-not-found'
      | 'event-not-found'
      | 'export-not-found'
      | 'operator-not-found'
      | 'preview-not-found'
      | 'route-not-found'
      | 'sandbox-not-found'
      | 'session-not-found'
      | 'transaction-not-found'
      | 'user-not-found'
      | 'wager-not-found'
      | 'webhook-endpoint-not-found'
      | 'method-not-allowed'
      | 'not-acceptable'
      | 'request-timeout'
      | 'api-key-name-taken'
      | 'balance-disputed'
      | 'book-too-large'
      | 'change-request-decided'
      | 'change-request-expired'
      | 'change-request-pending'
      | 'email-taken'
      | 'export-failed'
      | 'export-not-done'
      | 'history-restored'
      | 'key-in-use'
      | 'last-owner'
      | 'money-begun'
      | 'operator-email-taken'
      | 'operator-invited'
      | 'operator-joined'
      | 'own-reference-taken'
      | 'payments-differ'
      | 'preview-not-done'
      | 'second-factor-active'
      | 'second-factor-missing'
      | 'second-factor-not-begun'
      | 'too-large-to-approve'
      | 'too-many-webhook-endpoints'
      | 'two-people-needed'
      | 'user-reference-taken'
      | 'wager-changed'
      | 'export-expired'
      | 'sandbox-deleted'
      | 'file-changed'
      | 'too-large'
      | 'charset-unsupported'
      | 'encoding-unsupported'
      | 'not-json'
      | 'not-lines'
      | 'no-such-part'
      | 'expectation-failed'
      | 'key-reused'
      | 'books-too-large'
      | 'rate-limited'
      | 'too-many-exports'
      | 'too-many-previews'
      | 'too-many-streams'
      | 'too-many-waiting'
      | 'too-many-webhook-tests'
      | 'headers-too-large'
      | 'internal-error'
      | 'database-unavailable'
      | 'outcome-unknown'
      | 'overloaded'
      | 'second-factor-off'
      | 'webhooks-off';
    /** An entry of the event log of an account. */
    Event:
      | Having<components['schemas']['EventFields'], 'type', 'log.opened', 'opened'>
      | Having<
          components['schemas']['EventFields'],
          'type',
          'user.created' | 'user.updated' | 'user.undisputed',
          'user'
        >
      | Having<components['schemas']['EventFields'], 'type', 'user.disputed', 'user' | 'disputed'>
      | Having<components['schemas']['EventFields'], 'type', 'transaction.created', 'transactions'>
      | Having<
          components['schemas']['EventFields'],
          'type',
          | 'offer.made'
          | 'offer.matched'
          | 'offer.canceled'
          | 'offer.expired'
          | 'offer.reopened'
          | 'bet.settled'
          | 'bet.unsettled'
          | 'bet.overridden'
          | 'bet.activated'
          | 'bet.deactivated',
          'wager' | 'bet'
        >
      | Having<
          components['schemas']['EventFields'],
          'type',
          | 'wager.created'
          | 'wager.decided'
          | 'wager.corrected'
          | 'wager.settled'
          | 'wager.suspended'
          | 'wager.resumed'
          | 'wager.closed'
          | 'wager.changed',
          'wager'
        >
      | Having<components['schemas']['EventFields'], 'type', 'wager.canceling', 'wager' | 'canceling'>
      | Having<components['schemas']['EventFields'], 'type', 'account.updated', 'account'>
      | Having<
          components['schemas']['EventFields'],
          'type',
          'webhook.created' | 'webhook.updated' | 'webhook.disabled' | 'webhook.deleted',
          'webhook_endpoint'
        >
      | Having<
          components['schemas']['EventFields'],
          'type',
          | 'change_request.created'
          | 'change_request.approved'
          | 'change_request.executed'
          | 'change_request.rejected'
          | 'change_request.withdrawn'
          | 'change_request.expired'
          | 'change_request.failed',
          'change_request'
        >;
    EventFields: {
      /** Its number in the log of the account: 1, 2, 3, … without a gap, in the order of the commits. */ seq: number;
      /** Its position. Opaque: give it back as `after`, or as `before` for what came earlier. */
      cursor: string;
      type: components['schemas']['EventType'];
      /** When it was committed, to the microsecond. Never earlier than that of the event before it. */
      at: string;
      /** The numbers of the events of the same operation. */
      group: {
        /** The first of them. */ first: number;
        /** The last of them. */
        last: number;
      };
      actor: components['schemas']['EventActor'];
      /** The `X-Request-Id` of the answer to the request that caused it. */
      request_id: string | null;
      /** Why an offer ended by itself: at its time (`time`), because its wager was suspended or closed (`suspended`), or because a timer of the business fired (`timer`). Of a wager: what the business gave as the reason. */
      reason?: string;
      /** The bet as the step left it. */
      bet?: {
        /** Its id. */ id: number;
        offer_status: components['schemas']['OfferStatus'];
        /** By the override of the bet, else by the outcome of its wager. */
        outcome: components['schemas']['Outcome'];
        /** An outcome of its own. */
        override_outcome: components['schemas']['Outcome'] | null;
        /** Who offered. */
        requesting_user_id: number;
        /** The odds that were offered. At most 6 decimals. */
        requesting_odds: number;
        /** The stake that was offered. At most 6 decimals. */
        requesting_amount: number;
        /** Who accepted; null: nobody yet. */
        accepting_user_id: number | null;
        /** The odds it was matched at; null: it was not. At most 6 decimals. */
        effective_odds: number | null;
        /** The amount it was matched for; null: it was not. At most 6 decimals. */
        effective_amount: number | null;
        /** Who may accept; only on bets that not everybody may accept. */
        allowed_acceptor_ids?: number[];
        /** The `meta` of the offer, as it was given; only on bets with some. The rest of an offer has the offer's. */
        meta?: { [key: string]: unknown };
        /** The new bet with what is left of the offer; only where something is. */
        rest_bet_id?: number;
      };
      /** What it moved. */
      transactions?: {
        /** Its id. */ id: number;
        /** Whose balance moved. */
        user_id: number;
        /** A name of its own, of the form `TX_<hexadecimal digits>`. */
        reference: string;
        /** Never negative: the type says which way it went. At most 6 decimals. */
        amount: number;
        /** What it was for. */
        description: string;
        transaction_type: components['schemas']['TransactionType'];
        transaction_source: components['schemas']['TransactionSource'];
        /** The balance of the user after it. At most 6 decimals. */
        balance_after: number;
        /** The `reference` that it was given; only on money in or out that was given one. */
        own_reference?: string;
        meta?: components['schemas']['MovementMeta'];
      }[];
      /** The wager that it is about, or that the bet is on. */
      wager?: {
        /** Its id. */ id: number;
        /** The wager, as the business calls it. */
        reference: string;
        /** What it is since; only where the event is about it. */
        outcome?: components['schemas']['Outcome'];
        /** When it closes; only where the event is about it. Null: at no time. */
        closes_at?: string | null;
        /** The label of its event; only where the event is about it. Null: it has none. */
        event?: string | null;
        /** When that starts; only where the event is about it. Null: no time is set. */
        starts_at?: string | null;
        /** The decision voids the bets that were matched then or later; left out where it voids none. */
        void_matched_after?: string;
      };
      /** The offers that are canceled from now on; each follows. */
      canceling?: {
        /** Whose open offers on the wager; null: those of all users. */ user_id: number | null;
        /** Of those offers; null: any. At most 6 decimals. */
        minimum_odds: number | null;
        /** Of those offers; null: any. At most 6 decimals. */
        maximum_odds: number | null;
        /** Only offers with the persistence `cancel_on_suspend`; left out otherwise. */
        only_on_suspend?: true;
        /** The last of those offers, in the order of the queue. */
        up_to: {
          /** The bet whose place it has. */ queue_place: number;
          /** The bet. */
          bet_id: number;
        };
      };
      /** The user that it is about, as it is since. */
      user?: {
        /** Its id. */ id: number;
        /** What the business calls the user. */
        reference?: string;
        /** The name. */
        name?: string;
        balance_state?: components['schemas']['BalanceState'];
        /** The preferences. */
        preferences?: { [key: string]: unknown } | null;
        /** The free data of the business. */
        meta?: { [key: string]: unknown } | null;
      };
      /** What changed of the account, as it is since. */
      account?: {
        /** The name of the business. */ name?: string;
        /** The preferences. */
        preferences?: { [key: string]: unknown } | null;
        /** The role. */
        role?: string;
        /** The status. */
        status?: string;
        /** The currency; null: none. */
        currency?: string | null;
        /** How many its amounts may have; null: it set none. */
        decimals?: number | null;
      };
      /** Figures of the user that differ, as the check found them. */
      disputed?: {
        /** Which figure. */ figure: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
        /** Of a position, its wager. */
        wager_id: number | null;
        /** What was stored. At most 6 decimals. */
        stored: number;
        /** What the bets and transactions of the user come to. At most 6 decimals. */
        recomputed: number;
      }[];
      /** Figures of the user that differed before this correction of its balance. Afterwards the balance is `balance_after`, the others are `recomputed`. */
      differences?: {
        /** Which figure. */ figure: 'balance' | 'exposure' | 'win' | 'loss' | 'offered';
        /** Of a position, its wager. */
        wager_id: number | null;
        /** What was stored. At most 6 decimals. */
        stored: number;
        /** What the bets and transactions of the user come to. At most 6 decimals. */
        recomputed: number;
      }[];
      /** The webhook endpoint that it is about. */
      webhook_endpoint?: {
        /** Its id. */ id: number;
        /** Where it is. */
        url?: string;
        types?: string[];
        /** How it gets events. */
        mode?: string;
        /** Why it gets none any more. */
        disabled_reason?: string;
      };
      /** The change request that it is about. */
      change_request?: {
        /** Its id. */ id: number;
        /** The type of its operation. */
        operation: string;
        /** Who made it. */
        made_by: {
          /** Its id; null: the API key that came with a sandbox. */ operator_id: number | null;
          /** Its name. */
          name: string;
        };
        /** Who gave the first of two approvals. */
        approved_by?: {
          /** Its id; null: the API key that came with a sandbox. */ operator_id: number | null;
          /** Its name. */
          name: string;
        };
        /** Who decided it; left out: nobody, or time. */
        decided_by?: {
          /** Its id; null: the API key that came with a sandbox. */ operator_id: number | null;
          /** Its name. */
          name: string;
        };
        /** Why; left out where none was given. */
        reason?: string;
        /** Why the ledger refused the operation; only where it has failed. */
        failure?: string;
      };
      /** What there was before the log, and is not in it. */
      opened?: {
        /** How many users there were. */ users: number;
        /** How many wagers. */
        wagers: number;
        /** How many bets. */
        bets: number;
        /** How many transactions. */
        transactions: number;
      };
    };
    EventActor: {
      /** The account with a token (`account`) or an API key (`key`), an admin (`admin`), a command of a provider (`command`), or the background work that a request has left (`worker`). */
      kind: 'account' | 'key' | 'admin' | 'command' | 'worker' | 'unknown';
      /** Of the caller. */
      account_id: number | null;
      /** Of the API key that it called with. */
      api_key_id: number | null;
      /** Who had logged in, or had made the key. */
      operator_id: number | null;
      /** Of the operator as it was then, or of the command. */
      name: string | null;
    };
    EventPage: {
      data: components['schemas']['Event'][];
      /** Where to go on: the last event that was looked at, shown or left out by a filter. Opaque: give it back as `after`, or as `before` for what came earlier. */
      next: string;
      /** The end of the log at the moment of the answer. Opaque: give it back as `after`, or as `before` for what came earlier. */
      head: string;
      /** The number of the event at `next`; 0 before the first event. */
      next_seq: number;
      /** The number of the last event at the moment of the answer. */
      head_seq: number;
      /** Whether there is more between `next` and `head`, or the newest first, between the first event and `next`, within the times that are asked for. */
      has_more: boolean;
    };
    /** What happened. New types may come: skip those that you do not know. */
    EventType:
      | 'log.opened'
      | 'user.created'
      | 'user.updated'
      | 'transaction.created'
      | 'offer.made'
      | 'offer.matched'
      | 'offer.canceled'
      | 'offer.expired'
      | 'offer.reopened'
      | 'bet.settled'
      | 'bet.unsettled'
      | 'bet.overridden'
      | 'bet.activated'
      | 'bet.deactivated'
      | 'wager.created'
      | 'wager.decided'
      | 'wager.corrected'
      | 'wager.settled'
      | 'wager.canceling'
      | 'account.updated'
      | 'webhook.created'
      | 'webhook.updated'
      | 'webhook.disabled'
      | 'webhook.deleted'
      | 'user.disputed'
      | 'user.undisputed'
      | 'wager.suspended'
      | 'wager.resumed'
      | 'wager.closed'
      | 'wager.changed'
      | 'change_request.created'
      | 'change_request.approved'
      | 'change_request.executed'
      | 'change_request.rejected'
      | 'change_request.withdrawn'
      | 'change_request.expired'
      | 'change_request.failed';
    /** A file of lines, made by a worker. */
    Export: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      kind: components['schemas']['ExportKind'];
      format: components['schemas']['ExportFormat'];
      /** The beginning of the period. */
      from: string;
      /** The end of the period, which is not in it. */
      to: string;
      /** The reference of the one user it is about; null: all users. */
      user: string | null;
      /** It waits (`queued`), a worker writes it (`running`), its file is there (`done`), or there will be none (`failed`). */
      state: 'queued' | 'running' | 'done' | 'failed';
      /** The lines of the file, without the names of the columns; null until it is done. */
      rows: number | null;
      /** The size of the file; null until it is done. */
      bytes: number | null;
      /** The SHA-256 of the file in hexadecimal digits; null until it is done. */
      sha256: string | null;
      /** A cursor of the event log: the file has everything of its period up to it, and nothing later; null until it is done. */
      as_of: string | null;
      /** Why it has failed; null: it has not. */
      failure: string | null;
      /** When it was asked for. */
      created_at: string;
      /** When a worker first began it; null: not yet. */
      started_at: string | null;
      /** When it was done or failed; null: not yet. */
      finished_at: string | null;
      /** When its file is deleted; null until it is done. */
      expires_at: string | null;
    };
    /** The format of the file of an export: CSV (RFC 4180) or Apache Parquet. */
    ExportFormat: 'csv' | 'parquet';
    /** What the lines of an export are. */
    ExportKind: 'transactions' | 'bets' | 'statement';
    ExportPage: {
      data: components['schemas']['Export'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    FailingWebhook: {
      /** Its id. */ id: number;
      /** Where requests go. */
      url: string;
      state: 'failing' | 'disabled';
      /** Since when what has failed waits for its next try; null: nothing waits. */
      failing_since: string | null;
    };
    ForceOutcome: {
      /** Whose wager it is. */ account_id: number;
      /** The wager, as its business calls it. */
      wager_reference: string;
      outcome: components['schemas']['Outcome'];
      /** Every bet of the wager that was matched then or later gets the override `void`, also one that had another. Not with `undecided`. */
      void_matched_after?: string | null;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    ForceOverride: {
      /** Whose bet it is. */ account_id: number;
      /** The bet. */
      bet_id: number;
      /** Null, or left out: the override is taken away. */
      override_outcome?: components['schemas']['Outcome'] | null;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    ForgotPassword: {
      /** The e-mail address of the account. */ email: string;
    };
    Fund: {
      /** At most 6 decimals. */ amount: number;
      /** Whose balance, by id; needed unless `user_reference` is given. */
      user_id?: number | null;
      /** Whose balance, as the business calls it; needed unless `user_id` is given. Both must name the same user. */
      user_reference?: string | null;
      /**
       * What it is for; shown with the transaction.
       * @default "Balance funded"
       */
      description?: string | null;
      /** What the business calls it, such as the id of its payment; shown as `own_reference`. No other transaction of the account may have it. */
      reference?: string | null;
      meta?: components['schemas']['MovementMeta'] | null;
    };
    GenerateKeys: {
      /** The account's password: needed when its preference `confirm_keys` is true. */ password?: string | null;
    };
    GivenFunds: {
      /** False: an earlier request has given the money. */ is_new: boolean;
      /** Of the transaction. */
      id: number;
      /** Of the transaction. */
      reference: string;
      /** What the business calls the transaction. */
      own_reference: string;
      /** What the user got. At most 6 decimals. */
      amount: number;
      /** The balance of the user after the transaction. At most 6 decimals. */
      balance_after: number;
      /** When the balance moved. */
      created_at: string;
    };
    /** The process is alive. */
    Health: { status: 'ok' };
    /** A user, its positions and its open offers, 25 of each to a page. */
    Holdings: {
      user: components['schemas']['User'];
      positions: components['schemas']['PositionPage'];
      open_offers: components['schemas']['OpenBetPage'];
    };
    HourOfSeries: {
      /** The beginning of the hour. */ at: string;
      /** How many bets found an acceptor. */
      matched_bets: number;
      /** What they were matched for, in all. At most 6 decimals. */
      matched_amount: number;
      /** How many settlements bets had; a bet that is settled again counts again. */
      settled_bets: number;
      /** What settlements moved from one user to another; what a correction took back counts as well. At most 6 decimals. */
      settled_amount: number;
      /** What the bets that were matched and not settled at the end of the hour could cost, each by itself: the stake of the requester and the winnings that the acceptor would pay. Of a user, its own side alone. At most 6 decimals. */
      gross_exposure: number;
    };
    HourlySeries: {
      /** How long each of them is. */ step: 'hour';
      data: components['schemas']['HourOfSeries'][];
      /** How many events are in none of the hours yet: 0, unless the worker is far behind. */
      behind_events: number;
    };
    /** The answer to one line. */
    ImportAnswer:
      | components['schemas']['ImportedUser']
      | components['schemas']['TriedLine']
      | components['schemas']['RefusedLine'];
    /** Money to give to the user. */
    ImportFunds: {
      /** At most 6 decimals. */ amount: number;
      /**
       * What it is for; shown with the transaction.
       * @default "Balance funded"
       */
      description?: string | null;
      /** The `own_reference` of the transaction: an import gives money once for each. Without one it is `import:` and the user's reference. */
      reference?: string | null;
      meta?: components['schemas']['MovementMeta'] | null;
    };
    /** A line of an import. */
    ImportUser: {
      /** What the business calls the user; once in a body. */ reference: string;
      /** For people to read. */
      name: string;
      preferences?: components['schemas']['Preferences'] | null;
      meta?: components['schemas']['UserMeta'] | null;
      funds?: components['schemas']['ImportFunds'] | null;
    };
    /** A line that was done. */
    ImportedUser: {
      /** Which line of the body, counted from 1. Blank lines count, and get no answer. */ line: number;
      /** 201: the line created the user or gave the money. 200: both were there. */
      status: number;
      /** False: the user was there, and stays as it is. */
      is_new: boolean;
      user: components['schemas']['CreatedUser'];
      /** Null: the line has none. */
      funds: components['schemas']['GivenFunds'] | null;
    };
    InviteOperator: {
      /** Where the invitation goes, and what the person logs in with. */ email: string;
      /** As trails show it. */
      name: string;
      role: components['schemas']['CallerRole'];
    };
    /** What a key may do, as the role of an operator, and never more than the operator who made it. Machines make, people approve: none is an `approver`. */
    KeyRole: 'viewer' | 'trader' | 'settler' | 'owner';
    ListedWager: {
      /** Its id. */ id: number;
      /** What the business calls it; unique within the account. */
      reference: string;
      outcome: components['schemas']['Outcome'];
      /** The account it belongs to. */
      account_id: number;
      status: components['schemas']['WagerStatus'];
      /** What was given as the reason of the status; null: nothing. */
      status_reason: string | null;
      /** From then on it is `closed`; null: no time is set. */
      closes_at: string | null;
      /** The label of what it is one of several wagers on; null: it has none. */
      event: string | null;
      /** When that starts. Nothing happens to the wager then. Null: no time is set. */
      starts_at: string | null;
      /** Grows with each decision, correction and change of status or `closes_at`, and not with offers. */
      revision: number;
      /** Since when bets wait for the worker; null: none does. */
      settling_since: string | null;
      /** When it was first named. */
      created_at: string;
      /** When its outcome, its status or its event changed last. */
      updated_at: string;
    };
    LogIn: {
      /** The e-mail address of the account. */ email: string;
      /** Its password. */
      password: string;
      /** Of the second factor: 6 digits of the app, or a recovery code. Each works once. Spaces, dashes and case do not count. */
      code?: string | null;
    };
    MadeOffer: {
      /** The bet. */ bet_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** The wager. */
      wager_id: number;
    };
    MakeBetOffer: {
      /** What is done. */ operation_type: 'make_bet_offer';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['MakeOffer'];
    };
    MakeBetOfferResult: {
      operation_type: 'make_bet_offer';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['MadeOffer'];
    };
    MakeOffer: {
      /** The wager, as the business calls it. The first offer on a reference creates it. */ wager_reference: string;
      /** What a stake of 1 comes back as on a win. At most 6 decimals. */
      requesting_odds: number;
      /** The stake of the requesting user. At most 6 decimals. */
      requesting_amount: number;
      /** Who offers, by id; needed unless `requesting_user_reference` is given. */
      requesting_user_id?: number | null;
      /** Who offers, as the business calls it; needed unless `requesting_user_id` is given. Both must name the same user. */
      requesting_user_reference?: string | null;
      /** Only these users may accept, and those of `allowed_acceptor_references`. Neither: all users. */
      allowed_acceptor_ids?: number[] | null;
      /** Only these users may accept, and those of `allowed_acceptor_ids`. Neither: all users. */
      allowed_acceptor_references?: string[] | null;
      /** When the offer ends by itself, in the future and at most 400 days ahead. Not together with `expires_in`. Neither: at no time. */
      expires_at?: string | null;
      /** The same in seconds from now, by the clock of the database. */
      expires_in?: number | null;
      /**
       * Whether the offer outlives a suspension or the closing of its wager (`keep`), or is canceled then.
       * @default "keep"
       */
      persistence?: 'keep' | 'cancel_on_suspend' | null;
      /** Anything of the business's own; at most 8,192 characters as JSON. It comes back in each answer and event of the bet. */
      meta?: { [key: string]: unknown } | null;
    };
    MatchedTotals: {
      /** How many bets found an acceptor. */ matched_bets: number;
      /** What they were matched for, in all. At most 6 decimals. */
      matched_amount: number;
      /** Where to go on: the last event that was looked at. Opaque: give it back as `after`, or as `before` for what came earlier. */
      next: string;
      /** The end of the log at the moment of the answer. Opaque: give it back as `after`, or as `before` for what came earlier. */
      head: string;
      /** The number of the event at `next`; 0 before the first event. */
      next_seq: number;
      /** The number of the last event at the moment of the answer. */
      head_seq: number;
      /** Whether there is more between `next` and `head`. */
      has_more: boolean;
    };
    MoneySettings: {
      /** The currency of all amounts, as a label: an alphabetic code of ISO 4217. Null or absent: it was not set. */
      currency: string | null;
      /** How many decimals amounts may have. Winnings are rounded down to them. Null or absent: it was not set; then amounts have up to 6, and winnings are rounded to the nearest millionth. */
      decimals: number | null;
    };
    MoveSandboxClock: {
      /** By so many seconds. */ advance_s?: number | null;
      /** To this time, later than that of the sandbox. */
      now?: string | null;
    };
    /** Money in or out of one balance. */
    Movement: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      /** Whose balance moved. */
      user_id: number;
      /** A name of its own, of the form `TX_<hexadecimal digits>`. */
      reference: string;
      /** Never negative: the type says which way it went. At most 6 decimals. */
      amount: number;
      /** What it was for. */
      description: string;
      transaction_type: components['schemas']['TransactionType'];
      transaction_source: components['schemas']['TransactionSource'];
      /** The balance of the user after it. At most 6 decimals. */
      balance_after: number;
      /** When the balance moved. */
      created_at: string;
      /** The `reference` that it was given; only on money in or out that was given one. */
      own_reference?: string;
      meta?: components['schemas']['MovementMeta'];
    };
    /** Texts of the business's own, at most 8,192 characters as JSON; transactions can be looked for by them. */
    MovementMeta: { [key: string]: string };
    NewApiKey: {
      /** Its id. */ id: number;
      /** What the account calls it. */
      name: string;
      role: components['schemas']['KeyRole'];
      /** Who made it; null: it came with a sandbox. */
      operator: components['schemas']['OperatorName'] | null;
      /** Its public half: the user name of HTTP Basic. */
      api_key: string;
      /** When it was made. */
      created_at: string;
      /** When it ends by itself; null: never. */
      expires_at: string | null;
      /** When it was last used, up to two minutes behind; null: not yet. */
      last_used_at: string | null;
      /** The password of HTTP Basic. It is shown only this once. */
      api_secret: string;
      /** Both, as they go into the Authorization header: `Basic <base64_encoded>`. */
      base64_encoded: string;
    };
    /** A sandbox with its first API key. */
    NewSandbox: {
      /** The id of its account. */ id: number;
      /** What the business calls it. */
      name: string;
      /** `deleting`: its keys are ended, and the worker deletes its rows. It counts until they are gone. */
      state: 'active' | 'deleting';
      /** The time of its clock. */
      now: string;
      /** When it was made. */
      created_at: string;
      /** Its public half: the user name of HTTP Basic. */
      api_key: string;
      /** The password of HTTP Basic. It is shown only this once. */
      api_secret: string;
      /** Both, as they go into the Authorization header: `Basic <base64_encoded>`. */
      base64_encoded: string;
    };
    NewWebhookEndpoint: {
      /** Its id. */ id: number;
      /** The account whose events it gets. */
      account_id: number;
      /** Where requests go. */
      url: string;
      /** What the business calls it. */
      description: string | null;
      /** Which events it gets. */
      types: string[];
      mode: components['schemas']['WebhookMode'];
      /** It takes what is sent (`active`), something that it did not take waits for the next try (`failing`), or nothing is sent any more (`disabled`): `POST …/enable` goes on where it ended. */
      state: 'active' | 'failing' | 'disabled';
      /** It answered 410 (`gone`), something failed for 5 days (`failing`), a caller disabled it (`requested`), or all access to the account was ended (`access-ended`); null: it is not disabled. */
      disabled_reason: 'gone' | 'failing' | 'requested' | 'access-ended' | null;
      /** Of what waits: the first failure; null: nothing has failed. */
      failing_since: string | null;
      /** Everything up to here was delivered, or is not of its types. A cursor of the event log. */
      cursor: string;
      /** How many events the log has after that, of all types. */
      behind: number;
      /** Until then the secret before the last rotation signs as well; null: there is none. */
      old_secret_until: string | null;
      /** When it was made. */
      created_at: string;
      /** When it was last changed by a caller. */
      updated_at: string;
      /** What signs its requests, `whsec_` and base64. It is shown only this once. */
      secret: string;
    };
    /** Open to be accepted (`requesting`), matched (`accepted`), taken back by the requesting user (`canceled`), or left over by a decision, ended by its time, or settled by the override of an admin (`expired`). */
    OfferStatus: 'requesting' | 'accepted' | 'expired' | 'canceled';
    /** An offer that can be accepted. */
    OpenBet: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      offer_status: components['schemas']['OfferStatus'];
      /** The wager. */
      wager_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** Who offered. */
      requesting_user_id: number;
      /** Who offered, as the business calls it. */
      requesting_user_reference: string;
      /** The odds that were offered. At most 6 decimals. */
      requesting_odds: number;
      /** The stake of the requesting user. At most 6 decimals. */
      requesting_amount: number;
      /** Who may accept; empty: all users. */
      allowed_acceptor_ids: number[];
      /** When it was offered. */
      created_at: string;
      /** From then on no acceptance takes the offer, and it expires within seconds; null: it ends at no time. */
      expires_at: string | null;
      /** The `meta` of the offer, as it was given; only on bets with some. The rest of an offer has the offer's. */
      meta?: { [key: string]: unknown };
    };
    OpenBetPage: {
      data: components['schemas']['OpenBet'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
      /** The stakes of all pages together. On a page by cursor only on request. At most 6 decimals. */
      total_requesting_amount?: number;
    };
    /** A person who works for an account. */
    Operator: {
      /** Its id. */ id: number;
      /** What it logs in with. */
      email: string;
      /** Its name, as trails show it. */
      name: string;
      role: components['schemas']['CallerRole'];
      state: components['schemas']['OperatorState'];
      /** Whether its log-in takes a code, too. */
      has_second_factor: boolean;
      /** When it last logged in; null: not yet. */
      last_login_at: string | null;
      /** When it registered or was invited. */
      created_at: string;
    };
    /** A person of an account. */
    OperatorName: {
      /** Its id. */ id: number;
      /** Its name. */
      name: string;
    };
    OperatorPage: {
      data: components['schemas']['Operator'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** Whether a person has not accepted its invitation yet (`invited`), may log in (`active`), or may not, and neither may the keys that it made (`suspended`). */
    OperatorState: 'invited' | 'active' | 'suspended';
    OrderBook: {
      /** The wager, as the business calls it. */ wager: string;
      /** Whether bets wait for the worker, else whether the wager is decided. A decided wager has no offers. */
      status: 'undecided' | 'settling' | 'settled';
      /** Everything that was done before this moment is in the book, and all of it is of one moment. */
      as_of: string;
      /** The lowest odds, which an acceptance takes first; null: no offer. At most 6 decimals. */
      best_odds: number | null;
      /** The open offers by odds, the lowest first: `depth` levels at most. */
      levels: {
        /** The odds of these offers. At most 6 decimals. */ odds: number;
        /** Their stakes together. At most 6 decimals. */
        amount: number;
        /** How many they are. */
        offers: number;
        /** When the oldest of them was made. */
        oldest: string;
      }[];
      /** The stakes of the open offers of all levels together. At most 6 decimals. */
      open_amount: number;
      /** How many open offers all levels have. */
      open_offers: number;
      /** The amounts of all bets that were ever matched on the wager. At most 6 decimals. */
      matched_amount: number;
      /** How many bets were ever matched on it. */
      matched_bets: number;
      /** The last acceptance; null: there is none. */
      last_matched: {
        /** The odds of the bet. At most 6 decimals. */ odds: number;
        /** The amount that was matched. At most 6 decimals. */
        amount: number;
        /** When it was accepted. */
        at: string;
      } | null;
    };
    /** How a wager ended, or `undecided`. */
    Outcome: 'undecided' | 'win' | 'loss' | 'push' | 'half-win' | 'half-loss' | 'void';
    OverrideBetOutcome: {
      /** What is done. */ operation_type: 'override_bet_outcome';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['OverrideOutcome'];
    };
    OverrideBetOutcomeResult: {
      operation_type: 'override_bet_outcome';
      /** As given. */
      operation_id: string;
      success: true;
      /** As the single endpoint answers. */
      message: string;
    };
    OverrideOutcome: {
      /** An accepted bet. */ bet_id: number;
      /** The outcome that settles the bet, in place of its wager's. */
      override_outcome: components['schemas']['Outcome'];
      /** Why; the trail of the bet shows it. */
      reason?: string | null;
    };
    /** An account, as it sees itself. */
    OwnAccount: {
      /** Its id. */ id: number;
      /** Given at registration. */
      name: string;
      /** Given at registration; what it logs in with. */
      email: string;
      /** When the newest of its API keys was made; null: it has none. */
      api_key_generated_at: string | null;
      /** The currency of all amounts, as a label: an alphabetic code of ISO 4217. Null or absent: it was not set. */
      currency?: string;
      /** How many decimals amounts may have. Winnings are rounded down to them. Null or absent: it was not set; then amounts have up to 6, and winnings are rounded to the nearest millionth. */
      decimals?: number;
      /** When it registered. */
      created_at: string;
      /** When anything about it changed last. */
      updated_at: string;
    };
    /** A person, or a key. */
    Person: {
      /** Its id; null: the API key that came with a sandbox. */ operator_id: number | null;
      /** Its name then. */
      name: string;
    };
    /** What a user has in a wager. */
    Position: {
      /** The wager. */ wager_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      /** What the user's matched bets come to on a win. At most 6 decimals. */
      win: number;
      /** What the user's matched bets come to on a loss. At most 6 decimals. */
      loss: number;
      /** The user's open offers together. At most 6 decimals. */
      offered: number;
      /** The worst that the wager can still cost the user. At most 6 decimals. */
      exposure: number;
    };
    PositionPage: {
      data: components['schemas']['Position'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
      /** Of all pages: the exposure of the user, or of what it has in the wagers that are asked for. On a page by cursor only on request. At most 6 decimals. */
      total_exposure?: number;
    };
    /** Open for keys of the business's own; at most 8,192 characters as JSON. */
    Preferences: {
      /** Whether offers, acceptances and withdrawals may leave less than the exposure. A user's own value goes before that of its account. */
      allow_negative_balance?: boolean;
      [key: string]: unknown;
    };
    /** What an operation would move. It is kept for an hour. */
    Preview: {
      /** Its id. */ id: number;
      state: 'done';
      /** The moment of all figures. */
      as_of: string;
      /** False until the wager is decided and settled: the figures may change without a decision. */
      exact: boolean;
      /** Of the wager: it grows with each decision and correction of the wager or of one of its bets, and with each change of its status or `closes_at`; not with offers. 0 where there is no wager. */
      revision: number;
      /** Whether the operation would be done now. */
      would_succeed: boolean;
      /** The error that the operation would be refused with; null: it would be done. */
      refusal: string | null;
      /** How many bets and offers change. */
      bets: {
        /** Bets that get an outcome, or another one. */ settled: number;
        /** Bets whose settlement is taken back. */
        unsettled: number;
        /** Open offers that expire. */
        expired_offers: number;
        /** Expired offers that are open again. */
        reopened_offers: number;
        /** Offers of a cancel that is still under way. */
        canceled_offers: number;
      };
      /** The money that moves: what a correction takes back and gives is one movement. */
      moved: {
        /** What all users get, net for each bet and user. At most 6 decimals. */ credit: number;
        /** What all users pay: as much. At most 6 decimals. */
        debit: number;
      };
      /** How many users it touches. */
      users: {
        /** Users whose balance or exposure changes. */ affected: number;
        /** Those of them whose balance is then below zero. */
        below_zero: number;
      };
      /** At most 20 users: those below zero first, then those whose balance moves most. */
      largest: components['schemas']['PreviewedUser'][];
    };
    PreviewCorrectWager: {
      /** What would be done. */ type: 'correct_wager_outcome';
      /** The wager, as the business calls it. */
      reference: string;
      /** The right one; `undecided` takes the decision back. */
      outcome: components['schemas']['Outcome'];
      /** Why; its event and the trails show it. */
      reason?: string | null;
    };
    PreviewDecisions: {
      /** What would be done. */ type: 'update_wager_outcomes';
      /** Of several wagers, as one batch decides them. */
      decisions: {
        /** The wager, as the business calls it. */ reference: string;
        outcome: components['schemas']['Outcome'];
      }[];
    };
    PreviewForceOutcome: {
      /** What would be done. */ type: 'force_update_outcome';
      /** Whose wager it is. */
      account_id: number;
      /** The wager, as its business calls it. */
      wager_reference: string;
      outcome: components['schemas']['Outcome'];
      /** Every bet of the wager that was matched then or later gets the override `void`, also one that had another. Not with `undecided`. */
      void_matched_after?: string | null;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    PreviewForceOverride: {
      /** What would be done. */ type: 'force_update_override_outcome';
      /** Whose bet it is. */
      account_id: number;
      /** The bet. */
      bet_id: number;
      /** Null, or left out: the override is taken away. */
      override_outcome?: components['schemas']['Outcome'] | null;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    PreviewOverrideBetOutcome: {
      /** What would be done. */ type: 'override_bet_outcome';
      /** An accepted bet. */
      bet_id: number;
      /** The outcome that settles the bet, in place of its wager's. */
      override_outcome: components['schemas']['Outcome'];
      /** Why; the trail of the bet shows it. */
      reason?: string | null;
    };
    PreviewSetActive: {
      /** What would be done. */ type: 'set_active';
      /** The bet. */
      bet_id: number;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    PreviewSetInactive: {
      /** What would be done. */ type: 'set_inactive';
      /** The bet. */
      bet_id: number;
      /** Why; for readers of the trail. */
      description?: string | null;
    };
    PreviewUpdateWagerOutcome: {
      /** What would be done. */ type: 'update_wager_outcome';
      /** The wager, as the business calls it. */
      reference: string;
      outcome: components['schemas']['Outcome'];
      /** Every bet of the wager that was matched then or later gets the override `void`, also one that had another. Not with `undecided`. */
      void_matched_after?: string | null;
      /** Why; the event of the decision shows it. */
      reason?: string | null;
    };
    /** A page of the users of a preview. */
    PreviewUserPage: {
      data: components['schemas']['PreviewedUser'][];
      /** The cursor of the next page; null: there is none. */
      next: string | null;
    };
    /** A user whose balance or exposure would change. */
    PreviewedUser: {
      /** The user. */ user_id: number;
      /** The user, as the business calls it. */
      reference: string;
      /** Its balance. At most 6 decimals. */
      balance: number;
      /** Its balance when all is done. At most 6 decimals. */
      balance_after: number;
      /** Its exposure. At most 6 decimals. */
      exposure: number;
      /** Its exposure when all is done. At most 6 decimals. */
      exposure_after: number;
    };
    Readiness: {
      /** Whether it can do its work. */ status: 'ready' | 'not ready';
      /** Without it, it cannot. */
      database: 'up' | 'down';
      /** Without it, mails and background work wait. */
      redis: 'up' | 'down';
      /** Of the whole service, counted up to 1000. They change no status: the process works while no worker lives. */
      details: {
        workers_alive: number | 'unknown';
        workers_dead: number | 'unknown';
        stuck_settlements: number | 'unknown';
        failing_webhooks: number | 'unknown';
        late_audits: number | 'unknown';
        overdue_work: number | 'unknown';
      };
    };
    /** What all transactions of an account come to on a day. */
    Reconciliation: {
      /** The day, in UTC. */ date: string;
      /** Before the first transaction of the day. At most 6 decimals. */
      opening_balance: number;
      /** After the last transaction of the day. At most 6 decimals. */
      closing_balance: number;
      /** The sum of all money in. At most 6 decimals. */
      funded: number;
      /** The sum of all money out, not negative. At most 6 decimals. */
      withdrawn: number;
      /** The sum of what bets brought, before corrections: a payment that was taken back counts as well. At most 6 decimals. */
      bet_credits: number;
      /** The sum of what bets cost, before corrections, not negative. At most 6 decimals. */
      bet_debits: number;
      /** What a provider corrected, with its sign; only on a day with a correction. At most 6 decimals. */
      corrected?: number;
      /** How many transactions there were. */
      transactions: number;
      /** The lowest id of the day; null: no transaction. */
      first_transaction_id: number | null;
      /** The highest id of the day; null: no transaction. */
      last_transaction_id: number | null;
      /** The exposures of all users: of a past day when its audit looked, of today now; null: no audit has looked. At most 6 decimals. */
      open_exposure: number | null;
      /** The audit of the night after the day; null: it has not run yet. */
      audit: components['schemas']['AuditVerdict'] | null;
      /** The newest audit that has closed a day of the account; null: none has. It comes without an event. */
      last_audit: components['schemas']['AuditVerdict'] | null;
      users?: components['schemas']['DayOfUser'][];
      /** The cursor of the next users; null: there are none. */
      next?: string | null;
    };
    RecoveryCodes: {
      /** For who has lost the app: ten, each works once. */ recovery_codes: string[];
    };
    /** A call that was refused or failed. */
    RefusedCall: {
      /** Its id. */ id: number;
      /** When it was answered. */
      created_at: string;
      /** Of the request. */
      method: string;
      /** The pattern of its route, without ids and query. */
      route: string;
      /** Of the answer. */
      status: number;
      code: components['schemas']['ErrorCode'];
      /** The `X-Request-Id` of the answer. */
      request_id: string;
      /** The credential of the request. */
      key: {
        /** What it is. */ kind: 'api-key' | 'session';
        /** Its id. */
        id: number;
        /** Of an API key its name; null: a session has none. */
        name: string | null;
      };
    };
    RefusedCallPage: {
      data: components['schemas']['RefusedCall'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** A line that was refused: it changed nothing. */
    RefusedLine: {
      /** Which line of the body, counted from 1. Blank lines count, and get no answer. */ line: number;
      /** 401, 403: the credential ended meanwhile. 503: the time was up before this line, or a fault came; send it again. */
      status: number;
      code: components['schemas']['ErrorCode'];
      /** Why not, in a sentence. */
      error: string;
      /** The faults of a malformed line, up to 20. */
      message?: string[];
    };
    Register: {
      /** The name of the business. */ name: string;
      /** What it logs in with. No other account has it. */
      email: string;
      /** At most 72 bytes in UTF-8; up to 64 characters may take more. Not the name of the business, its e-mail address, the name of this service, or a common or breached password. */
      password: string;
    };
    RejectChangeRequest: {
      /** Why; for the other person and the trail. */ reason: string;
    };
    RemoveSecondFactor: {
      /** The password of the operator. */ password: string;
      /** Of the second factor: 6 digits of the app, or a recovery code. Each works once. Spaces, dashes and case do not count. */
      code: string;
    };
    ReplayWebhooks: {
      /** A cursor of the event log; null: from the first event on. */ after: string | null;
    };
    RequestPreferences: {
      /** What would be done. */ type: 'update_preferences';
      /** Null: no operation needs approval. */
      approvals: {
        /** The operations that need approval. */
        kinds: (
          | 'update_wager_outcome'
          | 'override_bet_outcome'
          | 'force_update_outcome'
          | 'force_update_override_outcome'
          | 'set_inactive'
          | 'set_active'
          | 'withdraw_user'
        )[];
        /** Only when they move more than this. */
        above: number;
        /** After so many seconds a change request that waits has expired: up to 30 days. */
        expires_in: number;
      } | null;
    };
    RequestWithdrawal: {
      /** What would be done. */ type: 'withdraw_user';
      /** At most 6 decimals. */
      amount: number;
      /** Whose balance, by id; needed unless `user_reference` is given. */
      user_id?: number | null;
      /** Whose balance, as the business calls it; needed unless `user_id` is given. Both must name the same user. */
      user_reference?: string | null;
      /**
       * What it is for; shown with the transaction.
       * @default "Withdrawal"
       */
      description?: string | null;
      /** What the business calls it, such as the id of its payment; shown as `own_reference`. No other transaction of the account may have it. */
      reference?: string | null;
      meta?: components['schemas']['MovementMeta'] | null;
    };
    ResetPassword: {
      /** The current one. */ password: string;
      /** The new one. At most 72 bytes in UTF-8; up to 64 characters may take more. Not the name of the business, its e-mail address, the name of this service, or a common or breached password. */
      new_password: string;
      /** The new one again. */
      password_confirmation: string;
    };
    ResumeWagerInBatch: {
      /** The wager, as the business calls it. */ wager_reference: string;
    };
    ResumeWagerOperation: {
      /** What is done. */ operation_type: 'resume_wager';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['ResumeWagerInBatch'];
    };
    ResumeWagerResult: {
      operation_type: 'resume_wager';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['ListedWager'];
    };
    RotateWebhookSecret: {
      /** The account's password: needed when its preference `confirm_keys` is true. */ password?: string | null;
    };
    Sandbox: {
      /** The id of its account. */ id: number;
      /** What the business calls it. */
      name: string;
      /** `deleting`: its keys are ended, and the worker deletes its rows. It counts until they are gone. */
      state: 'active' | 'deleting';
      /** The time of its clock. */
      now: string;
      /** When it was made. */
      created_at: string;
    };
    SandboxClock: {
      /** The time of the sandbox. */ now: string;
      /** Whether everything that is due at this time has run: wagers are closed, offers expired, decisions settled, cancels done. */
      ready: boolean;
    };
    Sandboxes: { data: components['schemas']['Sandbox'][] };
    ScheduleWager: {
      /** When the wager closes by itself, in the future. Null: at no time. Left out: as before. Once it has passed it stays. */
      closes_at?: string | null;
      /** A label for the wagers on one thing, for example a match. Null: none. Left out: as before. Also of a decided wager. */
      event?: string | null;
      /** When that starts. Nothing happens to the wager then. Null: no time. Left out: as before. */
      starts_at?: string | null;
    };
    SearchHit: {
      /** What it is. */ kind: 'user' | 'wager' | 'bet' | 'transaction' | 'event';
      /** Its id; of an event its number. */
      id: number;
      /** What it is called; null: bets and events have only numbers. */
      reference: string | null;
      /** The user's name, the label of the wager's event, the bet's wager, the transaction's user, or the event's type. */
      detail: string | null;
      /** When it was made. */
      created_at: string;
    };
    SearchHits: {
      data: components['schemas']['SearchHit'][];
      /** Whether others may match too. */
      has_more: boolean;
    };
    SecondFactor: {
      /** When it was confirmed; null: there is none, and the log-in takes no code. */ added_at: string | null;
      /** How many recovery codes are left. */
      recovery_codes: number;
    };
    ServiceHealth: {
      workers_alive: number | 'unknown';
      workers_dead: number | 'unknown';
      stuck_settlements: number | 'unknown';
      failing_webhooks: number | 'unknown';
      late_audits: number | 'unknown';
      overdue_work: number | 'unknown';
      /** At most 100, the dead ones first. */
      workers: components['schemas']['Worker'][] | 'unknown';
      /** The stuck settlements of all accounts, at most 20, the longest waiting first. Each of these accounts gets an admin-read event. */
      stuck: components['schemas']['StuckSettlement'][] | 'unknown';
    };
    /** What a login began: a living access token. */
    Session: {
      /** Its id. */ id: number;
      /** Who has logged in. */
      operator: components['schemas']['OperatorName'];
      /** When its login was. */
      created_at: string;
      /** When it ends by itself. */
      expires_at: string;
      /** When its token was last used, up to two minutes behind; null: not yet. */
      last_used_at: string | null;
      /** Where its login came from; null: not known. */
      address: string | null;
      /** Whether it is the one of this request. */
      current: boolean;
    };
    SessionPage: {
      data: components['schemas']['Session'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    SetActive: {
      /** Why; for readers of the trail. */ description?: string | null;
    };
    /** What the operation would move. */
    ShownMovement: {
      /** The moment of all figures. */ as_of: string;
      /** False until the wager is decided and settled: the figures may change without a decision. */
      exact: boolean;
      /** Of the wager: it grows with each decision and correction of the wager or of one of its bets, and with each change of its status or `closes_at`; not with offers. 0 where there is no wager. */
      revision: number;
      /** Whether the operation would be done now. */
      would_succeed: boolean;
      /** The error that the operation would be refused with; null: it would be done. */
      refusal: string | null;
      /** How many bets and offers change. */
      bets: {
        /** Bets that get an outcome, or another one. */ settled: number;
        /** Bets whose settlement is taken back. */
        unsettled: number;
        /** Open offers that expire. */
        expired_offers: number;
        /** Expired offers that are open again. */
        reopened_offers: number;
        /** Offers of a cancel that is still under way. */
        canceled_offers: number;
      };
      /** The money that moves: what a correction takes back and gives is one movement. */
      moved: {
        /** What all users get, net for each bet and user. At most 6 decimals. */ credit: number;
        /** What all users pay: as much. At most 6 decimals. */
        debit: number;
      };
      /** How many users it touches. */
      users: {
        /** Users whose balance or exposure changes. */ affected: number;
        /** Those of them whose balance is then below zero. */
        below_zero: number;
      };
      /** At most 20 users: those below zero first, then those whose balance moves most. */
      largest: components['schemas']['PreviewedUser'][];
    };
    /** The transactions of a user in a period, with the balance after each. */
    Statement: {
      /** The user, as the business calls it. */ user: string;
      /** The first moment of the period. */
      from: string;
      /** The moment behind the period. */
      to: string;
      /** The moment of the first page: all pages of a walk are of it. */
      as_of: string;
      /** Before the first transaction of the period. At most 6 decimals. */
      opening_balance: number;
      /** After the last transaction of the period. At most 6 decimals. */
      closing_balance: number;
      /** The sum of all credits of the period. At most 6 decimals. */
      credits: number;
      /** The sum of all debits of the period, not negative. At most 6 decimals. */
      debits: number;
      /** What bets brought in the period, less what they cost. At most 6 decimals. */
      bet_net: number;
      lines: components['schemas']['StatementLine'][];
      /** The cursor of the next page; null: there is none. */
      next: string | null;
      /** With `include=holdings`. */
      holdings?: components['schemas']['Holdings'];
    };
    StatementLine: {
      /** The id of the transaction. */ id: number;
      /** When the balance moved. */
      at: string;
      /** The reference of the transaction. */
      reference: string;
      type: components['schemas']['TransactionType'];
      source: components['schemas']['TransactionSource'];
      /** Never negative: the type says which way it went. At most 6 decimals. */
      amount: number;
      /** Negative for a debit. At most 6 decimals. */
      signed_amount: number;
      /** The balance after it. At most 6 decimals. */
      balance: number;
      /** The wager of the bet that moved it; null: money in or out. */
      wager_reference: string | null;
      /** The bet that moved it; null: money in or out. */
      bet_id: number | null;
      /** What it was for. */
      description: string;
      /** The `reference` that it was given; only on money in or out that was given one. */
      own_reference?: string;
      meta?: components['schemas']['MovementMeta'];
    };
    /** A settlement whose bets have not moved for a minute while its work failed or no settlement of its account moved, or for 15 minutes. */
    StuckSettlement: {
      /** The account. */ account_id: number;
      /** The wager. */
      wager_id: number;
      /** The wager, as the business calls it. */
      wager_reference: string;
      outcome: components['schemas']['Outcome'];
      /** Since when bets wait. */
      settling_since: string;
      /** When the worker moved bets last, up to ten seconds behind; null: none since then. */
      moved_at: string | null;
    };
    SuspendWager: {
      /** Why; the wager and its event show it. */ reason?: string | null;
      /**
       * Cancels all its open offers too, and not only those with the persistence `cancel_on_suspend`.
       * @default false
       */
      cancel_offers?: boolean | null;
    };
    SuspendWagerInBatch: {
      /** The wager, as the business calls it. */ wager_reference: string;
      /** Why; the wager and its event show it. */
      reason?: string | null;
      /**
       * Cancels all its open offers too, and not only those with the persistence `cancel_on_suspend`.
       * @default false
       */
      cancel_offers?: boolean | null;
    };
    SuspendWagerOperation: {
      /** What is done. */ operation_type: 'suspend_wager';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['SuspendWagerInBatch'];
    };
    SuspendWagerResult: {
      operation_type: 'suspend_wager';
      /** As given. */
      operation_id: string;
      success: true;
      data: components['schemas']['ListedWager'];
    };
    /** One movement of one balance. A settled bet has two, one for each user. */
    Transaction: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      /** Whose balance moved. */
      user_id: number;
      /** The user, as the business calls it. */
      user_reference: string;
      /** A name of its own, of the form `TX_<hexadecimal digits>`. */
      reference: string;
      /** Never negative: the type says which way it went. At most 6 decimals. */
      amount: number;
      /** What it was for. */
      description: string;
      transaction_type: components['schemas']['TransactionType'];
      transaction_source: components['schemas']['TransactionSource'];
      /** The balance of the user after it. At most 6 decimals. */
      balance_after: number;
      /** When the balance moved. */
      created_at: string;
      /** The `reference` that it was given; only on money in or out that was given one. */
      own_reference?: string;
      meta?: components['schemas']['MovementMeta'];
      /** The step of a bet that moved it; null: money in or out. */
      bet_trail_id: number | null;
    };
    TransactionPage: {
      data: components['schemas']['Transaction'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** What moved the balance. `correction`: an operator made the balance and its transactions agree. */
    TransactionSource: 'funding' | 'bet' | 'withdrawal' | 'correction';
    /** Whether the balance rose or fell. `no-action`: a settlement or a correction that moved nothing. */
    TransactionType: 'credit' | 'debit' | 'no-action';
    TriedLine: {
      /** Which line of the body, counted from 1. Blank lines count, and get no answer. */ line: number;
      /** 201: the line would create the user or give money. 200: both are there. */
      status: number;
      /** Of a dry run: nothing was done. */
      is_trial: true;
    };
    /** No credentials, or wrong ones. */
    UnauthorizedError: { message: 'Unauthorized'; statusCode: 401 };
    /** A preview of more than 20,000 bets, which a worker computes. */
    UnfinishedPreview: {
      /** Its id. */ id: number;
      /** A worker computes it, or it could not be computed. */
      state: 'running' | 'failed';
      /** How much is done, in percent. */
      progress: number;
      /** Why it has failed; null: it has not. */
      failure: string | null;
    };
    UpdateOperator: {
      /** As trails show it from then on. */ name?: string;
      role?: components['schemas']['CallerRole'];
      /** Suspends an active person, or ends its suspension. */
      state?: 'active' | 'suspended';
    };
    UpdateWagerOutcome: {
      /** What is done. */ operation_type: 'update_wager_outcome';
      /** No other operation of the batch has it. */
      operation_id: string;
      /** The body of the single endpoint. */
      data: components['schemas']['DecideWager'];
    };
    UpdateWagerOutcomeResult: {
      operation_type: 'update_wager_outcome';
      /** As given. */
      operation_id: string;
      success: true;
      /** As the single endpoint answers. */
      message: string;
    };
    /** A bettor. It can stake `balance - exposure`. */
    User: {
      /** Its id. */ id: number;
      /** The account it belongs to. */
      account_id: number;
      /** What the business calls the user; unique within the account. */
      reference: string;
      /** For people to read. */
      name: string;
      /** `user`. */
      role: string;
      preferences: components['schemas']['Preferences'] | null;
      meta: components['schemas']['UserMeta'] | null;
      /** The money it has. At most 6 decimals. */
      balance: number;
      /** The worst that its open and matched bets can still cost. At most 6 decimals. */
      exposure: number;
      balance_state: components['schemas']['BalanceState'];
      /** When it was created. */
      created_at: string;
    };
    UserAtRisk: {
      /** The user. */ user_id: number;
      /** The user, as the business calls it. */
      user_reference: string;
      /** Its name. */
      user_name: string;
      /** What the user has. At most 6 decimals. */
      balance: number;
      /** The worst that its open offers and bets can still cost it. At most 6 decimals. */
      exposure: number;
      /** Balance minus exposure. At most 6 decimals. */
      available: number;
      /** Credits minus debits of its bets today; below zero: a loss. At most 6 decimals. */
      profit_today: number;
    };
    UserBelowZero: {
      /** The user. */ user_id: number;
      /** The user, as the business calls it. */
      user_reference: string;
      /** Balance minus exposure, below zero. At most 6 decimals. */
      available: number;
    };
    /** Texts of the business's own; users can be looked for by them. */
    UserMeta: { [key: string]: string };
    UserPage: {
      items: components['schemas']['User'][];
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many to a page. */
      per_page: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The number of pages. On a page by cursor only on request. */
      total_pages?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    UsersAtRisk: {
      /** What was committed before this moment is in the figures, and all of them are of one moment. */ as_of: string;
      /** From then on transactions count in `profit_today`: the beginning of the day, or later on a day with more than 500,000. */
      profit_from: string;
      totals: {
        /** How many users have an exposure. */ exposed_users: number;
        /** Their exposures together. At most 6 decimals. */
        exposure: number;
        /** The profits of today together. At most 6 decimals. */
        won_today: number;
        /** The losses of today together. At most 6 decimals. */
        lost_today: number;
      };
      data: components['schemas']['UserAtRisk'][];
    };
    /** The request is malformed. */
    ValidationError: {
      /** Every fault, with the path of its field in front; of more than 500 the last line counts the rest. */
      message: string[];
      error: 'Bad Request';
      statusCode: 400;
    };
    /** What bets are made on. */
    Wager: {
      /** Its id. */ id: number;
      /** What the business calls it; unique within the account. */
      reference: string;
      outcome: components['schemas']['Outcome'];
      /** The account it belongs to. */
      account_id: number;
      /** When it was first named. */
      created_at: string;
      /** When its outcome, its status or its event changed last. */
      updated_at: string;
    };
    /** What an undecided wager can still cost. */
    WagerAtRisk: {
      /** Its id. */ id: number;
      /** What the business calls it. */
      reference: string;
      /** The label of what it is one of several wagers on; null: it has none. */
      event: string | null;
      status: components['schemas']['WagerStatus'];
      /** When it was first named. */
      created_at: string;
      /** From then on it is `closed`; null: no time is set. */
      closes_at: string | null;
      /** When that starts. Nothing happens to the wager then. Null: no time is set. */
      starts_at: string | null;
      /** How many bets were ever matched on it. */
      matched_bets: number;
      /** The amounts of all bets that were ever matched on it. At most 6 decimals. */
      matched_amount: number;
      /** What was matched in each of the last 24 hours (UTC), the present one last. While a worker is far behind, the newest is missing, as in `/series`. */
      matched_by_hour: number[];
      /** The stakes of its open offers together. At most 6 decimals. */
      open_amount: number;
      /** How many open offers it has. */
      open_offers: number;
      /** The odds of the last acceptance; null: there is none. At most 6 decimals. */
      last_odds: number | null;
      /** The most that those users who lose by their matched bets pay together at one result, a `win` or a `loss`; the others get as much. Null: not known yet, or the wager has more than 250,000 matched bets. */
      worst_case: {
        /** The result at which that is. */ outcome: 'win' | 'loss';
        /** How much. At most 6 decimals. */
        amount: number;
      } | null;
      /** The user who can lose the most by its matched bets on the wager, of several the one with the lowest id. Null: nobody can lose, or the worst case is not known. */
      largest_loss: {
        /** The user. */ user_id: number;
        /** The user, as the business calls it. */
        user_reference: string;
        /** Its name. */
        user_name: string;
        /** The result at which that is. */
        outcome: 'win' | 'loss';
        /** How much. At most 6 decimals. */
        amount: number;
      } | null;
    };
    WagerPage: {
      data: components['schemas']['ListedWager'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** Whether it takes offers and acceptances (`open`), takes none for now (`suspended`), or never again (`closed`). Canceling and deciding always work. */
    WagerStatus: 'open' | 'suspended' | 'closed';
    /** A wager, and how far its bets are settled. */
    WagerWithSettlement: {
      /** Its id. */ id: number;
      /** What the business calls it; unique within the account. */
      reference: string;
      outcome: components['schemas']['Outcome'];
      /** The account it belongs to. */
      account_id: number;
      status: components['schemas']['WagerStatus'];
      /** What was given as the reason of the status; null: nothing. */
      status_reason: string | null;
      /** From then on it is `closed`; null: no time is set. */
      closes_at: string | null;
      /** The label of what it is one of several wagers on; null: it has none. */
      event: string | null;
      /** When that starts. Nothing happens to the wager then. Null: no time is set. */
      starts_at: string | null;
      /** Grows with each decision, correction and change of status or `closes_at`, and not with offers. */
      revision: number;
      /** Since when bets wait for the worker; null: none does. */
      settling_since: string | null;
      /** When it was first named. */
      created_at: string;
      /** When its outcome, its status or its event changed last. */
      updated_at: string;
      settlement: {
        /** The matched ones. */ bets: number;
        /** Those of them whose outcome is in the balances. */
        settled: number;
        /** What has still to move to where the outcome says, offers too. */
        remaining: number;
        /** How far it is as a whole. */
        state: 'undecided' | 'settling' | 'settled';
      };
      /** With `depth`: the book at the same moment. */
      book?: components['schemas']['OrderBook'];
    };
    WagersAtRisk: {
      /** What was committed before this moment is in the figures, and all of them are of one moment. */ as_of: string;
      /** Whether no undecided wager is missing, and the worst case of each is known. */
      is_complete: boolean;
      totals: {
        /** How many wagers. */ wagers: number;
        /** Their matched amounts together. At most 6 decimals. */
        matched_amount: number;
        /** Their open stakes together. At most 6 decimals. */
        open_amount: number;
        /** How many open offers they have. */
        open_offers: number;
        /** Their known worst cases together: as if each wager had its own worst result. At most 6 decimals. */
        worst_case: number;
      };
      data: components['schemas']['WagerAtRisk'][];
    };
    /** A request to a webhook endpoint. */
    WebhookAttempt: {
      /** Its id. */ id: number;
      /** The event, or the last one of a doorbell; null: a test. */
      seq: number | null;
      /** When it was sent. */
      at: string;
      /** Of the answer; null: none came. */
      status: number | null;
      /** How long the answer took. */
      duration_ms: number;
      /** Why it was not taken: no answer within 15 s (`timeout`), an address that requests must not go to (`address-refused`), a name without one (`unknown-host`), no connection or one that ended (`not-reachable`), no trusted certificate (`tls`), no HTTP (`broken-answer`), another status than 2xx (`status`); null: it was taken. */
      error:
        | 'timeout'
        | 'address-refused'
        | 'unknown-host'
        | 'not-reachable'
        | 'tls'
        | 'broken-answer'
        | 'status'
        | null;
    };
    WebhookAttemptPage: {
      data: components['schemas']['WebhookAttempt'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** Where the events of an account are sent. */
    WebhookEndpoint: {
      /** Its id. */ id: number;
      /** The account whose events it gets. */
      account_id: number;
      /** Where requests go. */
      url: string;
      /** What the business calls it. */
      description: string | null;
      /** Which events it gets. */
      types: string[];
      mode: components['schemas']['WebhookMode'];
      /** It takes what is sent (`active`), something that it did not take waits for the next try (`failing`), or nothing is sent any more (`disabled`): `POST …/enable` goes on where it ended. */
      state: 'active' | 'failing' | 'disabled';
      /** It answered 410 (`gone`), something failed for 5 days (`failing`), a caller disabled it (`requested`), or all access to the account was ended (`access-ended`); null: it is not disabled. */
      disabled_reason: 'gone' | 'failing' | 'requested' | 'access-ended' | null;
      /** Of what waits: the first failure; null: nothing has failed. */
      failing_since: string | null;
      /** Everything up to here was delivered, or is not of its types. A cursor of the event log. */
      cursor: string;
      /** How many events the log has after that, of all types. */
      behind: number;
      /** Until then the secret before the last rotation signs as well; null: there is none. */
      old_secret_until: string | null;
      /** When it was made. */
      created_at: string;
      /** When it was last changed by a caller. */
      updated_at: string;
    };
    WebhookEndpointPage: {
      data: components['schemas']['WebhookEndpoint'][];
      /** How many to a page. */
      per_page: number;
      /** Which page, counted from 1; absent on a page by cursor. */
      page?: number;
      /** How many there are on all pages, at the moment of the page. On a page by cursor only on request. */
      total?: number;
      /** The place of the first one shown; null on an empty page, absent on a page by cursor. */
      from?: number | null;
      /** The place of the last one shown; null on an empty page, absent on a page by cursor. */
      to?: number | null;
      /** The number of pages. On a page by cursor only on request. */
      last_page?: number;
      /** The cursor of the next page; null: there is none. Also on a page without `page` and `cursor`, when another follows. */
      next?: string | null;
      /** The cursor of the page before; null: there is none. Only on a page by cursor. */
      previous?: string | null;
    };
    /** An event of the log. */
    WebhookMessage: {
      type: components['schemas']['EventType'];
      /** When it happened. */
      timestamp: string;
      /** The endpoint has everything up to here when it takes this message. Opaque: give it back as `after`, or as `before` for what came earlier. */
      cursor: string;
      data:
        | components['schemas']['Event']
        | {
            /** Its number. */ seq: number;
            /** Its position. Opaque: give it back as `after`, or as `before` for what came earlier. */
            cursor: string;
            type: components['schemas']['EventType'];
            /** When it happened. */
            at: string;
            /** The event is larger than 20 kB: `GET /events/{seq}` has it. */
            is_shortened: true;
          };
    };
    /** Events one at a time in the order of the log (`ordered`), in order for each wager and each user and 8 of these at once (`keyed`), or at most once a second a message that there are events to read (`doorbell`). */
    WebhookMode: 'ordered' | 'keyed' | 'doorbell';
    /** A test. */
    WebhookPing: {
      type: 'ping';
      /** When it happened. */
      timestamp: string;
      data: {
        /** The endpoint that is tested. */ webhook_endpoint_id: number;
      };
    };
    /** There are events to read. */
    WebhookRing: {
      type: 'events.available';
      /** When it happened. */
      timestamp: string;
      /** The endpoint has everything up to here when it takes this message. Opaque: give it back as `after`, or as `before` for what came earlier. */
      cursor: string;
      data: {
        /** Where the last one that was taken ended: give it to `GET /events`. Opaque: give it back as `after`, or as `before` for what came earlier. */
        from: string;
        /** The last event at that moment. Opaque: give it back as `after`, or as `before` for what came earlier. */
        to: string;
      };
    };
    WebhookTest: {
      /** Of the answer; null: none came. */ status: number | null;
      /** How long the answer took. */
      duration_ms: number;
      /** Why it was not taken: no answer within 15 s (`timeout`), an address that requests must not go to (`address-refused`), a name without one (`unknown-host`), no connection or one that ended (`not-reachable`), no trusted certificate (`tls`), no HTTP (`broken-answer`), another status than 2xx (`status`); null: it was taken. */
      error:
        | 'timeout'
        | 'address-refused'
        | 'unknown-host'
        | 'not-reachable'
        | 'tls'
        | 'broken-answer'
        | 'status'
        | null;
    };
    Withdraw: {
      /** At most 6 decimals. */ amount: number;
      /** Whose balance, by id; needed unless `user_reference` is given. */
      user_id?: number | null;
      /** Whose balance, as the business calls it; needed unless `user_id` is given. Both must name the same user. */
      user_reference?: string | null;
      /**
       * What it is for; shown with the transaction.
       * @default "Withdrawal"
       */
      description?: string | null;
      /** What the business calls it, such as the id of its payment; shown as `own_reference`. No other transaction of the account may have it. */
      reference?: string | null;
      meta?: components['schemas']['MovementMeta'] | null;
    };
    Worker: {
      /** Its process, until it ends. */ id: string;
      /** `dead`: no heartbeat for 15 seconds, and it did not stop. */
      state: 'alive' | 'dead';
      /** When it began. */
      started_at: string;
      /** Its last heartbeat. */
      beat_at: string;
      /** What it ran at its last heartbeat. */
      jobs: {
        /** Its queue. */ queue: string;
        /** What it does. */
        name: string;
        /** For how long it ran at the last heartbeat. */
        runs_for_ms: number;
        /** The account that it is about. */
        account_id?: number;
        /** The wager that it is about. */
        wager_id?: number;
      }[];
    };
  };
  responses: {
    /** No credentials, or wrong ones. */
    Unauthorized: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['UnauthorizedError'] };
    };
    /** The account asks its operators for a second factor, and the one of the session has none. */
    FactorRequired: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** Only admin accounts may do this, in production with a second factor. */
    Forbidden: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The account is suspended, or a second factor is missing. */
    SuspendedOrFactor: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** Only admin accounts may do this, unless they are suspended, in production with a second factor. */
    ForbiddenOrSuspended: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The caller's role does not allow this, or a second factor is missing. */
    RoleForbids: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The account is suspended, a second factor is missing, or the caller's role does not allow this. */
    SuspendedOrRole: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** Only admin accounts may do this, unless they are suspended, in production with a second factor, and only with the role for it. */
    ForbiddenSuspendedOrRole: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The body is larger than 256 KiB. */
    BodyTooLarge: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The body is not `application/json`, or written in a way that is not understood. */
    BodyNotJson: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The body is larger than 4 MiB. */
    LinesTooLarge: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The body is not `application/x-ndjson`, or written in a way that is not understood. */
    BodyNotLines: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The Idempotency-Key was used with another request. */
    KeyReused: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The account, the address or the e-mail address asks too often, or too much is kept for it. */
    TooManyRequests: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** A fault of the service. */
    InternalError: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
    /** The database is away, or too much is waiting. Without `Retry-After` it is not known what was done. */
    Unavailable: {
      headers: { [name: string]: unknown };
      content: { 'application/json': components['schemas']['DomainError'] };
    };
  };
}

/** The `Ledger-Error` of a refusal: docs/errors.md says what to do. */

export type ErrorCode = components['schemas']['ErrorCode'];

/** They take an Idempotency-Key: sent again with the same one, nothing is done twice. */

export const keyedOperations: ReadonlySet<string> = new Set([
  'POST /bets/make-offer',
  'POST /bets/accept-offer',
  'POST /bets/cancel-offer',
  'POST /bets/batch',
  'POST /bets/update-wager-outcome',
  'POST /transactions/fund-user',
  'POST /transactions/withdraw',
  'PATCH /auth/account/money',
  'POST /auth/logout/account',
  'DELETE /auth/account/api-keys/{id}',
  'DELETE /auth/account/sessions/{id}',
  'POST /auth/account/resend-verification-email',
  'POST /operators',
  'PATCH /operators/{id}',
  'DELETE /operators/{id}',
  'DELETE /operators/{id}/second-factor',
  'POST /operators/{id}/invite',
  'POST /account/user',
  'PATCH /account/user/{userId}',
  'PATCH /account/user/{reference}/reference',
  'POST /bets/override-outcome',
  'POST /change-requests',
  'POST /change-requests/{id}/approve',
  'POST /change-requests/{id}/reject',
  'POST /change-requests/{id}/withdraw',
  'PUT /wagers/{reference}',
  'POST /wagers/{reference}/suspend',
  'POST /wagers/{reference}/resume',
  'POST /wagers/{reference}/close',
  'POST /wagers/{reference}/correct',
  'PATCH /webhook-endpoints/{id}',
  'DELETE /webhook-endpoints/{id}',
  'POST /webhook-endpoints/{id}/test',
  'POST /webhook-endpoints/{id}/enable',
  'POST /webhook-endpoints/{id}/disable',
  'POST /webhook-endpoints/{id}/replay',
  'DELETE /account/sandboxes/{id}',
  'POST /sandbox/clock',
  'POST /exports',
  'PATCH /admin/accounts/{id}',
  'POST /admin/accounts/{id}/end-access',
  'POST /admin/wagers/force-update-outcome',
  'POST /admin/bets/{betId}/set-inactive',
  'POST /admin/bets/{betId}/set-active',
  'POST /admin/bets/force-update-override-outcome',
]);
