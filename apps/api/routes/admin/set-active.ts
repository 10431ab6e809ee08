import { z } from 'zod';
import { reject } from '#core/rejection.js';
import * as fields from '#http/fields.js';
import { accountOfBet } from '#reads/read-bet.js';
import { endpoint } from '../../endpoint.js';
import { messageOnly } from '../../fields/answers.js';
import { paymentsDiffer } from '../../fields/ledger-operation.js';
import { approvalRefusals, approvalRequired } from '../../guards/approval.js';
import { correctLedger, why, whyExample } from './correction.js';

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
    handle({ params, body, caller, call }, services) {
      const betId = BigInt(params.betId);
      return correctLedger({ caller, call }, services, {
        accountId: () => accountOfBet(services.database, betId),
        kind: isActive ? 'set_active' : 'set_inactive',
        given: { bet_id: params.betId, ...body },
        operation: { type: 'set_bet_active', betId, isActive },
        present: () => ({ message: isActive ? 'Bet set active' : 'Bet set inactive' }),
      });
    },
  });

export const adminBetSetActive = setActive(true);
export const adminBetSetInactive = setActive(false);
