import { useEffect } from 'preact/hooks';
import { askedProof } from './api/proof.js';
import {
  CONFIRM_PATH,
  FORGOT_PATH,
  hasEnded,
  INVITATION_PATH,
  isAdmin,
  isAway,
  RESET_PATH,
  readSession,
  session,
} from './api/session.js';
import { viewedAccount } from './api/viewed-account.js';
import { followSession } from './live/shared-events.js';
import { UndoBar } from './pages/later-dialogs.js';
import { pages } from './pages/pages.js';
import { later } from './parts/later.js';
import { LoadFault } from './parts/loaded.js';
import { NotFound } from './parts/not-found.js';
import { decided, restoreUndo } from './shell/decided.js';
import { keepAccount } from './shell/keep-account.js';
import { Layout } from './shell/layout.js';
import { LoginDialog, LoginPage } from './shell/login.js';
import type { Page } from './shell/page.js';
import { ProofDialog } from './shell/proof-dialog.js';
import { address, matchPath, startRouter } from './shell/router.js';

keepAccount(pages);

// Most people open none of them.
const outside = () => import('./shell/outside-views.js');
const AcceptInvitationPage = later(async () => (await outside()).AcceptInvitationPage);
const ConfirmEmailPage = later(async () => (await outside()).ConfirmEmailPage);
const ForgotPasswordPage = later(async () => (await outside()).ForgotPasswordPage);
const ResetPasswordPage = later(async () => (await outside()).ResetPasswordPage);
const RequiredFactorPage = later(async () => (await outside()).RequiredFactorPage);

const placeOf = (url: string): URL => new URL(url, location.origin);

/** Loads the view of this address, if it does not come with the first script. */
export async function loadViewAt(url: string): Promise<void> {
  await pages.find(({ path }) => matchPath(path, placeOf(url).pathname) !== undefined)?.loadView?.();
}

/** The page of the address. Another address of the same page is another view, which begins anew. */
function CurrentPage({ shown }: { readonly shown: readonly Page[] }) {
  const { pathname, searchParams } = placeOf(address.value);
  // What an admin sees of another account begins anew.
  const key = `${pathname} ${viewedAccount.value ?? ''}`;
  for (const { path, view: View } of shown) {
    const params = matchPath(path, pathname);
    if (params !== undefined) return <View key={key} params={params} query={Object.fromEntries(searchParams)} />;
  }
  return <NotFound />;
}

/** The pages, for the account that has logged in. */
function Pages() {
  useEffect(startRouter, []);
  useEffect(followSession, []);
  useEffect(restoreUndo, []);
  const shown = pages.filter(({ isForAdmins = false }) => !isForAdmins || isAdmin());
  return (
    <>
      <Layout pages={shown} above={decided.value.length > 0 && viewedAccount.value === undefined && <UndoBar />}>
        <CurrentPage shown={shown} />
      </Layout>
      {askedProof.value && <ProofDialog onAnswer={askedProof.value} />}
      {hasEnded.value && <LoginDialog />}
    </>
  );
}

export function App() {
  const { pathname, searchParams } = placeOf(address.value);
  if (pathname === CONFIRM_PATH) return <ConfirmEmailPage token={searchParams.get('token') ?? ''} />;
  if (pathname === INVITATION_PATH) return <AcceptInvitationPage token={searchParams.get('token') ?? ''} />;
  if (pathname === FORGOT_PATH) return <ForgotPasswordPage />;
  if (pathname === RESET_PATH) return <ResetPasswordPage />;
  if (isAway.value) {
    return (
      <main class="login">
        <h1>Betting Ledger</h1>
        <LoadFault error="The console does not answer." onRetry={() => void readSession()} />
      </main>
    );
  }
  if (session.value === undefined) return <main class="login" aria-busy="true" />;
  if (session.value === null) return <LoginPage />;
  return session.value.mustAddFactor ? <RequiredFactorPage /> : <Pages />;
}
