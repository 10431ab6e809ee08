import { z } from 'zod';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { accountOfBet } from '#reads/read-bet.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { actionOf, why, whyExample } from './correction.js';

const setActiveBody = z
  .strictObject({ description: why })
  .meta({ id: 'SetActive', examples: [{ description: whyExample }] });

const betIdPath = z.object({ betId: fields.idText.meta({ description: 'The id of the bet.', examples: [21] }) });

const setActive = (isActive: boolean) =>
  endpoint({
    method: 'post',
    path: `/admin/bets/:betId/${isActive ? 'set-active' : 'set-inactive'}`,
    tag: 'Administration',
    summary: isActive ? 'Give a bet its effect back' : 'Take all effect of a bet back',
    access: 'admin',
    status: 200,
    params: betIdPath,
    body: setActiveBody,
    answer: messageOnly(isActive ? 'Bet set active' : 'Bet set inactive'),
    refusals: ['bet-not-found', reject(isActive ? 'bet-already-active' : 'bet-already-inactive'), paymentsDiffer],
    async handle({ params, body, caller, call }, { database, ledger }) {
      const betId = BigInt(params.betId);
      const accountId = await lookUpOnce(database.shared, call.idempotency, () => accountOfBet(database, betId));
      if (accountId instanceof Replayed) return accountId;
      const action = actionOf(caller, body.description);
      const message = isActive ? 'Bet set active' : 'Bet set inactive';
      const operation = { type: 'set_bet_active', betId, isActive, action } as const;
      return ledger.execute(accountId, operation, { call, present: () => ({ message }) });
    },
  });

export const adminBetSetActive = setActive(true);
export const adminBetSetInactive = setActive(false);
