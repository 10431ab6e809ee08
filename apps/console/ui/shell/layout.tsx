import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { isAdmin, logOut, mayDo, session } from '../api/session.js';
import { viewedAccount } from '../api/viewed-account.js';
import { useOwnHealth } from '../live/own-health.js';
import { Alerts, announce } from '../parts/alerts.js';
import { later, Nothing } from '../parts/later.js';
import { Band } from './band.js';
import { Find } from './find.js';
import type { Page } from './page.js';
import { address, visits } from './router.js';
import { ViewingBar } from './viewing-bar.js';

const GROUPS = [
  ['ledger', 'Ledger'],
  ['integration', 'Integration'],
  ['account', 'Account'],
  ['admin', 'Administration'],
] as const;

/** Bull Board, which is no page of the console but a page of the same server. */
const QUEUES = { path: '/queues', title: 'Queues' };

const isCurrent = (path: string, linked: string) =>
  linked === '/' ? path === '/' : path === linked || path.startsWith(`${linked}/`);

interface NavigationGroupProps {
  readonly title: string;
  readonly pages: readonly Page[];
  readonly path: string;
}

function NavigationGroup({ title, pages, path }: NavigationGroupProps) {
  const isForAdmins = title === 'Administration';
  const hasQueues = isForAdmins && isAdmin() && mayDo('owner');
  if (pages.length === 0 && !hasQueues) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul>
        {pages.map(({ path: linked, title: text }) => (
          <li key={linked}>
            <a href={linked} aria-current={isCurrent(path, linked) ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
        {hasQueues && (
          <li>
            {/* A target keeps the router of the pages from taking it for one of them. */}
            <a href={QUEUES.path} target="_top">
              {QUEUES.title}
            </a>
          </li>
        )}
      </ul>
    </section>
  );
}

const leave = () => {
  logOut().catch(() => announce('Log-out failed: the console does not answer.'));
};

/** Whoever registered has the name of the business, unless it was changed. */
function Person() {
  const { account, operator } = session.value ?? {};
  if (operator?.name === account?.name) return <span>{operator?.role}</span>;
  return (
    <span>
      <bdi>{operator?.name}</bdi>, {operator?.role}
    </span>
  );
}

function Navigation({ pages }: { readonly pages: readonly Page[] }) {
  const { pathname: path } = new URL(address.value, location.origin);
  const isOther = viewedAccount.value !== undefined;
  // On a narrow page the navigation is closed until its button opens it, and closes with the next visit of a page.
  const isOpen = useSignal(false);
  useLayoutEffect(() => {
    isOpen.value = false;
  }, [visits.value]);
  return (
    <>
      <button
        type="button"
        class="menu"
        aria-expanded={isOpen.value}
        aria-controls="navigation"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        Menu
      </button>
      <nav id="navigation" aria-label="Pages" class={isOpen.value ? 'open' : ''}>
        {GROUPS.map(([group, title]) => (
          <NavigationGroup
            key={`${group} ${viewedAccount.value ?? ''}`}
            title={title}
            path={path}
            pages={pages.filter(({ navigation, isOwn = false }) => navigation === group && !(isOwn && isOther))}
          />
        ))}
        <section class="who">
          <p>
            <bdi>{session.value?.account.name}</bdi>
            {isAdmin() && <span class="tag">admin</span>}
          </p>
          <p class="aside">
            <Person />
          </p>
          <button type="button" onClick={leave}>
            Log out
          </button>
        </section>
      </nav>
    </>
  );
}

const alertParts = () => import('../pages/alerts/strip.js');
const AlertStrip = later(async () => (await alertParts()).AlertStrip, Nothing);
const AlertCount = later(async () => (await alertParts()).AlertCount, Nothing);

/** Leads to the alerts, on every page. */
function Bell() {
  useOwnHealth();
  return (
    <a class="bell" href="/alerts">
      Alerts <AlertCount />
    </a>
  );
}

interface LayoutProps {
  readonly pages: readonly Page[];
  /** Bars above each page. */
  readonly above: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Layout({ pages, above, children }: LayoutProps) {
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Band />
      <ViewingBar />
      {above}
      <header class="top">
        <a class="brand" href="/">
          Betting Ledger
        </a>
        <Find />
        <Bell />
        <Navigation pages={pages} />
      </header>
      <AlertStrip />
      <main id="page" tabIndex={-1}>
        {children}
      </main>
      <Alerts />
    </>
  );
}
