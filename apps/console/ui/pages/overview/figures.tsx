import { api, type Schemas } from '../../api/api.js';
import { type Resource, useResource } from '../../api/resource.js';
import { Amount, formatCount, formatCountOf } from '../../parts/amount.js';
import { today } from '../../parts/days.js';
import { Loaded } from '../../parts/loaded.js';
import { usePoll } from '../../parts/poll.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import { ABOUT_BETS } from '../ledger/following.js';
import { useMatchedToday } from './matched-today.js';

/** These figures come from many rows: they are loaded no more often. */
const PAUSE_MS = 5_000;
const MATCHED_PAUSE_MS = 2_000;
const HEALTH_PAUSE_MS = 15_000;
const ABOUT_MONEY = [...ABOUT_BETS, 'transaction.*', 'operator.*'];
const always = () => true;

/** In place of a figure that is being loaded; after a fault it is tried again by itself. */
function NotYet({ error }: { readonly error: unknown }) {
  return error === undefined ? <span class="waiting">…</span> : <>not known</>;
}

/** The offers that are open, and what was matched today. */
export function Market() {
  const open = useResource(() => api.get('/bets/open-bets', { params: { query: { per_page: 1 } } }), [], {
    ...{ types: ABOUT_BETS, changedBy: always, pauseMs: PAUSE_MS },
  });
  const { body: matched, error } = useMatchedToday(today(), MATCHED_PAUSE_MS);
  return (
    <Section title="Market" of={open}>
      <Loaded of={open}>
        {({ total = 0, total_requesting_amount: amount = 0 }) => (
          <dl class="figures">
            <div>
              <dt>Open offers</dt>
              <dd>
                <a href="/bets?show=open">{formatCount(total)}</a>
              </dd>
            </div>
            <div>
              <dt>Open stake</dt>
              <dd>
                <Amount value={amount} />
              </dd>
            </div>
            <div>
              <dt>Matched today (UTC)</dt>
              <dd>
                {matched === undefined ? (
                  <NotYet error={error} />
                ) : (
                  <>
                    {!matched.isWhole && <span class="aside">more than </span>}
                    <Amount value={matched.amount} />
                    <p class="aside">in {formatCountOf(matched.bets, 'bet')}</p>
                  </>
                )}
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Section>
  );
}

export type Books = Resource<Schemas['Reconciliation']>;

/** The books of the day (UTC) that has not ended. */
export function useBooks(): Books {
  const day = today();
  return useResource(() => api.get('/reconciliation', { params: { query: { date: day } } }), [day], {
    ...{ types: ABOUT_MONEY, changedBy: always, pauseMs: PAUSE_MS },
  });
}

/** The balances of all users, and what moved today. */
export function Money({ books }: { readonly books: Books }) {
  return (
    <Section title="Money" of={books}>
      <Loaded of={books}>
        {(figures) => (
          <dl class="figures">
            <div>
              <dt>Balances of all users</dt>
              <dd>
                <Amount value={figures.closing_balance} />
              </dd>
            </div>
            <div>
              <dt>Exposure of all users</dt>
              <dd>
                <Amount value={figures.open_exposure ?? 0} />
              </dd>
            </div>
            <div>
              <dt>Funded today (UTC)</dt>
              <dd>
                <Amount value={figures.funded} />
              </dd>
            </div>
            <div>
              <dt>Withdrawn today (UTC)</dt>
              <dd>
                <Amount value={figures.withdrawn} />
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
    </Section>
  );
}

function Audit({ audit }: { readonly audit: Schemas['AuditVerdict'] | null }) {
  if (audit === null) return <span class="tag">has not run yet</span>;
  const isBalanced = audit.verdict === 'balanced';
  return (
    <>
      <span class={isBalanced ? 'tag good' : 'tag bad'}>
        {isBalanced ? 'balanced' : `${formatCount(audit.failed_checks)} checks differ`}
      </span>
      <p class="aside">
        <Time at={audit.audited_at} />
      </p>
    </>
  );
}

function Part({ name, isUp }: { readonly name: string; readonly isUp: boolean }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class={isUp ? 'tag good' : 'tag bad'}>{isUp ? 'up' : 'down'}</span>
      </dd>
    </div>
  );
}

/** Whether the service can do its work, and what the last audit found. */
export function Health({ books: { body, error } }: { readonly books: Books }) {
  const ready = useResource(() => api.get('/readyz'), []);
  usePoll(true, ready.reload, HEALTH_PAUSE_MS);
  // Of a service that is not ready, what its parts were before is of no use.
  const isReady = ready.error === undefined;
  const parts = isReady ? ready.body : undefined;
  return (
    <Section title="Health" of={ready}>
      <dl class="figures">
        <div>
          <dt>Service</dt>
          <dd>
            <span class={isReady ? 'tag good' : 'tag bad'}>
              {isReady ? (parts?.status ?? <span class="waiting">…</span>) : 'not ready'}
            </span>
          </dd>
        </div>
        {parts !== undefined && <Part name="Database" isUp={parts.database === 'up'} />}
        {parts !== undefined && <Part name="Background work" isUp={parts.redis === 'up'} />}
        <div>
          <dt>Last audit</dt>
          <dd>{body === undefined ? <NotYet error={error} /> : <Audit audit={body.last_audit} />}</dd>
        </div>
      </dl>
    </Section>
  );
}
