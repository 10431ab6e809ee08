import { formatMicros } from '#core/money.js';
import { checkLinearizable, type Interval } from '#proof/linearizability/linearizability.js';
import { micros } from '#tools/shared/amounts.js';
import { finalAnswer, type Operation, type Schemas, textOf } from '../../history.js';
import { nameOf, usersIn } from '../answers/check-answers.js';
import { type BetTerms, readBetTerms } from '../bet-terms.js';
import type { AcknowledgedEffects, Effect, UserNames } from '../effects.js';
import type { CheckInput, Finding, Queryable } from '../finding.js';
import { BalanceModel, type Claim, type Reason } from './balance-model.js';

// Whether one order of an account's operations explains all answers that its clients got.

const CHECK = 'balances are linearizable';

export interface Linearizability {
  readonly findings: readonly Finding[];
  /** A line for each account. */
  readonly facts: readonly string[];
}

interface TimedClaim extends Claim, Interval {
  readonly operation: Operation;
}

export async function checkBalances({ history, effects, database }: CheckInput): Promise<Linearizability> {
  const terms = await readBetTerms(database);
  const findings: Finding[] = [];
  const facts: string[] = [];
  const tooLarge = await wagersLeftToWorkers(database);
  for (const account of history.accounts.filter(({ role }) => role === 'plain')) {
    const wager = tooLarge.get(account.id);
    if (wager !== undefined) {
      const text = `${account.name}: not checked; ${wager} had more bets than a decision settles by itself, against the storm's own assumption`;
      findings.push({ check: CHECK, text });
      continue;
    }
    const claims = history.operations
      .filter((each) => each.account.id === account.id)
      .flatMap((each) => claimOf(each, effects));
    const bets = terms.filter(({ accountId }) => accountId === account.id);
    const result = checkLinearizable<TimedClaim>(claims, new BalanceModel(bets));
    if (result.verdict === 'linearizable') {
      const reads = claims.filter(({ seen }) => seen.length > 0).length;
      facts.push(
        `${account.name}: ${claims.length} operations (${reads} reads) are linearizable, up to ${result.widest} at once; ${result.steps} steps`,
      );
    } else if (result.verdict === 'undecided') {
      findings.push({ check: CHECK, text: `${account.name}: not decided after ${result.steps} steps` });
    } else {
      findings.push({ check: CHECK, text: `${account.name}: ${storyOf(result, claims, bets)}` });
    }
  }
  return { findings, facts };
}

/** One for each account: its bets moved at several moments, which the model does not cover. */
async function wagersLeftToWorkers(database: Queryable): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.query<{ account: number; wager: string }>(
    `SELECT o.account_id::int AS account, min(w.reference) AS wager
       FROM outbox o JOIN wagers w ON w.account_id = o.account_id AND w.id = (o.payload ->> 'wagerId')::bigint
      WHERE o.topic = 'settle-wager' GROUP BY 1`,
  );
  return new Map(rows.map(({ account, wager }) => [account, wager]));
}

/** Empty when the model cannot verify anything about the operation. */
function claimOf(operation: Operation, acknowledged: AcknowledgedEffects): TimedClaim[] {
  const { calledAt, answeredAt } = operation;
  if (answeredAt === undefined) return [];
  const effects = acknowledged.of(operation).filter(({ type }) => type !== 'user');
  const seen = usersIn(operation).map(({ id, balance, exposure }) => ({
    id,
    balance: micros(balance),
    exposure: micros(exposure),
  }));
  const reason = reasonOf(operation, acknowledged.names);
  if (effects.length === 0 && seen.length === 0 && reason === undefined) return [];
  return [{ operation, calledAt, answeredAt, effects, seen, reason, judged: effects.flatMap(judgedBy) }];
}

/** The user who makes or accepts an offer, or withdraws money. */
function judgedBy(effect: Effect): number[] {
  const isJudged =
    effect.type === 'offer' || effect.type === 'acceptance' || (effect.type === 'movement' && effect.received < 0n);
  return isJudged ? [effect.userId] : [];
}

function reasonOf(operation: Operation, names: UserNames): Reason | undefined {
  const { kind, request } = operation;
  const text = textOf(finalAnswer(operation)?.body);
  if (kind === 'withdraw' && text.includes('negative effective balance')) {
    const { user_id: id, user_reference: reference, amount } = request.body as Schemas['Withdraw'];
    return { type: 'unfunded withdrawal', userId: names.idOf(operation, id, reference), amount: micros(amount) };
  }
  if (kind === 'make-offer' && text.includes('negative effective balance')) {
    const asked = request.body as Schemas['MakeOffer'];
    const userId = names.idOf(operation, asked.requesting_user_id, asked.requesting_user_reference);
    const [wager, amount] = [asked.wager_reference, micros(asked.requesting_amount)];
    return { type: 'unfunded offer', userId, wager, amount };
  }
  if (text === 'Wager has already been decided') {
    const named = request.body as { readonly wager_reference?: string; readonly reference?: string };
    const wager = named.wager_reference ?? named.reference;
    return wager === undefined ? undefined : { type: 'wager decided', wager };
  }
  if (text === "bet offer status must be 'requesting'" && kind === 'accept-offer') {
    return { type: 'offer not open', betId: (request.body as Schemas['AcceptOffer']).bet_id ?? 0 };
  }
  return undefined;
}

const SHOWN_BODY = 300;
const SHOWN_BESIDE = 12;

interface Failure {
  readonly stuck: TimedClaim;
  readonly beside: readonly TimedClaim[];
}

/** Shows the answer that no order explains, the concurrent ones, and the users without it. */
function storyOf({ stuck, beside }: Failure, claims: readonly TimedClaim[], bets: readonly BetTerms[]): string {
  const startedAt = Math.min(stuck.calledAt, ...beside.map(({ calledAt }) => calledAt));
  const lineOf = ({ operation, calledAt, answeredAt }: TimedClaim) => {
    const [from, to] = [calledAt, answeredAt].map((at) => (at - startedAt).toFixed(1));
    const { status, body } = finalAnswer(operation) ?? {};
    const [asked, answer] = [operation.request.body, body].map(
      (each) => JSON.stringify(each)?.slice(0, SHOWN_BODY) ?? '',
    );
    return `  ${from} to ${to} ms: ${nameOf(operation)} ${asked} -> ${status} ${answer}`;
  };
  return [
    'no order explains the first of these answers; the others were concurrent with it',
    ...[stuck, ...beside.slice(0, SHOWN_BESIDE)].map(lineOf),
    ...usersWithout(stuck, claims, bets),
  ].join('\n');
}

/** After one possible order of the other operations. */
function usersWithout(stuck: TimedClaim, claims: readonly TimedClaim[], bets: readonly BetTerms[]): string[] {
  const model = new BalanceModel(bets);
  const others = claims.filter((other) => other !== stuck && other.answeredAt <= stuck.answeredAt);
  checkLinearizable<TimedClaim>(others, model);
  const users = [...stuck.judged, ...stuck.seen.map(({ id }) => id)];
  return users.map((id) => {
    const { balance, exposure } = model.userNow(id);
    return `  without it, user ${id} has a balance of ${formatMicros(balance)} and an exposure of ${formatMicros(exposure)}`;
  });
}
