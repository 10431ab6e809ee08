import type { Logger } from '#platform/logging/logger.js';
import { type Claimed, claimEndpoint, LeaseLost, releaseEndpoint } from './delivery-rows.js';
import { DeliveryTurn, type TurnContext, type TurnEnd } from './delivery-turn.js';
import { type SecretBox, signingSecrets } from './secret-box.js';
import type { EndpointKey } from './webhook-endpoint.js';

export interface DeliveryContext extends TurnContext {
  readonly secretBox: SecretBox;
  readonly logger: Logger;
}

/** `more`: there is more to deliver at once. */
export type DeliverResult = 'done' | 'more';

/** Delivers to an endpoint for some seconds, unless another worker does. */
export type Deliver = (key: EndpointKey) => Promise<DeliverResult>;

const KEY_MISSING_MS = 60_000;

export function createDeliver(context: DeliveryContext): Deliver {
  const { database, secretBox, logger, now } = context;

  async function deliver(claimed: Claimed): Promise<TurnEnd> {
    const { endpoint } = claimed;
    const secrets = signingSecrets(secretBox, endpoint, now());
    if (secrets !== undefined) return new DeliveryTurn(context, claimed, secrets).run();
    const later = new Date(now().getTime() + KEY_MISSING_MS);
    logger.error(
      { accountId: String(endpoint.accountId), endpoint: String(endpoint.id) },
      'the secret of a webhook endpoint needs a key that WEBHOOK_KEY does not have',
    );
    return { isMore: false, nextAt: later, notBefore: later };
  }

  return async (key) => {
    const claimed = await claimEndpoint(database, key, now());
    if (claimed === undefined) return 'done';
    let end: TurnEnd = { isMore: false, nextAt: now(), notBefore: null };
    try {
      end = await deliver(claimed);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      logger.debug({ endpoint: String(key.id) }, 'a webhook endpoint was changed while it was delivered to');
    } finally {
      await releaseEndpoint(database, claimed.lease, end);
    }
    return end.isMore ? 'more' : 'done';
  };
}
