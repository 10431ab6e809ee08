import { z } from 'zod';
import { id, text } from '../../fields/answers.js';
import { userById, userByReference } from '../../fields/ledger-operation.js';
import { SHORT_AS_JSON, shortAsJson } from '../../fields/short-json.js';

// Making, accepting and canceling offers share these fields.

const anyMeta = shortAsJson(z.looseObject({}));
export const offerMeta = anyMeta.nullish().meta({
  description: `Anything of the business's own; ${SHORT_AS_JSON}. It comes back in each answer and event of the bet.`,
});
/** The ledger knows matches by their offers, so it stores none with an acceptance. */
export const acceptanceMeta = anyMeta.nullish().meta({
  description: `Anything of the business's own; ${SHORT_AS_JSON}. It is not stored: the bet has the \`meta\` of its offer.`,
});

/** Of a bet, where it has some. */
export const shownMeta = z.looseObject({}).optional().meta({
  description:
    "The `meta` of the offer, as it was given; only on bets with some. The rest of an offer has the offer's.",
});

export const requestingUserId = userById('Who offers', 'requesting_user_reference');
export const requestingUserReference = userByReference('Who offers', 'requesting_user_id');

/** Offers that one request may match or cancel in its transaction; the operations of a batch share them evenly. */
export const OFFERS_OF_A_REQUEST = 1_000;
export const SHOWN_BOUND = OFFERS_OF_A_REQUEST.toLocaleString('en');

export const offerIdentity = {
  bet_id: id('The bet.'),
  wager_reference: text('The wager, as the business calls it.'),
  wager_id: id('The wager.'),
};
export const offerIdentityExample = { bet_id: 21, wager_reference: 'home-win', wager_id: 3 };
