import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { textOrNull } from '../../forms/use-form.js';
import { localText, momentOf } from '../../parts/days.js';
import { Time } from '../../parts/time.js';

type Labeled = Pick<Schemas['ListedWager'], 'reference' | 'event' | 'starts_at'>;

/** To the wagers of the event. */
export function EventLink({ event }: { readonly event: string }) {
  const query = new URLSearchParams({ event });
  return (
    <a href={`/wagers?${query}`}>
      <bdi>{event}</bdi>
    </a>
  );
}

/** What the wager is one of several on. */
export function EventOf({ wager }: { readonly wager: Labeled }) {
  const { event, starts_at: startsAt } = wager;
  return (
    <>
      {event === null ? '–' : <EventLink event={event} />}
      {startsAt !== null && (
        <p class="aside">
          starts <Time at={startsAt} />
        </p>
      )}
    </>
  );
}

export const EditEvent = ({ wager, ...props }: ActionProps & { readonly wager: Labeled }) => (
  <FormDialog
    {...props}
    title="Event"
    name={`event of ${wager.reference}`}
    action="Save"
    isStored={false}
    fields={{
      event: {
        label: 'Event',
        hint: 'The same text for all wagers on it, for example a match. Empty: none.',
        value: wager.event ?? '',
      },
      starts_at: {
        label: 'Starts at',
        hint: 'In the time zone of this browser. Nothing happens to the wager then.',
        value: localText(wager.starts_at),
        type: 'datetime-local',
      },
    }}
    send={({ event, starts_at }, idempotencyKey) =>
      api.put('/wagers/{reference}', {
        idempotencyKey,
        params: { path: { reference: wager.reference } },
        body: { event: textOrNull(event), starts_at: momentOf(starts_at) },
      })
    }
    done={({ data: { event } }) => (event === null ? 'The wager has no event' : 'The event is set')}
  />
);
