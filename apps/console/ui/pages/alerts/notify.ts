import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../api/api.js';
import { viewedAccount } from '../../api/viewed-account.js';
import { route } from '../../shell/router.js';
import { type Alert, alertsOf, type SeenAlerts, seenAfter, unknownParts } from './alert-list.js';
import type { KnownAlerts } from './known-alerts.js';

// The browser's own notifications of new alerts, when the person wants them. One tab of the browser shows them, also while it
// is hidden; then it asks by itself.

const STORED = 'console:notify';
const LOCK = 'console-notify';
const HIDDEN_POLL_MS = 15_000;

export const canNotify = 'Notification' in globalThis;

export const isNotifying = signal(
  canNotify && Notification.permission === 'granted' && localStorage.getItem(STORED) !== null,
);

/** False: the browser does not allow it. */
export async function turnNotifying(on: boolean): Promise<boolean> {
  const isAllowed = on && (await Notification.requestPermission()) === 'granted';
  isNotifying.value = isAllowed;
  if (isAllowed) localStorage.setItem(STORED, 'true');
  else localStorage.removeItem(STORED);
  return isAllowed === on;
}

function show({ key, text, href }: Alert): void {
  const shown = new Notification('Betting Ledger', { body: text, tag: key });
  shown.onclick = () => {
    window.focus();
    route(href);
    shown.close();
  };
}

/** Undefined where the browser has no locks: then each tab shows them, and their tags make them one. */
function becomeNotifier(onLead: () => void): () => void {
  if (navigator.locks === undefined) {
    onLead();
    return () => undefined;
  }
  const stop = new AbortController();
  const held = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  const hold = () => {
    onLead();
    return held;
  };
  navigator.locks.request(LOCK, { signal: stop.signal }, hold).catch((error: unknown) => {
    if (!stop.signal.aborted) reportError(error);
  });
  return () => stop.abort();
}

/** Shows each alert that was not there before. */
export function useNotifications({
  alerts,
  unknownParts: unknown,
}: Pick<KnownAlerts, 'alerts' | 'unknownParts'>): void {
  const seenRef = useRef<SeenAlerts | undefined>(undefined);
  const leadsRef = useRef(false);
  const accountRef = useRef<number | undefined>(undefined);
  const take = (found: readonly Alert[], notKnown: KnownAlerts['unknownParts']) => {
    // Another account has others.
    const seen = accountRef.current === viewedAccount.peek() ? seenRef.current : undefined;
    accountRef.current = viewedAccount.peek();
    seenRef.current = seenAfter(seen, found, notKnown);
    if (seen === undefined || !leadsRef.current) return;
    for (const alert of found) if (!seen.has(alert.key)) show(alert);
  };
  const keys = alerts && [...alerts.map(({ key }) => key), ...unknown].join('\n');
  useEffect(() => {
    if (alerts !== undefined) take(alerts, unknown);
  }, [keys]);
  const isWanted = isNotifying.value;
  useEffect(() => {
    if (!isWanted) return undefined;
    const leave = becomeNotifier(() => {
      leadsRef.current = true;
    });
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' || !leadsRef.current) return;
      api.get('/account/health').then(
        ({ data }) => take(alertsOf(data), unknownParts(data)),
        () => undefined,
      );
    }, HIDDEN_POLL_MS);
    return () => {
      leadsRef.current = false;
      clearInterval(timer);
      leave();
    };
  }, [isWanted]);
}
