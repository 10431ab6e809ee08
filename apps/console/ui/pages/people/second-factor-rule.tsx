import { api } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { type ActionProps, Confirm } from '../../forms/form.js';
import { Actions } from '../../parts/actions.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';

const save = (isRequired: boolean) => () =>
  api.patch('/auth/account/preferences', { body: { require_second_factor: isRequired } });

const Ask = (props: ActionProps) => (
  <Confirm
    {...props}
    title="Ask everybody for a second factor"
    hasNoKey
    action="Ask for it"
    send={save(true)}
    done="Everybody needs a second factor"
  >
    <p>
      Who has none can only add one, from now on. API keys go on as before. You need a second factor of your own first.
    </p>
  </Confirm>
);

const LeaveToEach = (props: ActionProps) => (
  <Confirm
    {...props}
    title="Leave the second factor to each person"
    hasNoKey
    action="Leave it to each"
    send={save(false)}
    done="Each person chooses"
  >
    <p>A password alone is then enough for who has no second factor, and everybody may remove theirs.</p>
  </Confirm>
);

/** Whether everybody needs a second factor. Only an owner changes it. */
export function SecondFactorRule() {
  const preferences = useResource(({ get }) => get('/auth/account/preferences'), [], {
    types: ['account.updated'],
  });
  const opening = (Opened: typeof Ask) => (close: () => void) => <Opened onDone={preferences.reload} onClose={close} />;
  return (
    <Section title="Second factor">
      <Loaded of={preferences}>
        {({ data: { require_second_factor: isRequired = false } }) => (
          <>
            <p>
              {isRequired
                ? 'Everybody needs a second factor: who has none can only add one.'
                : 'Each person chooses whether to have a second factor.'}
            </p>
            <Actions
              of={{
                ask: { text: 'Ask everybody for one', least: 'owner', isHidden: isRequired, dialog: opening(Ask) },
                leave: {
                  text: 'Leave it to each person',
                  least: 'owner',
                  isHidden: !isRequired,
                  dialog: opening(LeaveToEach),
                },
              }}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
