import { LocationProvider, Route, Router } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { hasEnded, isAdmin, readSession, session } from './api/session.js';
import { followSession } from './live/shared-events.js';
import { pages } from './pages/pages.js';
import { LoadFault } from './parts/loaded.js';
import { NotFound } from './parts/not-found.js';
import { Layout } from './shell/layout.js';
import { LoginDialog, LoginPage } from './shell/login.js';

/** The pages, for the account that has logged in. */
function Pages() {
  useEffect(followSession, []);
  const shown = pages.filter(({ isForAdmins = false }) => !isForAdmins || isAdmin());
  return (
    <LocationProvider>
      <Layout pages={shown}>
        <Router>
          {shown.map(({ path, view }) => (
            <Route key={path} path={path} component={view} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </Layout>
      {hasEnded.value && <LoginDialog />}
    </LocationProvider>
  );
}

export function App() {
  const fault = useSignal<unknown>(undefined);
  const open = () => {
    fault.value = undefined;
    readSession().catch((error: unknown) => {
      fault.value = error;
    });
  };
  useEffect(open, []);
  if (fault.value !== undefined) {
    return (
      <main class="login">
        <h1>Betting Ledger</h1>
        <LoadFault error="The console does not answer." onRetry={open} />
      </main>
    );
  }
  if (session.value === undefined) return <main class="login" aria-busy="true" />;
  return session.value === null ? <LoginPage /> : <Pages />;
}
