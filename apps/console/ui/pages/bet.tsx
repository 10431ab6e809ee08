import { api, ofMoment, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { seenAccount } from '../api/seen-account.js';
import { Amount } from '../parts/amount.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { NotFound } from '../parts/not-found.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { Page, PageProps } from '../shell/page.js';
import { Actions } from './bet/actions.js';
import { Trail } from './bet/trail.js';
import { OfAccount, OutcomeTag, StatusTag, UserLink, WagerLink } from './ledger/tags.js';

type Bet = Schemas['Bet'];

interface ShownBet {
  readonly bet: Bet | undefined;
}

async function loadBet(id: number, account: number | undefined): Promise<ShownBet> {
  const query = { include_bet_trails_transactions: true, ...(account !== undefined && { account_id: account }) };
  const answer = await api.get('/bets/{id}', { params: { path: { id }, query } });
  return ofMoment({ bet: answer.data }, [answer]);
}

interface SeenBet {
  readonly bet: Bet;
  readonly account: number | undefined;
}

function Figures({ bet }: { readonly bet: Bet }) {
  const { override_outcome: override } = bet;
  return (
    <dl class="figures">
      <div>
        <dt>Status</dt>
        <dd>
          <StatusTag status={bet.offer_status} /> {!bet.is_active && <span class="tag bad">inactive</span>}
        </dd>
      </div>
      <div>
        <dt>Outcome</dt>
        <dd>
          <OutcomeTag outcome={override ?? bet.wager.outcome} />
          {override !== null && <p class="aside">override: not the outcome of the wager</p>}
        </dd>
      </div>
      <div>
        <dt>Stake</dt>
        <dd>
          <Amount value={bet.effective_amount ?? bet.requesting_amount} />
        </dd>
      </div>
      <div>
        <dt>Odds</dt>
        <dd>
          <Amount value={bet.effective_odds ?? bet.requesting_odds} />
        </dd>
      </div>
    </dl>
  );
}

/** What it is on, and between whom. */
function About({ bet, account }: SeenBet) {
  const { accepting_user_reference: acceptor } = bet;
  return (
    <dl class="facts panel">
      <dt>Wager</dt>
      <dd>
        <WagerLink reference={bet.wager_reference} account={account} />
      </dd>
      <dt>Requester</dt>
      <dd>
        <UserLink reference={bet.requesting_user_reference} account={account} />
      </dd>
      <dt>Acceptor</dt>
      <dd>{acceptor === null ? 'none yet' : <UserLink reference={acceptor} account={account} />}</dd>
      <dt>Offered</dt>
      <dd>
        <Time at={bet.created_at} />
      </dd>
    </dl>
  );
}

function BetPage({ params, query }: PageProps) {
  const id = Number(params.id);
  const account = seenAccount(query);
  const load = async () => {
    if (!Number.isSafeInteger(id) || id < 1) return { bet: undefined };
    return loadBet(id, account);
  };
  const loaded = useResource<ShownBet>(load, [id, account], { account, changedBy: ({ bet }) => bet?.id === id });
  return (
    <>
      <Heading text={`Bet ${params.id}`} />
      <OfAccount account={account} />
      <Loaded of={loaded}>
        {({ bet }) =>
          bet === undefined ? (
            <NotFound what="Bet not found" />
          ) : (
            <>
              <AsOf of={loaded} />
              <Figures bet={bet} />
              <About bet={bet} account={account} />
              <Actions bet={bet} account={account} />
              {account === undefined && (
                <p>
                  <a href={`/events?bet=${bet.id}`}>Everything that happened to this bet</a>
                </p>
              )}
              <h2>History</h2>
              <Trail bet={bet} account={account} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

export const bet: Page = { path: '/bets/:id', title: 'Bet', view: BetPage };
