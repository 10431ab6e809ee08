import { useSignal } from '@preact/signals';
import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { Confirm } from '../../parts/confirm.js';
import { DataTable } from '../../parts/data-table.js';
import { PagedList } from '../../parts/paged-list.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';

type Session = Schemas['Session'];

interface SessionTableProps {
  readonly sessions: readonly Session[];
  readonly onEnd: (session: Session) => void;
}

function SessionTable({ sessions, onEnd }: SessionTableProps) {
  return (
    <DataTable
      caption="Sessions, newest first"
      hidesCaption
      columns={[
        {
          title: 'Logged in',
          text: ({ created_at, current }) => (
            <>
              <Time at={created_at} /> {current && <span class="tag good">this session</span>}
            </>
          ),
        },
        { title: 'Address', text: ({ address }) => <bdi>{address ?? 'unknown'}</bdi> },
        {
          title: 'Last used',
          text: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} />),
        },
        { title: 'Expires', time: ({ expires_at }) => expires_at },
        {
          title: 'End',
          hidesTitle: true,
          text: (session) =>
            !session.current && (
              <button type="button" aria-label={`End the session ${session.id}`} onClick={() => onEnd(session)}>
                End
              </button>
            ),
        },
      ]}
      items={sessions}
      keyOf={({ id }) => id}
      empty={<p>No session.</p>}
    />
  );
}

/** The log-ins that have not ended, of this console and of programs. */
export function Sessions() {
  const cursor = useSignal('');
  const ending = useSignal<Session | undefined>(undefined);
  const sessions = useResource(
    () => api.get('/auth/account/sessions', { params: { query: { per_page: 20, cursor: cursor.value } } }),
    [cursor.value],
  );
  return (
    <Section title="Sessions" of={sessions}>
      {ending.value !== undefined && (
        <EndSession
          session={ending.value}
          onDone={sessions.reload}
          onClose={() => {
            ending.value = undefined;
          }}
        />
      )}
      <PagedList of={sessions} cursor={cursor}>
        {(items) => (
          <SessionTable
            sessions={items}
            onEnd={(session) => {
              ending.value = session;
            }}
          />
        )}
      </PagedList>
    </Section>
  );
}

interface EndSessionProps {
  readonly session: Session;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function EndSession({ session: { id, created_at, address }, onDone, onClose }: EndSessionProps) {
  return (
    <Confirm
      title="End the session"
      name={`end the session ${id}`}
      action="End the session"
      send={(idempotencyKey) => api.delete('/auth/account/sessions/{id}', { idempotencyKey, params: { path: { id } } })}
      done="The session has ended"
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        The session of <Time at={created_at} /> from <bdi>{address ?? 'an unknown address'}</bdi> ends at once. To go on
        there, log in again.
      </p>
    </Confirm>
  );
}
