import { api, type Schemas } from '../../api/api.js';
import { type ActionProps, Confirm, FormDialog } from '../../forms/form.js';
import { textOrNull } from '../../forms/use-form.js';
import { isLive } from '../../live/liveness.js';
import { type Action, Actions } from '../../parts/actions.js';
import { localText, momentOf } from '../../parts/days.js';
import { areKeysOn, turnKeys } from '../../parts/keys.js';
import { EditEvent } from './event-label.js';

type Wager = Pick<Schemas['ListedWager'], 'reference' | 'outcome' | 'status' | 'closes_at' | 'event' | 'starts_at'>;

interface ClockProps extends ActionProps {
  readonly wager: Wager;
}

const REASON = { label: 'Reason', hint: 'Shown with the wager and in its event. It may be left empty.' };
const OFFERS = [
  ['', 'Keep their places'],
  ['cancel', 'Are canceled'],
] as const;

const messageOf = ({ message }: { readonly message: string }) => message;

const Suspend = ({ wager: { reference }, ...props }: ClockProps) => (
  <FormDialog
    {...props}
    title="Suspend the wager"
    name={`suspend ${reference}`}
    action="Suspend"
    isStored={false}
    fields={{
      reason: REASON,
      cancel_offers: {
        label: 'Open offers',
        hint: 'Those that ask for it are canceled in any case.',
        choices: OFFERS,
      },
    }}
    send={({ reason, cancel_offers }, idempotencyKey) =>
      api.post('/wagers/{reference}/suspend', {
        idempotencyKey,
        params: { path: { reference } },
        body: { reason: textOrNull(reason), cancel_offers: cancel_offers !== '' },
      })
    }
    done={messageOf}
  >
    <p>
      Nobody makes or accepts offers on <bdi>{reference}</bdi> until it is resumed.
    </p>
  </FormDialog>
);

const Resume = ({ wager: { reference }, ...props }: ClockProps) => (
  <Confirm
    {...props}
    title="Resume the wager"
    action="Resume"
    decides
    enterConfirms
    send={(idempotencyKey) =>
      api.post('/wagers/{reference}/resume', { idempotencyKey, params: { path: { reference } } })
    }
    done={messageOf}
  >
    <p>
      From then on <bdi>{reference}</bdi> takes offers and acceptances again. Offers that are still open have kept their
      places.
    </p>
  </Confirm>
);

const Close = ({ wager: { reference }, ...props }: ClockProps) => (
  <FormDialog
    {...props}
    title="Close the wager"
    name={`close ${reference}`}
    action="Close for good"
    decides
    isStored={false}
    fields={{ reason: REASON }}
    send={({ reason }, idempotencyKey) =>
      api.post('/wagers/{reference}/close', {
        idempotencyKey,
        params: { path: { reference } },
        body: { reason: textOrNull(reason) },
      })
    }
    done={messageOf}
  >
    <p>
      <bdi>{reference}</bdi> never takes offers or acceptances again: only its decision follows.
    </p>
  </FormDialog>
);

const Schedule = ({ wager: { reference, closes_at: closesAt }, ...props }: ClockProps) => (
  <FormDialog
    {...props}
    title="Closing time"
    name={`schedule ${reference}`}
    action="Save"
    isStored={false}
    fields={{
      closes_at: {
        label: 'Closes at',
        hint: 'In the time zone of this browser. Empty: at no time.',
        value: localText(closesAt),
        type: 'datetime-local',
      },
    }}
    send={({ closes_at }, idempotencyKey) =>
      api.put('/wagers/{reference}', {
        idempotencyKey,
        params: { path: { reference } },
        body: { closes_at: momentOf(closes_at) },
      })
    }
    done={({ data }) => (data.closes_at === null ? 'The wager closes at no time' : 'The closing time is set')}
  >
    <p>
      From then on <bdi>{reference}</bdi> takes no offer and no acceptance. Once it has passed, it stays.
    </p>
  </FormDialog>
);

interface ClockActionsProps {
  readonly wager: Wager;
  readonly onDone: () => void;
}

/** The key that stops betting, and lets it go on. */
const KEY = 's';

/**
 * A business suspends and resumes its wager, as often as it must. It may suspend while the page does not follow the ledger: that
 * is when in doubt it must.
 */
export function ClockActions({ wager, onDone }: ClockActionsProps) {
  const { outcome, status } = wager;
  const isHidden = outcome !== 'undecided' || status === 'closed';
  const shared = { isLarge: true, key: KEY, isHidden, least: 'trader' } as const;
  const given = { wager, onDone };
  return (
    <>
      <Actions
        of={{
          suspend: {
            ...shared,
            text: 'Suspend',
            isMain: status === 'open',
            isOff: status !== 'open',
            dialog: (close) => <Suspend {...given} onClose={close} />,
          },
          resume: {
            ...shared,
            text: 'Resume',
            isMain: status === 'suspended',
            isOff: status !== 'suspended' || !isLive.value,
            dialog: (close) => <Resume {...given} onClose={close} />,
          },
        }}
      />
      {!isHidden && (
        <label class="option">
          <input
            type="checkbox"
            checked={areKeysOn.value}
            onChange={({ currentTarget }) => turnKeys(currentTarget.checked)}
          />{' '}
          The key <kbd>{KEY}</kbd> asks to suspend or to resume, <kbd>t</kbd> to trade, <kbd>d</kbd> to decide
        </label>
      )}
    </>
  );
}

interface ClockDialogsProps extends ClockActionsProps {
  readonly isHidden: boolean;
  readonly isOwn: boolean;
}

/** What a business does once: it says of what event a wager is, and when it closes, or closes it. */
export const clockDialogs = ({ isHidden, isOwn, ...given }: ClockDialogsProps) => {
  const isOver = isHidden || given.wager.status === 'closed';
  return {
    event: {
      text: 'Event …',
      least: 'trader',
      isHidden: !isOwn,
      dialog: (close) => <EditEvent {...given} onClose={close} />,
    },
    schedule: {
      text: 'Closing time …',
      least: 'trader',
      isHidden: isOver,
      dialog: (close) => <Schedule {...given} onClose={close} />,
    },
    close: {
      text: 'Close …',
      least: 'settler',
      isOff: !isLive.value,
      isHidden: isOver,
      dialog: (close) => <Close {...given} onClose={close} />,
    },
  } satisfies Record<string, Action>;
};
