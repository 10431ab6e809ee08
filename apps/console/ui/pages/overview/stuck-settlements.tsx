import type { Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { addressWith } from '../../parts/filters.js';
import { Time } from '../../parts/time.js';
import { wagerAddress } from '../ledger/tags.js';

type Stuck = Schemas['StuckSettlement'];

const PERCENT = 100;

/** How much of the wager is settled; it does not move. */
function Progress({ reference, account }: { readonly reference: string; readonly account: number | undefined }) {
  const query = account === undefined ? {} : { account_id: account };
  const { body } = useResource(
    ({ get }) => get('/wagers/{reference}', { params: { path: { reference }, query } }),
    [reference, account],
  );
  if (body === undefined) return null;
  const { bets, remaining } = body.data.settlement;
  const all = Math.max(bets, remaining);
  return <>{Math.floor((PERCENT * (all - remaining)) / Math.max(all, 1))}% settled, </>;
}

export interface StuckSettlementsProps {
  readonly stuck: readonly Stuck[];
  /** Whether they are of several accounts. */
  readonly isOfAll?: boolean;
}

/** Each with how far it has come, and since when it does not move. */
export function StuckSettlements({ stuck, isOfAll = false }: StuckSettlementsProps) {
  return (
    <>
      {stuck.map(({ account_id, wager_id, wager_reference: reference, moved_at, settling_since }) => {
        const account = isOfAll ? account_id : undefined;
        return (
          <p class="aside" key={wager_id}>
            <a href={addressWith(wagerAddress(reference), { account: account?.toString() })}>
              <bdi>{reference}</bdi>
            </a>
            {isOfAll && ` of account ${account_id}`}: <Progress reference={reference} account={account} />
            nothing since <Time at={moved_at ?? settling_since} />
          </p>
        );
      })}
    </>
  );
}
