import { useSignal } from '@preact/signals';
import { formatCount } from '../../parts/amount.js';
import type { Alert } from './alert-list.js';
import { type KnownAlerts, useAlerts } from './known-alerts.js';
import { useNotifications } from './notify.js';

/** The others are on the page of alerts. */
const SHOWN = 3;

const isQuiet = ({ alerts, unknown }: KnownAlerts): boolean => alerts?.length === 0 && unknown.length === 0;

const Linked = ({ of: { text, href } }: { readonly of: Alert }) => (
  <li>
    <a href={href}>
      <bdi>{text}</bdi>
    </a>
  </li>
);

function notKnown({ alerts, unknown }: KnownAlerts): string | undefined {
  if (alerts === undefined) return 'Not known whether anything is wrong';
  return unknown.length === 0 ? undefined : `Not known: ${unknown.join(', ')}`;
}

/** Above every page, while anything is wrong or not known, until the person hides it. What comes then shows it again. */
export function AlertStrip() {
  const known = useAlerts();
  const hidden = useSignal<ReadonlySet<string>>(new Set());
  useNotifications(known);
  if (known.isWaiting || isQuiet(known)) return <div class="strip" role="status" />;
  const shown = (known.alerts ?? []).filter(({ key }) => !hidden.value.has(key));
  const fault = notKnown(known);
  const more = shown.length - SHOWN;
  return (
    <div class="strip" role="status">
      {(shown.length > 0 || fault !== undefined) && (
        <>
          <ul class={fault !== undefined && shown.length === 0 ? 'plain warn' : 'plain'}>
            {shown.slice(0, SHOWN).map((alert) => (
              <Linked key={alert.key} of={alert} />
            ))}
            {more > 0 && (
              <li>
                <a href="/alerts">{formatCount(more)} more</a>
              </li>
            )}
            {fault !== undefined && (
              <li>
                <a href="/alerts">{fault}</a>
              </li>
            )}
          </ul>
          {shown.length > 0 && (
            <button
              type="button"
              class="quiet"
              aria-label="Hide these alerts"
              onClick={() => {
                hidden.value = new Set([...hidden.value, ...shown.map(({ key }) => key)]);
              }}
            >
              ×
            </button>
          )}
        </>
      )}
    </div>
  );
}

/** Beside the bell: how many there are. */
export function AlertCount() {
  const known = useAlerts();
  if (known.isWaiting) return null;
  if (known.alerts === undefined) return <span class="tag warn">?</span>;
  const count = formatCount(known.alerts.length);
  if (known.alerts.length > 0) return <span class="tag bad">{count}</span>;
  return known.unknown.length > 0 ? <span class="tag warn">?</span> : <span class="tag good">0</span>;
}
