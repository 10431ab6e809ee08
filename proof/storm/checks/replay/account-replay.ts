import type { EventKind, WagerStatus } from '#core/records.js';
import { decodePosition } from '#events/event-position.js';
import type { Records } from '#proof/second-ledger/records.js';
import { SecondLedger, type Task, type Verdict } from '#proof/second-ledger/second-ledger.js';
import { finalAnswer, isSuccess, type Operation, type Schemas, type StormAccount } from '../../history.js';
import { nameOf } from '../answers/check-answers.js';
import { differencesBetween } from '../stored/compare-effects.js';
import { isStep, wrongDescriptions } from './descriptions.js';
import { contentOf, holds, isAnswered, taskOf } from './ledger-requests.js';
import { type Placed, Unplaced, windowsAmong } from './moments.js';
import {
  type LoggedEvent,
  type LoggedOperation,
  lineOfBet,
  lineOfTrail,
  lineOfTransaction,
  lineOfWager,
  type StoredLog,
  type StoredMovement,
} from './stored-log.js';
import { type Span, spanOf, timesIn, timesOf, wrongTime } from './times.js';
import { tasksOfWorker } from './worker-tasks.js';

export interface Replayable {
  readonly account: Pick<StormAccount, 'id' | 'name'>;
  readonly log: StoredLog;
  /** The rows of the account, as lines. */
  readonly rows: readonly string[];
  /** What clients sent, by the ids of their requests. */
  readonly sent: ReadonlyMap<string, Operation>;
  /** Of these, what the log should have or what read it. */
  readonly own: readonly Operation[];
  /** The time of day at which their moments are 0. */
  readonly epochMs: number;
}

/** How the rules may have found things: what was to do, the time, and the account's preference. */
interface Way {
  readonly task: Task;
  readonly now: bigint;
  readonly allows: boolean;
}

interface Asked {
  readonly tasks: readonly Task[];
  readonly operation: Operation | undefined;
}

/** Ends the replay: after this the second ledger would know less than the log. */
class CannotGoOn extends Error {}

interface KnownUser {
  readonly reference: string;
  readonly name: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
}

const SHOWN_BODY = 300;
const USERS_OF_A_PAGE = 100;
const reads: readonly Operation['kind'][] = ['read-user', 'read-users'];
const ofNoConcern = /^(webhook\.|change_request\.|log\.opened)/;

/** Runs the log of an account on the second ledger, and compares all that the storm saw with it. */
export class AccountReplay {
  readonly findings: string[] = [];
  readonly #input: Replayable;
  readonly #second: SecondLedger;
  readonly #users = new Map<string, KnownUser>();
  readonly #done = new Set<string>();
  /** Why the admin has corrected anything so far. */
  readonly #reasons = new Set<string>();
  /** The steps and payments of the log. */
  readonly #seen = new Set<string>();
  #account: { name: string; allows: boolean };
  /** The rules read an account's preference without a lock: while it changes they may find the former one. */
  #former: { readonly allows: boolean; readonly until: number } | undefined;

  constructor(input: Replayable) {
    this.#input = input;
    this.#account = { name: input.account.name, allows: false };
    const events = input.log.operations.flatMap((operation) => operation.events);
    const wagers = events.filter(({ kind }) => kind === 'wager.created').map(({ ref }) => BigInt(ref));
    const steps = events.filter(({ kind }) => kind === 'offer.made').map(({ ref }) => input.log.steps.get(ref));
    const bets = steps.map((step) => BigInt(step?.bet ?? 0));
    this.#second = new SecondLedger({ allowNegativeBalance: false, users: [], ids: { wagers, bets } });
  }

  run(): void {
    const { operations } = this.#input.log;
    const placed = this.#placed();
    const windowOf = windowsAmong(placed, operations.length);
    const readsAt = new Map<number, Operation[]>();
    for (const { operation, found, left } of placed) {
      const { from } = windowOf(operation);
      if (from > found) this.#find(operation, `is number ${left} of the log, and ${from} was answered before`);
      if (found === left) readsAt.set(left, [...(readsAt.get(left) ?? []), operation]);
    }
    const known = new Set(placed.map(({ operation }) => operation));
    const unplaced = new Unplaced(
      this.#input.own.filter((operation) => !known.has(operation)),
      windowOf,
    );
    const look = (state: number) => {
      const unexplained = unplaced.lookAt(state, (operation) => this.#explains(operation));
      const wrong = (readsAt.get(state) ?? []).filter((read) => !this.#explains(read));
      for (const operation of [...unexplained, ...wrong]) this.#find(operation, this.#storyOf(operation, state));
    };
    try {
      look(0);
      for (const [place, operation] of operations.entries()) {
        this.#execute(operation);
        look(place + 1);
      }
      this.#compareWithRows();
    } catch (error) {
      if (!(error instanceof CannotGoOn)) throw error;
      this.findings.push(error.message);
    }
  }

  #placed(): Placed[] {
    const { log, own, sent, account } = this.#input;
    const stateAt = new Map(log.operations.map(({ lastSeq }, place) => [lastSeq, place + 1]));
    const readers = own.flatMap((operation) => {
      const position = decodePosition(finalAnswer(operation)?.asOf ?? '');
      if (position === undefined || Number(position.accountId) !== account.id) return [];
      const state = stateAt.get(Number(position.seq));
      return state === undefined ? [] : [{ operation, found: state, left: state }];
    });
    const writers = log.operations.flatMap(({ by, requestId }, place) => {
      const operation = by === 'worker' ? undefined : sent.get(requestId);
      return operation === undefined ? [] : [{ operation, found: place, left: place + 1 }];
    });
    return [...readers, ...writers];
  }

  #find(operation: Operation, text: string): void {
    const { status, body } = finalAnswer(operation) ?? {};
    const exchange = [operation.request.body, body].map((each) => JSON.stringify(each)?.slice(0, SHOWN_BODY) ?? '');
    this.findings.push(`${nameOf(operation)} ${exchange[0]} -> ${status} ${exchange[1]}: ${text}`);
  }

  #execute(logged: LoggedOperation): void {
    const { by, requestId, events } = logged;
    const [first] = events;
    if (first === undefined || ofNoConcern.test(first.kind)) return;
    const operation = by === 'worker' ? undefined : this.#input.sent.get(requestId);
    if (by !== 'worker' && operation === undefined) throw new CannotGoOn(`stored, but never sent: ${shownOf(events)}`);
    if (operation !== undefined) {
      if (this.#done.has(requestId)) throw new CannotGoOn(`done twice: ${nameOf(operation)} ${shownOf(events)}`);
      this.#done.add(requestId);
      if (operation.answers.length > 0 && !isSuccess(operation)) this.#find(operation, 'a refusal that had an effect');
    }
    if (first.kind === 'user.created' || first.kind === 'user.updated') this.#changeUser(first, operation);
    else if (first.kind === 'account.updated') this.#changeAccount(first, operation);
    else this.#runTask(logged, operation);
  }

  #changeUser({ kind, ref, extra }: LoggedEvent, operation: Operation | undefined): void {
    const user = extra as unknown as KnownUser;
    this.#users.set(ref, user);
    if (kind === 'user.created') {
      const created = { id: BigInt(ref), reference: user.reference, allowNegativeBalance: null, startBalance: 0n };
      this.#second.change({ users: [...this.#second.facts.users, created] });
    }
    if (operation === undefined || !isSuccess(operation)) return;
    const { name, meta, reference = user.reference } = operation.request.body as Partial<Schemas['CreateUser']>;
    const asked = { reference, ...(name !== undefined && { name }), ...(meta != null && { meta }) };
    const isRight =
      holds(user, asked) &&
      holds(finalAnswer(operation)?.body, { data: { id: Number(ref), reference: user.reference } });
    if (!isRight) this.#find(operation, `the log has user ${ref}: ${JSON.stringify(extra)}`);
  }

  #changeAccount({ extra }: LoggedEvent, operation: Operation | undefined): void {
    const { name, preferences } = extra as Partial<Schemas['ChangeAccount']>;
    const { allows } = this.#account;
    this.#former = { allows, until: operation?.answeredAt ?? Number.POSITIVE_INFINITY };
    this.#account = { name: name ?? this.#account.name, allows: preferences?.allow_negative_balance ?? allows };
    this.#second.change({ allowNegativeBalance: this.#account.allows });
    const shown = { name: this.#account.name, preferences: { allow_negative_balance: this.#account.allows } };
    if (operation !== undefined && !holds(shown, operation.request.body))
      this.#find(operation, `the log has ${JSON.stringify(extra)}`);
  }

  #runTask(logged: LoggedOperation, operation: Operation | undefined): void {
    const { events } = logged;
    const tasks =
      operation === undefined ? tasksOfWorker(this.#second, events, this.#input.log.steps) : tasksOf(operation);
    const name = operation === undefined ? 'the worker' : nameOf(operation);
    const late = wrongTime({ operation: logged, log: this.#input.log, sent: this.#spanOf(operation) });
    if (late !== undefined) this.findings.push(`${name} ${late}`);
    const way = this.#wayOf(logged, { tasks, operation });
    if (way === undefined) throw new CannotGoOn(`${name} cannot have an effect, and the log has ${shownOf(events)}`);
    const { task } = way;
    const verdict = this.#in(way, () => this.#second.run(task));
    if (!verdict.isDone)
      throw new CannotGoOn(`${name}: the log has ${shownOf(events)}, which is refused: ${verdict.text}`);
    const paid = this.#compareRows(name, events).find(({ step }) => step === null);
    const { description: reason } = (operation?.request.body ?? {}) as { readonly description?: string };
    if (reason !== undefined) this.#reasons.add(reason);
    const reasons = operation === undefined ? this.#reasons : new Set([reason]);
    const wrong = wrongDescriptions({ events, steps: this.#input.log.steps, bets: this.#second.facts.bets, reasons });
    this.findings.push(...wrong.map((text) => `${name}: ${text}`));
    const answer = operation && finalAnswer(operation);
    if (operation === undefined || answer === undefined || !isSuccess(operation)) return;
    const identity = paid === undefined ? {} : { data: { id: Number(paid.id), reference: paid.reference } };
    if (!isAnswered(answer, task, verdict, operation) || !holds(answer.body, identity))
      this.#find(operation, `the second ledger answers ${shownAnswer(task, verdict)}`);
  }

  /** The first way whose records are those of the log; otherwise the first that is not refused. */
  #wayOf(logged: LoggedOperation, { tasks, operation }: Asked): Way | undefined {
    const { log } = this.#input;
    const moved = logged.events.filter(isStep).flatMap(({ ref }) => log.steps.get(ref)?.bet ?? []);
    this.#second.change({ movesFirst: new Set(moved.map(BigInt)) });
    const sent = this.#spanOf(operation);
    const ways = tasks.flatMap((task) =>
      this.#waysAt(operation, task, timesOf({ operation: logged, log, sent }, task, this.#second.facts)),
    );
    if (ways.length === 1) return ways[0];
    const stored = this.#storedOf(logged.events).lines.join('\n');
    const statuses = new Map(this.#second.facts.wagers.map(({ id, status }) => [String(id), status]));
    for (const { kind, ref } of logged.events) statuses.set(ref, statusAfter[kind] ?? statuses.get(ref) ?? 'open');
    let done: Way | undefined;
    for (const way of ways) {
      const { verdict, records, wagers } = this.#in(way, () => this.#second.preview(way.task));
      if (!verdict.isDone) continue;
      const hasStatuses = wagers.every(({ id, status }) => status === (statuses.get(String(id)) ?? 'open'));
      if (hasStatuses && linesOf(records).join('\n') === stored) return way;
      done ??= way;
    }
    return done ?? ways[0];
  }

  #waysAt(operation: Operation | undefined, task: Task, times: readonly bigint[]): Way[] {
    const former = (operation?.calledAt ?? 0) > (this.#former?.until ?? -1) ? undefined : this.#former;
    const preferences = [this.#account.allows, ...(former === undefined ? [] : [former.allows])];
    return preferences.flatMap((allows) => times.map((now) => ({ task, now, allows })));
  }

  #in<Result>({ now, allows }: Way, work: () => Result): Result {
    const { now: before } = this.#second.facts;
    this.#second.change({ now, allowNegativeBalance: allows });
    const result = work();
    this.#second.change({ now: before, allowNegativeBalance: this.#account.allows });
    return result;
  }

  #spanOf(operation: Operation | undefined): Span | undefined {
    return operation === undefined ? undefined : spanOf(operation, this.#input.epochMs);
  }

  #storedOf(events: readonly LoggedEvent[]) {
    const { steps, movements } = this.#input.log;
    const own = [...new Set(events.filter(isStep).map(({ ref }) => ref))];
    const payments = events.filter(({ kind }) => kind === 'transaction.created').map(({ ref }) => `payment ${ref}`);
    const refs = [...own, ...payments];
    const moved = refs.flatMap((ref) => movements.get(ref) ?? []);
    return {
      refs,
      moved,
      lines: [...own.flatMap((ref) => steps.get(ref)?.line ?? []), ...moved.map(({ line }) => line)],
    };
  }

  #compareRows(name: string, events: readonly LoggedEvent[]): readonly StoredMovement[] {
    const { refs, moved, lines } = this.#storedOf(events);
    for (const ref of refs) this.#seen.add(ref);
    const expected = linesOf(this.#second.records);
    if (lines.join('\n') !== expected.join('\n'))
      this.findings.push(`${name}: ${differencesBetween(expected, lines).join('; ') || 'other order'}`);
    return moved;
  }

  #explains(operation: Operation): boolean {
    const answer = finalAnswer(operation);
    if (answer === undefined) return true;
    if (reads.includes(operation.kind)) return holds(answer.body, this.#shown(operation));
    const task = taskOf(operation);
    if (task === undefined) return false;
    const times = timesIn(spanOf(operation, this.#input.epochMs), task, this.#second.facts);
    return this.#waysAt(operation, task, times).some((way) => {
      const { verdict, writes } = this.#in(way, () => this.#second.preview(task));
      return !writes && isAnswered(answer, task, verdict, operation);
    });
  }

  /** What a read of users has to show now. */
  #shown({ kind, request }: Operation): object {
    const figures = new Map(this.#second.picture.users.map((user) => [String(user.id), user]));
    const users = [...this.#users].map(([id, { reference, name, meta }]) => {
      const { balance = 0n, exposure = 0n } = figures.get(id) ?? {};
      const [account_id, money] = [this.#input.account.id, { balance: units(balance), exposure: units(exposure) }];
      return { id: Number(id), account_id, reference, name, meta, ...money };
    });
    const inOrder = users.toSorted((one, other) => one.id - other.id);
    if (kind === 'read-users') return { data: { items: inOrder.slice(0, USERS_OF_A_PAGE), total: users.length } };
    const named = request.path.split('/')[3];
    return { data: users.find(({ id, reference }) => String(id) === named || reference === named) };
  }

  #storyOf(operation: Operation, state: number): string {
    const task = taskOf(operation);
    const isRead = reads.includes(operation.kind);
    if (task === undefined && !isRead) return 'the log does not have it';
    const here = task === undefined ? JSON.stringify(this.#shown(operation)) : this.#storyOfTask(operation, task);
    return `no state of its time explains it; in state ${state} it would be ${here.slice(0, SHOWN_BODY)}`;
  }

  #storyOfTask(operation: Operation, task: Task): string {
    const way = { task, now: spanOf(operation, this.#input.epochMs).from, allows: this.#account.allows };
    const { verdict, writes } = this.#in(way, () => this.#second.preview(task));
    return `${shownAnswer(task, verdict)}${writes ? ', with an effect' : ''}`;
  }

  #compareWithRows(): void {
    const { facts, picture } = this.#second;
    const expected = [
      `account: ${this.#account.name}, ${this.#account.allows}`,
      ...[...this.#users].flatMap(([id, { reference, name, meta }]) => [
        `user ${id} (${reference}): ${name}`,
        ...Object.entries(meta ?? {}).map(([field, value]) => `${field} of user ${id} is ${value}`),
      ]),
      ...picture.users.map(({ id, balance, exposure }) => `user ${id} has ${balance}, at risk ${exposure}`),
      ...picture.wagers.map(lineOfWager),
      ...picture.positions.map(
        ({ userId, wagerId, win, loss, offered }) =>
          `position of user ${userId} on wager ${wagerId}: ${win}, ${loss}, ${offered}`,
      ),
      ...facts.payments.flatMap(({ ownReference, userId, amount }) =>
        ownReference === undefined ? [] : [`reference ${ownReference} of user ${userId}: ${amount}`],
      ),
      ...picture.bets.map((bet, place) => lineOfBet(bet, facts.bets[place]?.queuePlace)),
    ];
    this.findings.push(...differencesBetween(expected, this.#input.rows));
    const { steps, movements } = this.#input.log;
    const beside = [...steps.keys(), ...movements.keys()].filter((ref) => !this.#seen.has(ref));
    this.findings.push(...beside.map((ref) => `stored, but not in the log: ${ref}`));
  }
}

/** Of the wager that the event names. */
const statusAfter: Partial<Record<EventKind, WagerStatus>> = {
  'wager.suspended': 'suspended',
  'wager.resumed': 'open',
  'wager.closed': 'closed',
};

const linesOf = ({ trails, transactions }: Records): string[] => [
  ...trails.map(lineOfTrail),
  ...transactions.map(lineOfTransaction),
];
const units = (amount: bigint): number => Number(amount) / 1e6;
const tasksOf = (operation: Operation): Task[] => {
  const task = taskOf(operation);
  return task === undefined ? [] : [task];
};
const shownOf = (events: readonly LoggedEvent[]): string => events.map(({ kind, ref }) => `${kind} ${ref}`).join(', ');

const shownAnswer = (task: Task, verdict: Verdict): string =>
  verdict.isDone ? JSON.stringify(contentOf(task, verdict.answer)) : verdict.text;
