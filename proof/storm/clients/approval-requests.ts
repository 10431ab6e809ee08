import { type Schemas, successOf } from '../history.js';
import { planDecisionOf } from './bet-requests.js';
import type { Client } from './client.js';
import { carryOut } from './plan.js';

// Decisions that one person asks for and another one approves, rejects, or approves twice at once.

interface Asked {
  readonly id: number;
  readonly revision: number;
  readonly decision: Schemas['DecideWager'];
}

const OUTCOMES = ['win', 'loss', 'push'] as const;
const ANY_REFUSAL = { expected: 'success or conflict' } as const;

async function ask(client: Client, decision: Schemas['DecideWager']): Promise<Asked | undefined> {
  const body = {
    operation: { type: 'update_wager_outcome', ...decision },
    reason: `The match is over: ${client.newName()}`,
  } satisfies Schemas['CreateChangeRequest'];
  const asked = await client.post('ask', '/change-requests', body, ANY_REFUSAL);
  const made = successOf<{ readonly data: Pick<Asked, 'id' | 'revision'> }>(asked)?.data;
  return made && { id: made.id, revision: made.revision, decision };
}

const approve = (client: Client, { id, revision, decision }: Asked) =>
  client.post('approve', `/change-requests/${id}/approve`, { revision } satisfies Schemas['ApproveChangeRequest'], {
    ...ANY_REFUSAL,
    token: client.known.approver,
    approves: { kind: 'decide', data: decision },
  });

const reject = (client: Client, { id }: Asked) =>
  client.post(
    'end-request',
    `/change-requests/${id}/reject`,
    { reason: 'The match is still running' },
    {
      ...ANY_REFUSAL,
      token: client.known.approver,
    },
  );

/** Approves it, also twice at once, beside a direct decision, or after its rejection. */
export async function decideByTwo(client: Client): Promise<void> {
  const { chance, known } = client;
  if (known.approver === undefined) return;
  const reference = known.nextToDecide() ?? known.wagers.pick(chance);
  if (reference === undefined) return;
  const asked = await ask(client, { reference, outcome: chance.pick(OUTCOMES) });
  if (asked === undefined) return;
  if (chance.happens(0.15)) await reject(client, asked);
  const atOnce = chance.pickWeighted<{ weight: number; start: () => readonly Promise<unknown>[] }>([
    { weight: 5, start: () => [] },
    { weight: 3, start: () => [approve(client, asked)] },
    { weight: 2, start: () => [carryOut(client, planDecisionOf(reference, chance.pick(OUTCOMES)))] },
  ]);
  await Promise.all([approve(client, asked), ...atOnce.start()]);
}
