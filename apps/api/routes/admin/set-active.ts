import { z } from 'zod';
import { readAccount } from '#accounts/accounts.js';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { lookUpOnce } from '#idempotency/idempotency.js';
import { Replayed } from '#idempotency/stored-answers.js';
import { accountOfBet } from '#reads/read-bet.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired, executeOrAsk } from '../../guards/approval.js';
import { actionOf, guardedCorrection, why, whyExample } from './correction.js';

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
    params: betIdPath,
    body: setActiveBody,
    answer: messageOnly(isActive ? 'Bet set active' : 'Bet set inactive'),
    accepted: approvalRequired,
    refusals: [
      'bet-not-found',
      reject(isActive ? 'bet-already-active' : 'bet-already-inactive'),
      paymentsDiffer,
      ...approvalRefusals,
    ],
    async handle({ params, body, caller, call }, services) {
      const { database } = services;
      const betId = BigInt(params.betId);
      const account = await lookUpOnce(database.shared, call.idempotency, async () =>
        readAccount(database.shared, await accountOfBet(database, betId)),
      );
      if (account instanceof Replayed) return account;
      const action = actionOf(caller, body.description);
      const message = isActive ? 'Bet set active' : 'Bet set inactive';
      const operation = { type: 'set_bet_active', betId, isActive } as const;
      const given = { bet_id: Number(betId), ...body };
      const guarded = { ...guardedCorrection({ caller, call, account, action }), operation, given };
      const kind = isActive ? ('set_active' as const) : ('set_inactive' as const);
      return executeOrAsk(services, { ...guarded, kind }, () => ({ message }));
    },
  });

export const adminBetSetActive = setActive(true);
export const adminBetSetInactive = setActive(false);
