import { api, type Schemas } from '../../api/api.js';
import { usePages } from '../../api/resource.js';
import { type ActionProps, Confirm } from '../../forms/form.js';
import { useDialog } from '../../parts/actions.js';
import { rowButton } from '../../parts/data-table.js';
import { PagedTable } from '../../parts/paged-table.js';
import { Section } from '../../parts/section.js';
import { Time, timeOr } from '../../parts/time.js';
import { PersonLink } from '../people/person-link.js';

type Session = Schemas['Session'];

const EndSession = ({ of: { id, created_at, address }, ...props }: ActionProps & { readonly of: Session }) => (
  <Confirm
    {...props}
    title="End the session"
    action="End the session"
    send={(idempotencyKey) => api.delete('/auth/account/sessions/{id}', { idempotencyKey, params: { path: { id } } })}
    done="The session has ended"
  >
    <p>
      The session of <Time at={created_at} /> from <bdi>{address ?? 'an unknown address'}</bdi> ends at once. To go on
      there, log in again.
    </p>
  </Confirm>
);

/** The log-ins that have not ended, of this console and of programs. */
export function Sessions() {
  const sessions = usePages(
    ({ get }, cursor) => get('/auth/account/sessions', { params: { query: { per_page: 20, cursor } } }),
    [],
  );
  const ending = useDialog<Session>((session, close) => (
    <EndSession of={session} onDone={sessions.reload} onClose={close} />
  ));
  return (
    <Section title="Sessions" of={sessions}>
      {ending.dialog}
      <PagedTable
        of={sessions}
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
          { title: 'Person', text: ({ operator }) => PersonLink(operator) },
          { title: 'Address', text: ({ address }) => <bdi>{address ?? 'unknown'}</bdi> },
          { title: 'Last used', text: ({ last_used_at }) => timeOr('never', last_used_at) },
          { title: 'Expires', time: ({ expires_at }) => expires_at },
          rowButton('End', ({ id, current }) => (current ? undefined : `End the session ${id}`), ending.open),
        ]}
        keyOf={({ id }) => id}
        empty={<p>No session.</p>}
      />
    </Section>
  );
}
