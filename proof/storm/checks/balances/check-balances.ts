import { asMicros, formatMicros, type OddsMicros } from '#core/money.js';
import { checkLinearizable, type Interval } from '#proof/linearizability/linearizability.js';
import { finalAnswer, type History, type Operation, type Schemas, type StormAccount, textOf } from '../../history.js';
import { nameOf, usersIn } from '../answers/check-answers.js';
import { type Effect, effectsOf, micros, UserNames } from '../effects.js';
import type { Finding, Queryable } from '../finding.js';
import { BalanceModel, type BetTerms, type Claim, type Reason } from './balance-model.js';

// Whether all that the clients of an account were answered could have happened one after the other.

const CHECK = 'balances are linearizable';

export interface Linearizability {
  readonly findings: readonly Finding[];
  /** A line for each account. */
  readonly facts: readonly string[];
}

interface Told extends Claim, Interval {
  readonly operation: Operation;
}

export async function checkBalances(history: History, database: Queryable): Promise<Linearizability> {
  const names = new UserNames(history);
  const findings: Finding[] = [];
  const facts: string[] = [];
  const tooLarge = await wagersLeftToWorkers(database);
  for (const account of history.accounts.filter(({ role }) => role === 'plain')) {
    const wager = tooLarge.get(account.id);
    if (wager !== undefined) {
      const text = `${account.name}: not known; ${wager} had more bets than a decision settles: the storm's own assumption`;
      findings.push({ check: CHECK, text });
      continue;
    }
    const told = history.operations
      .filter((each) => each.account.id === account.id)
      .flatMap((each) => tell(each, names));
    const bets = await termsOfBets(account, database);
    const result = checkLinearizable<Told>(told, new BalanceModel(bets));
    if (result.verdict === 'linearizable') {
      const reads = told.filter(({ seen }) => seen.length > 0).length;
      facts.push(
        `${account.name}: ${told.length} operations (${reads} reads) are linearizable, up to ${result.widest} at once; ${result.steps} steps`,
      );
    } else if (result.verdict === 'undecided') {
      findings.push({ check: CHECK, text: `${account.name}: not known after ${result.steps} steps` });
    } else {
      findings.push({ check: CHECK, text: `${account.name}: ${storyOf(result, told, bets)}` });
    }
  }
  return { findings, facts };
}

/** One for each account: a decision moved its bets at several moments, and the model does not know of such. */
async function wagersLeftToWorkers(database: Queryable): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.query<{ account: number; wager: string }>(
    `SELECT o.account_id::int AS account, min(w.reference) AS wager
       FROM outbox o JOIN wagers w ON w.account_id = o.account_id AND w.id = (o.payload ->> 'wagerId')::bigint
      WHERE o.topic = 'settle-wager' GROUP BY 1`,
  );
  return new Map(rows.map(({ account, wager }) => [account, wager]));
}

/** What an operation claims; nothing when the model cannot say anything about it. */
function tell(operation: Operation, names: UserNames): Told[] {
  const { calledAt, answeredAt } = operation;
  if (answeredAt === undefined) return [];
  const effects = effectsOf(operation, names).filter(({ type }) => type !== 'user');
  const seen = usersIn(operation).map(({ id, balance, exposure }) => ({
    id,
    balance: micros(balance),
    exposure: micros(exposure),
  }));
  const reason = reasonOf(operation, names);
  if (effects.length === 0 && seen.length === 0 && reason === undefined) return [];
  return [{ operation, calledAt, answeredAt, effects, seen, reason, judged: effects.flatMap(judgedBy) }];
}

/** Who takes something on, or takes money out. */
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

interface BetRow {
  readonly id: number;
  readonly wager: string;
  readonly requester: number;
  readonly odds: string;
  readonly offered: string;
  readonly acceptor: number | null;
  readonly accepted: string | null;
  readonly origin: number | null;
}

async function termsOfBets({ id }: StormAccount, database: Queryable): Promise<BetTerms[]> {
  const { rows } = await database.query<BetRow>(
    `SELECT b.id::int, w.reference AS wager, b.requesting_user_id::int AS requester, b.requesting_odds AS odds,
            b.requesting_amount AS offered, b.accepting_user_id::int AS acceptor, b.effective_amount AS accepted,
            (SELECT substring(description FROM '^Offer for the rest of \\w+ bet (\\d+)$')::int FROM bet_trails t
              WHERE t.account_id = b.account_id AND t.bet_id = b.id ORDER BY t.id LIMIT 1) AS origin
       FROM bets b JOIN wagers w ON w.account_id = b.account_id AND w.id = b.wager_id WHERE b.account_id = $1`,
    [id],
  );
  return rows.map((row) => ({
    id: row.id,
    wager: row.wager,
    requesterId: row.requester,
    odds: BigInt(row.odds) as OddsMicros,
    offered: asMicros(BigInt(row.offered)),
    acceptorId: row.acceptor ?? undefined,
    accepted: row.accepted === null ? undefined : asMicros(BigInt(row.accepted)),
    restOf: row.origin ?? undefined,
  }));
}

const SHOWN_BODY = 300;
const SHOWN_BESIDE = 12;

interface Failure {
  readonly stuck: Told;
  readonly beside: readonly Told[];
}

/** The answer that nothing explains, what was under way beside it, and what the others come to without it. */
function storyOf({ stuck, beside }: Failure, told: readonly Told[], bets: readonly BetTerms[]): string {
  const startedAt = Math.min(stuck.calledAt, ...beside.map(({ calledAt }) => calledAt));
  const lineOf = ({ operation, calledAt, answeredAt }: Told) => {
    const [from, to] = [calledAt, answeredAt].map((at) => (at - startedAt).toFixed(1));
    const { status, body } = finalAnswer(operation) ?? {};
    const [asked, answer] = [operation.request.body, body].map(
      (each) => JSON.stringify(each)?.slice(0, SHOWN_BODY) ?? '',
    );
    return `  ${from} to ${to} ms: ${nameOf(operation)} ${asked} -> ${status} ${answer}`;
  };
  return [
    'no order explains the first of these answers; the others were under way beside it',
    ...[stuck, ...beside.slice(0, SHOWN_BESIDE)].map(lineOf),
    ...usersWithout(stuck, told, bets),
  ].join('\n');
}

/** In one order in which the others may have happened. */
function usersWithout(stuck: Told, told: readonly Told[], bets: readonly BetTerms[]): string[] {
  const model = new BalanceModel(bets);
  const others = told.filter((other) => other !== stuck && other.answeredAt <= stuck.answeredAt);
  checkLinearizable<Told>(others, model);
  const users = [...stuck.judged, ...stuck.seen.map(({ id }) => id)];
  return users.map((id) => {
    const { balance, exposure } = model.userNow(id);
    return `  without it, user ${id} has a balance of ${formatMicros(balance)} and an exposure of ${formatMicros(exposure)}`;
  });
}
