import { createLedgerClient, type LedgerClient, LedgerError, LedgerUnreachable } from '#clients/typescript/client.js';
import type { BettorRequest, Operation } from './bettor-requests.js';

// The calls of the evening, made by the client that a business would use.

/** The bets of planned offers, by the offers' numbers: known once the API has answered. */
export type BetIds = Map<number, number>;

export interface Connection {
  readonly apiUrl: string;
  readonly token?: string;
  /** Aborts calls in progress. */
  readonly stopping: AbortSignal;
}

/** A call that failed. Its message names the endpoint, so it is printed without a stack. */
export const isFailedCall = (error: unknown): error is Error =>
  error instanceof LedgerError || error instanceof LedgerUnreachable;

export const createDemoClient = ({ apiUrl: baseUrl, token, stopping }: Connection): LedgerClient =>
  createLedgerClient({
    ...(token === undefined ? {} : { token }),
    baseUrl,
    allowHttp: true, // the demo's ledger runs on this machine
    fetch: (request) => {
      stopping.throwIfAborted();
      return fetch(request, { signal: AbortSignal.any([stopping, request.signal]) });
    },
  });

interface PaidIn {
  readonly name: string;
  readonly reference: string;
  readonly funds: number;
}

/** Makes a user of the bettor, who pays in. */
export async function openBettor(ledger: LedgerClient, { name, reference, funds: amount }: PaidIn): Promise<void> {
  await ledger.post('/account/user', { body: { name, reference } });
  await ledger.post('/transactions/fund-user', { body: { user_reference: reference, amount } });
}

/** Sends a request of a bettor, and returns the amount that it matched. */
export async function send(ledger: LedgerClient, request: BettorRequest, betIds: BetIds): Promise<number> {
  const [{ offer }, ...others] = request;
  if (others.length > 0) {
    await sendBatch(ledger, request, betIds);
    return 0;
  }
  const operation = withBetId(request[0], betIds);
  switch (operation.operation_type) {
    case 'make_bet_offer': {
      const { data } = await ledger.post('/bets/make-offer', { body: operation.data });
      betIds.set(offer, data.bet_id);
      return 0;
    }
    case 'accept_bet_offer': {
      const { data } = await ledger.post('/bets/accept-offer', { body: operation.data });
      for (const { bet_id } of data) betIds.set(offer, bet_id);
      return data.reduce((sum, { accepted_amount }) => sum + accepted_amount, 0);
    }
    case 'cancel_bet_offer': {
      await ledger.post('/bets/cancel-offer', { body: operation.data });
      return 0;
    }
  }
}

async function sendBatch(ledger: LedgerClient, request: BettorRequest, betIds: BetIds): Promise<void> {
  const operations = request.map((operation, index) => ({
    ...withBetId(operation, betIds),
    operation_id: String(index + 1),
  }));
  const { results } = await ledger.post('/bets/batch', { body: { operations } });
  for (const [index, result] of results.entries()) {
    const offer = request[index]?.offer;
    if (result.operation_type === 'make_bet_offer' && offer !== undefined) betIds.set(offer, result.data.bet_id);
  }
}

/** The operation as the API takes it. */
function withBetId(operation: Operation, betIds: BetIds) {
  const { operation_type, offer } = operation;
  if (operation_type === 'make_bet_offer') return { operation_type, data: operation.data };
  const betId = betIds.get(offer);
  if (betId === undefined) throw new Error(`offer ${offer} is named before it is made`);
  return operation_type === 'accept_bet_offer'
    ? { operation_type, data: { ...operation.data, bet_id: betId } }
    : { operation_type, data: { ...operation.data, bet_id: betId } };
}
