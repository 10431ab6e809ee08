import type { Reads, Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { Amount } from '../parts/amount.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Facts, Figures } from '../parts/named.js';
import { NotFound } from '../parts/not-found.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { BetActions } from './bet/actions.js';
import { Trail } from './bet/trail.js';
import { OutcomeTag, StatusTag, UserLink, WagerLink } from './ledger/tags.js';

type Bet = Schemas['Bet'];

const BetFigures = ({ bet }: { readonly bet: Bet }) => (
  <Figures
    of={{
      Status: (
        <>
          <StatusTag status={bet.offer_status} /> {!bet.is_active && <span class="tag bad">inactive</span>}
        </>
      ),
      Outcome: (
        <>
          <OutcomeTag outcome={bet.override_outcome ?? bet.wager.outcome} />
          {bet.override_outcome !== null && <p class="aside">override: not the outcome of the wager</p>}
        </>
      ),
      Stake: <Amount value={bet.effective_amount ?? bet.requesting_amount} />,
      Odds: <Amount value={bet.effective_odds ?? bet.requesting_odds} />,
    }}
  />
);

/** What it is on, and between whom. */
const BetFacts = ({ bet }: { readonly bet: Bet }) => (
  <Facts
    of={{
      Wager: <WagerLink reference={bet.wager_reference} />,
      Requester: <UserLink reference={bet.requesting_user_reference} />,
      Acceptor:
        bet.accepting_user_reference === null ? 'none yet' : <UserLink reference={bet.accepting_user_reference} />,
      Offered: <Time at={bet.created_at} />,
      Expires: bet.expires_at !== null && <Time at={bet.expires_at} />,
      Matched: bet.accepted_at !== null && <Time at={bet.accepted_at} />,
    }}
  />
);

export function BetPage({ params }: PageProps) {
  const id = Number(params.id);
  const load = async ({ get }: Reads): Promise<{ readonly bet?: Bet }> => {
    if (!Number.isSafeInteger(id) || id < 1) return {};
    const query = { include_bet_trails_transactions: true };
    return { bet: (await get('/bets/{id}', { params: { path: { id }, query } })).data };
  };
  const loaded = useResource(load, [id], { changedBy: (event) => event.bet?.id === id });
  return (
    <>
      <Heading text={`Bet ${params.id}`} />
      <Loaded of={loaded}>
        {({ bet }) =>
          bet === undefined ? (
            <NotFound what="Bet not found" />
          ) : (
            <>
              <AsOf of={loaded} />
              <BetFigures bet={bet} />
              <BetFacts bet={bet} />
              <BetActions bet={bet} />
              <p>
                <a href={`/events?bet=${bet.id}`}>Everything that happened to this bet</a>
              </p>
              <h2>History</h2>
              <Trail bet={bet} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
