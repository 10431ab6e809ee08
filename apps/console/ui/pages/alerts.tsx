import { useSignal } from '@preact/signals';
import { ownHealth } from '../live/own-health.js';
import { DataTable } from '../parts/data-table.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import { useAlerts } from './alerts/known-alerts.js';
import { canNotify, isNotifying, turnNotifying } from './alerts/notify.js';

/** Remembered in this browser. */
function Notifications() {
  const fault = useSignal('');
  if (!canNotify) return null;
  const turn = (on: boolean) => {
    turnNotifying(on).then(
      (isDone) => {
        fault.value = isDone ? '' : 'The browser does not allow it: change that in its settings for this site.';
      },
      (error: unknown) => reportError(error),
    );
  };
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={isNotifying.value}
          onChange={({ currentTarget }) => {
            turn(currentTarget.checked);
            currentTarget.checked = isNotifying.peek();
          }}
        />{' '}
        Show new alerts as notifications of the browser
      </label>
      <p class="hint" role="status">
        {fault.value}
      </p>
    </div>
  );
}

export function AlertsPage() {
  const { alerts, unknown, isWaiting } = useAlerts();
  const health = ownHealth.value;
  return (
    <>
      <Heading text="Alerts" />
      <AsOf of={health} />
      <Notifications />
      {unknown.length > 0 && <p class="fault">Not known now: {unknown.join(', ')}.</p>}
      {alerts === undefined && !isWaiting && <p class="fault">Not known now whether anything is wrong.</p>}
      <Loaded of={health}>
        {() =>
          alerts !== undefined && (
            <DataTable
              caption="Alerts, the most urgent first"
              hidesCaption
              columns={[
                {
                  title: 'Alert',
                  text: ({ text, href }) => (
                    <a href={href}>
                      <bdi>{text}</bdi>
                    </a>
                  ),
                },
                { title: 'Since', text: ({ since }) => since != null && <Time at={since} /> },
              ]}
              items={alerts}
              keyOf={({ key }) => key}
              empty={<p>{unknown.length === 0 ? 'Nothing is wrong.' : 'Nothing else is wrong.'}</p>}
            />
          )
        }
      </Loaded>
    </>
  );
}
