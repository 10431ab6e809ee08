import type { BatchItem, Operation } from '#core/operation.js';
import { cancelChunk } from './cancels.js';
import { type Commitment, type Decided, type Draft, draftOf } from './draft.js';
import { type Facts, FIRST_BET_ID, type GivenIds, type UserFacts } from './facts.js';
import { judgeFigures, judgeFunds, type ProposedChange } from './judge.js';
import { acceptOffer, cancelOffer, makeOffer } from './offers.js';
import { decideWager, forceOutcome, forceOverride, overrideOutcome, setActive, settleChunk } from './outcomes.js';
import { pay } from './payments.js';
import { type Picture, pictureOf } from './picture.js';
import { NO_RECORDS, type Records, recordsOf } from './records.js';
import { invalid, Refusal } from './refusals.js';
import { closeWager, fireTimer, resumeWager, runClock, scheduleWager, suspendWager } from './wager-clock.js';

export interface SecondLedgerStart {
  readonly allowNegativeBalance: boolean;
  /** Null, unless given. */
  readonly decimals?: number | null;
  readonly users: readonly UserFacts[];
  readonly ids?: GivenIds;
}

/** An operation, or a batch of them. */
export type Task = Operation | readonly BatchItem[];

export type Verdict =
  | { readonly isDone: true; readonly answer: unknown }
  | { readonly isDone: false; readonly kind: Refusal['kind']; readonly text: string };

export interface Preview {
  readonly verdict: Verdict;
  /** Whether it would write anything. */
  readonly writes: boolean;
  readonly records: Records;
  /** All of the account, after the task. */
  readonly wagers: Facts['wagers'];
}

interface Committed extends Commitment {
  /** Null: the operation is not part of a batch. */
  readonly operationId: string | null;
}

export class SecondLedger {
  #facts: Facts;
  #picture: Picture;
  #records = NO_RECORDS;

  constructor({ allowNegativeBalance, decimals = null, users, ids }: SecondLedgerStart) {
    const nothing = { wagers: [], bets: [], payments: [], nextBetId: FIRST_BET_ID };
    this.#facts = { allowNegativeBalance, decimals, users, ids, now: 0n, ...nothing };
    this.#picture = pictureOf(this.#facts);
  }

  /** What is not the ledger's own to decide. */
  change(changed: Partial<Pick<Facts, 'allowNegativeBalance' | 'users' | 'movesFirst' | 'now'>>): void {
    this.#facts = { ...this.#facts, ...changed };
    if (changed.users !== undefined) this.#picture = pictureOf(this.#facts);
  }

  get facts(): Facts {
    return this.#facts;
  }

  run(task: Task): Verdict {
    return 'type' in task ? this.execute(task) : this.executeBatch(task);
  }

  /** What a task would come to now. The ledger stays as it is. */
  preview(task: Task): Preview {
    const [facts, picture, before] = [this.#facts, this.#picture, this.#records];
    const verdict = this.run(task);
    const records = this.#records;
    const hasRecords = records.transactions.length + records.trails.length > 0;
    const writes = hasRecords || hasOtherWagers(facts, this.#facts);
    const { wagers } = this.#facts;
    [this.#facts, this.#picture, this.#records] = [facts, picture, before];
    return { verdict, writes, records, wagers };
  }

  /** Everything visible in the ledger now. */
  get picture(): Picture {
    return this.#picture;
  }

  /** The records that the latest task wrote. */
  get records(): Records {
    return this.#records;
  }

  execute(operation: Operation): Verdict {
    return this.#attempt((draft) => {
      const decided = decide(draft, operation);
      if (decided instanceof Refusal) return decided;
      const { answer, commitment } = decided;
      return { answer, committed: commitment === undefined ? [] : [{ operationId: null, ...commitment }] };
    });
  }

  executeBatch(items: readonly BatchItem[]): Verdict {
    const ids = items.map(({ operationId }) => operationId);
    return this.#attempt((draft) => {
      if (ids.some((id, index) => ids.indexOf(id) !== index)) {
        return invalid('Operation IDs must be unique within a batch');
      }
      const answer: unknown[] = [];
      const committed: Committed[] = [];
      for (const { operationId, operation } of items) {
        const decided = decide(draft, operation);
        if (decided instanceof Refusal) return inBatch(decided, operationId);
        answer.push({ operationId, type: operation.type, answer: decided.answer });
        if (decided.commitment !== undefined) committed.push({ operationId, ...decided.commitment });
      }
      return { answer, committed };
    });
  }

  /** Works on a copy of the facts, which replaces them when the task is not refused. */
  #attempt(work: (draft: Draft) => Refusal | { answer: unknown; committed: readonly Committed[] }): Verdict {
    const draft = draftOf(this.#facts);
    const result = work(draft);
    if (result instanceof Refusal) return this.#refuse(result);
    const after = pictureOf(draft.facts);
    const refusal = judge({ facts: draft.facts, before: this.#picture, after }, result.committed);
    if (refusal !== null) return this.#refuse(refusal);
    this.#records = recordsOf(draft, this.#picture.users);
    this.#facts = draft.facts;
    this.#picture = after;
    return { isDone: true, answer: result.answer };
  }

  #refuse({ kind, text }: Refusal): Verdict {
    this.#records = NO_RECORDS;
    return { isDone: false, kind, text };
  }
}

const hasOtherWagers = (one: Facts, other: Facts): boolean =>
  other.wagers.some(({ revision, pendingCancels }, place) => {
    const before = one.wagers[place];
    return before?.revision !== revision || before.pendingCancels !== pendingCancels;
  });

/** A refusal names the latest operation whose user cannot afford it; for too large a figure, the latest of all. */
const judge = (proposed: ProposedChange, committed: readonly Committed[]): Refusal | null => {
  for (const commitment of committed.toReversed()) {
    const refusal = judgeFunds(proposed, commitment);
    if (refusal !== null) return inBatch(refusal, commitment.operationId);
  }
  const last = committed.at(-1);
  const refusal = last === undefined ? null : judgeFigures(proposed);
  return refusal === null ? null : inBatch(refusal, last?.operationId ?? null);
};

const inBatch = ({ kind, text }: Refusal, operationId: string | null): Refusal =>
  new Refusal(kind, operationId === null ? text : `operation '${operationId}': ${text}`);

const decide = (draft: Draft, operation: Operation): Decided => {
  switch (operation.type) {
    case 'make_bet_offer':
      return makeOffer(draft, operation);
    case 'accept_bet_offer':
      return acceptOffer(draft, operation);
    case 'cancel_bet_offer':
      return cancelOffer(draft, operation);
    case 'update_wager_outcome':
      return decideWager(draft, operation);
    case 'override_bet_outcome':
      return overrideOutcome(draft, operation);
    case 'fund_user':
    case 'withdraw':
      return pay(draft, operation);
    case 'settle_chunk':
      return settleChunk(draft, operation);
    case 'cancel_chunk':
      return cancelChunk(draft, operation);
    case 'force_wager_outcome':
      return forceOutcome(draft, operation);
    case 'set_bet_active':
      return setActive(draft, operation);
    case 'force_bet_override':
      return forceOverride(draft, operation);
    case 'suspend_wager':
      return suspendWager(draft, operation);
    case 'resume_wager':
      return resumeWager(draft, operation);
    case 'close_wager':
      return closeWager(draft, operation);
    case 'schedule_wager':
      return scheduleWager(draft, operation);
    case 'run_clock':
      return runClock(draft, operation);
    case 'fire_timer':
      return fireTimer(draft, operation);
  }
};
