import type { ComponentType } from 'preact';
import { api, type Schemas } from '../api/api.js';
import { useResource } from '../api/resource.js';
import { session } from '../api/session.js';
import { type ActionProps, Confirm, FormDialog } from '../forms/form.js';
import { isLive } from '../live/liveness.js';
import { Actions } from '../parts/actions.js';
import { AsOf, Loaded } from '../parts/loaded.js';
import { Facts } from '../parts/named.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import { Heading } from '../shell/heading.js';
import type { PageProps } from '../shell/page.js';
import { isAboutRequests } from './approvals/following.js';
import { operationText, StateTag, targetAddress } from './approvals/operation-text.js';
import { ABOUT_BETS } from './ledger/following.js';
import { Movement } from './ledger/preview.js';

type Details = Schemas['ChangeRequestDetails'];

interface Seen {
  readonly request: Details;
  readonly onDone: () => void;
}

const pathOf = (id: number) => ({ params: { path: { id } } });

const RequestFacts = ({ request }: Omit<Seen, 'onDone'>) => {
  const { made_by, reason, approved_by, decided_by, decision_reason, failure, suspended } = request;
  const about = targetAddress(request);
  return (
    <Facts
      of={{
        State: <StateTag state={request.state} />,
        About: about !== undefined && <a href={about}>Show it</a>,
        'Asked by': <bdi>{made_by.name}</bdi>,
        Asked: <Time at={request.created_at} />,
        Why: reason !== null && <bdi>{reason}</bdi>,
        'Approval of': request.approval_of === 'both' ? 'the account and an admin' : `the ${request.approval_of}`,
        Meanwhile: suspended && request.state === 'pending' && 'its wager is suspended',
        Expires: request.state === 'pending' && <Time at={request.expires_at} />,
        'First approved by': approved_by !== null && <bdi>{approved_by.name}</bdi>,
        'Decided by': decided_by !== null && <bdi>{decided_by.name}</bdi>,
        Decided: request.decided_at !== null && <Time at={request.decided_at} />,
        'Reason of the decision': decision_reason !== null && <bdi>{decision_reason}</bdi>,
        Failure: failure !== null && <bdi>{failure}</bdi>,
      }}
    />
  );
};

interface DialogProps extends ActionProps {
  readonly request: Details;
}

/** After a refusal the page shows what has changed. */
const Approve = ({ request, onDone, onClose }: DialogProps) => (
  <Confirm
    title="Approve"
    action="Approve and do it"
    decides
    send={(idempotencyKey) =>
      api.post('/change-requests/{id}/approve', {
        idempotencyKey,
        ...pathOf(request.id),
        body: { revision: request.revision },
      })
    }
    done={({ message }) => message}
    onClose={() => {
      onDone?.();
      onClose();
    }}
  >
    <p>
      <bdi>{operationText(request)}</bdi>. It is done at once, and only if every user still moves as was shown.
    </p>
  </Confirm>
);

const Reject = ({ request, ...props }: DialogProps) => (
  <FormDialog
    {...props}
    title="Reject"
    name={`reject ${request.id}`}
    action="Reject"
    fields={{ reason: { label: 'Why', hint: 'At least 10 characters.', isRequired: true } }}
    send={({ reason }, idempotencyKey) =>
      api.post('/change-requests/{id}/reject', { idempotencyKey, ...pathOf(request.id), body: { reason } })
    }
    done={({ message }) => message}
  >
    <p>
      <bdi>{operationText(request)}</bdi> is not done.
    </p>
  </FormDialog>
);

const Withdraw = ({ request, ...props }: DialogProps) => (
  <Confirm
    {...props}
    title="Withdraw the request"
    action="Withdraw it"
    send={(idempotencyKey) => api.post('/change-requests/{id}/withdraw', { idempotencyKey, ...pathOf(request.id) })}
    done={({ message }) => message}
  >
    <p>Only the person who asked can withdraw it.</p>
  </Confirm>
);

function RequestActions({ request, onDone }: Seen) {
  const isMaker = request.made_by.operator_id === session.value?.operator?.id;
  const isForAdmins = request.approval_of !== 'account';
  const isOver = request.state !== 'pending';
  const ofOthers = { least: 'approver', isHidden: isOver || isMaker, isOff: !isLive.value, isForAdmins } as const;
  const ofMaker = { least: 'trader', isHidden: isOver || !isMaker, isOff: !isLive.value } as const;
  const dialogOf = (View: ComponentType<DialogProps>) => (close: () => void) => (
    <View request={request} onDone={onDone} onClose={close} />
  );
  return (
    <Actions
      of={{
        approve: { ...ofOthers, text: 'Approve …', isMain: true, dialog: dialogOf(Approve) },
        reject: { ...ofOthers, text: 'Reject …', dialog: dialogOf(Reject) },
        withdraw: { ...ofMaker, text: 'Withdraw …', dialog: dialogOf(Withdraw) },
      }}
    />
  );
}

function Movements({ request }: Omit<Seen, 'onDone'>) {
  const { preview, now } = request;
  if (preview === null) return null;
  const isChanged = request.as_shown === false;
  return (
    <>
      {isChanged && (
        <p class="note" role="status">
          It would no longer do what was shown, so it cannot be approved. Withdraw or reject it, and ask again.
        </p>
      )}
      <Section title={isChanged ? 'What it moved when it was asked for' : 'What it moves'}>
        <Movement of={preview} />
      </Section>
      {isChanged && now !== null && (
        <Section title="What it would move now">
          <Movement of={now} />
        </Section>
      )}
    </>
  );
}

export function ApprovalPage({ params }: PageProps) {
  const id = Number(params.id);
  const loaded = useResource(({ get }) => get('/change-requests/{id}', pathOf(id)), [id], {
    ...isAboutRequests(id, ABOUT_BETS),
  });
  return (
    <>
      <Heading text={`Change request ${params.id}`} />
      <Loaded of={loaded}>
        {({ data: request }) => (
          <>
            <AsOf of={loaded} />
            <p class="lead">
              <bdi>{operationText(request)}</bdi>
            </p>
            <RequestFacts request={request} />
            <RequestActions request={request} onDone={loaded.reload} />
            <Movements request={request} />
          </>
        )}
      </Loaded>
    </>
  );
}
