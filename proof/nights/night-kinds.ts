import type { Business } from './business.js';
import { eventually, Finding } from './eventually.js';
import type { Stack } from './stack.js';

/* What a night may be like. Each ends when the day before it should be closed, however it went. */

export interface Night {
  readonly stack: Stack;
  readonly business: Business;
  /** 0:00 of the day that begins with it. */
  readonly midnight: number;
}

export interface NightKind {
  readonly name: string;
  readonly play: (night: Night) => Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The table that an audit writes first, when it has looked at everything. */
const FIRST_WRITTEN = 'daily_reconciliations';

/** The worker waits for its next job for ten seconds at most: any other job makes it look now. */
const wakeWorkers = (stack: Stack) => stack.maintenance.add('housekeeping', {}, { removeOnComplete: true });

/** By hand, as in Bull Board. */
export const addAudit = (stack: Stack) => stack.maintenance.add('audit', {}, { attempts: 1 });

const toHour = ({ stack, midnight }: Night, hour: number) => stack.jumpTo(midnight + hour * HOUR_MS);

/** The worker's own job at 3:00. */
async function asPlanned(night: Night): Promise<void> {
  await toHour(night, 3);
  await wakeWorkers(night.stack);
}

/** As many audits as that have looked at everything, and wait to write it. */
const untilHeld = (stack: Stack, audits: number) =>
  eventually(`${audits} audits at work`, async () => {
    const waiting = await stack.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = '${FIRST_WRITTEN}'::regclass`,
    );
    return waiting.length >= audits;
  });

async function onceMore(night: Night): Promise<void> {
  await asPlanned(night);
  for (const hour of [4, 5]) {
    await toHour(night, hour);
    await addAudit(night.stack);
    await night.business.act(1);
  }
}

async function late(night: Night): Promise<void> {
  await night.stack.maintenance.pause();
  for (const hour of [3, 8, 14]) {
    await toHour(night, hour);
    await night.business.act(2);
  }
  await night.stack.maintenance.resume();
  await wakeWorkers(night.stack);
}

/** Meanwhile the business continues. */
async function heldWith(night: Night, audits: number, meanwhile: () => Promise<unknown>): Promise<void> {
  await night.stack.whileHeld(FIRST_WRITTEN, async () => {
    for (let count = 0; count < audits; count += 1) await addAudit(night.stack);
    await untilHeld(night.stack, audits);
    await night.business.act(2);
    await meanwhile();
  });
}

/** Both workers audit at once. */
async function overlapping(night: Night): Promise<void> {
  await toHour(night, 2);
  await heldWith(night, 2, async () => undefined);
  await asPlanned(night);
}

async function killed(night: Night): Promise<void> {
  await toHour(night, 2.5);
  await heldWith(night, 1, () => night.stack.killWorkers());
  await asPlanned(night);
}

/** The remedy of docs/operations.md, while an audit is at work. By the clock of one worker the planned audit may be over. */
async function closingDeleted(night: Night): Promise<void> {
  const { stack, business } = night;
  await toHour(night, 2);
  await heldWith(night, 1, () =>
    stack.query('DELETE FROM account_closings WHERE account_id = $1', [business.accountId]),
  );
  await asPlanned(night);
  await addAudit(stack);
}

/** A balance is overwritten past the ledger, and a provider corrects it, as docs/operations.md says, before an audit looks. */
async function corrected(night: Night): Promise<void> {
  const { stack, business, midnight } = night;
  await toHour(night, 2.5);
  await stack.maintenance.pause();
  await eventually('no audit is at work', () => stack.hasNoAudit());
  await stack.untilDone();
  const overwritten = await stack.query<{ user_id: string }>(
    `UPDATE balances SET balance = balance + 7000000 WHERE account_id = $1
        AND user_id = (SELECT min(user_id) FROM balances WHERE account_id = $1) RETURNING user_id::text`,
    [business.accountId],
  );
  const user = overwritten[0]?.user_id ?? '';
  const keep = (midnight / DAY_MS) % 2 === 0 ? 'transactions' : 'balance';
  const named = ['--account', String(business.accountId), '--user', user, '--keep', keep];
  const command = await stack.runCommand('audit', '--correct', ...named, '--reason', 'overwritten by SQL');
  if (!command.succeeded) throw new Finding(`the correction of a balance: ${command.output}`);
  await business.act(2);
  await stack.maintenance.resume();
  await asPlanned(night);
}

export const nightKinds: readonly [NightKind, ...NightKind[]] = [
  { name: 'as planned', play: asPlanned },
  { name: 'audited again', play: onceMore },
  { name: 'late', play: late },
  { name: 'overlapping', play: overlapping },
  { name: 'killed half-way', play: killed },
  { name: 'closing deleted', play: closingDeleted },
  { name: 'balance corrected', play: corrected },
];
