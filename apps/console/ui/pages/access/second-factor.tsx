import { api, type Schemas } from '../../api/api.js';
import { useResource } from '../../api/resource.js';
import { FACTOR_CODE, PASSWORD } from '../../forms/fields.js';
import { type ActionProps, FormDialog } from '../../forms/form.js';
import { Actions } from '../../parts/actions.js';
import { Dialog } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/section.js';
import { Time } from '../../parts/time.js';
import { AddFactor } from './add-factor.js';

const RemoveFactor = (props: ActionProps) => (
  <FormDialog
    {...props}
    title="Remove the second factor"
    name="remove the second factor"
    hasNoKey
    action="Remove"
    fields={{ password: PASSWORD, code: FACTOR_CODE }}
    send={(body) => api.delete('/auth/account/second-factor', { body })}
    done="The second factor is removed"
  >
    <p>Your password is then enough to log in.</p>
  </FormDialog>
);

interface StateProps {
  readonly of: Schemas['SecondFactor'];
  readonly onChanged: () => void;
}

function State({ of: { added_at: addedAt, recovery_codes: left }, onChanged }: StateProps) {
  const remove = {
    text: 'Remove',
    dialog: (close: () => void) => <RemoveFactor onDone={onChanged} onClose={close} />,
  };
  const add = {
    text: 'Add a second factor',
    dialog: (close: () => void) => {
      const end = () => {
        close();
        onChanged();
      };
      return (
        <Dialog title="Add a second factor" onClose={end}>
          <AddFactor onDone={end} />
        </Dialog>
      );
    },
  };
  return (
    <>
      {addedAt === null ? (
        <p>Your log-in needs your password alone. With a second factor it needs a code of an authenticator app, too.</p>
      ) : (
        <p>
          Your log-in needs a code, since <Time at={addedAt} />. {left} recovery {left === 1 ? 'code is' : 'codes are'}{' '}
          left.
        </p>
      )}
      <Actions of={addedAt === null ? { add } : { remove }} />
    </>
  );
}

/** Of the person who has logged in. */
export function SecondFactorSection() {
  const factor = useResource(({ get }) => get('/auth/account/second-factor'), []);
  return (
    <Section title="Second factor">
      <Loaded of={factor}>{({ data }) => <State of={data} onChanged={factor.reload} />}</Loaded>
    </Section>
  );
}
