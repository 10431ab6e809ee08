import { signal } from '@preact/signals';

// Short messages about what was done. They stay until they are dismissed, or for a while.

interface Alert {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 8_000;
const MOST_ALERTS = 4;

const alerts = signal<readonly Alert[]>([]);
let lastId = 0;

const dismiss = (id: number) => {
  alerts.value = alerts.value.filter((alert) => alert.id !== id);
};

/** Says what was done, also to screen readers. */
export function announce(text: string): void {
  lastId += 1;
  const id = lastId;
  alerts.value = [...alerts.value, { id, text }].slice(-MOST_ALERTS);
  setTimeout(() => dismiss(id), SHOWN_MS);
}

export function Alerts() {
  return (
    <div class="alerts" role="status">
      {alerts.value.map(({ id, text }) => (
        <p key={id}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
