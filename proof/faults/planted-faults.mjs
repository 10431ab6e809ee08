// Deliberate faults, and what has to catch each: `npm run faults`. In each, `from` stands once in the file.

/**
 * @typedef {{ name: string, file: string, from: string, to: string, caughtBy: string }} Fault
 * `caughtBy`: the beginning of the path of the tests, or 'storm'.
 */

/** @type {readonly Fault[]} */
export const plantedFaults = [
  {
    name: 'a half-loss costs everything',
    file: 'libs/core/impact.ts',
    from: 'asMicros(-divideHalfAwayFromZero(amount, 2n))',
    to: 'asMicros(-amount)',
    caughtBy: 'proof/simulation',
  },
  {
    name: 'the rest of an offer goes to the end of the queue',
    file: 'libs/core/step.ts',
    from: '{ queuePlace: bet.queuePlace, description }',
    to: '{ queuePlace: null, description }',
    caughtBy: 'proof/simulation',
  },
  {
    name: 'a balance is judged without its exposure',
    file: 'libs/core/judge.ts',
    from: '): bigint => balance - exposure;',
    to: '): bigint => balance - (exposure - exposure);',
    caughtBy: 'proof/simulation',
  },
  {
    name: 'an override does not outlive the decision',
    file: 'libs/core/outcome.ts',
    from: '  overrideOutcome ?? wagerOutcome;',
    to: "  wagerOutcome === 'undecided' ? (overrideOutcome ?? wagerOutcome) : wagerOutcome;",
    caughtBy: 'proof/simulation',
  },
  {
    name: 'balances are read without a lock',
    file: 'libs/ledger/load/user-locks.ts',
    from: 'ORDER BY b.account_id, b.user_id FOR NO KEY UPDATE OF b ${clause}',
    to: 'ORDER BY b.account_id, b.user_id',
    caughtBy: 'apps/api/test/bet-hammer',
  },
  {
    name: 'wagers are read without a lock',
    file: 'libs/ledger/load/wager-locks.ts',
    from: 'ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w ${clause}',
    to: 'ORDER BY w.account_id, w.id',
    caughtBy: 'apps/api/test/bet-hammer',
  },
  {
    name: 'the effect of a request with a key is outside the transaction that stores its answer',
    file: 'libs/idempotency/idempotency.ts',
    from: '      const result = await use(tx);',
    to: '      const result = await withTx(database, use);',
    caughtBy: 'storm',
  },
  {
    name: 'a commit that was not confirmed is done again',
    file: 'libs/ledger/unit-of-work.ts',
    from: 'throw isDecided ? new CommitUnknown',
    to: 'throw isDecided && Date.now() < 0 ? new CommitUnknown',
    caughtBy: 'apps/api/test/lost-commit',
  },
  {
    name: 'the answers of requests with keys are not stored',
    file: 'libs/ledger/unit-of-work.ts',
    from: 'if (answers.length > 0) await storeAnswers(tx, answers);',
    to: 'if (answers.length > 1_000) await storeAnswers(tx, answers);',
    caughtBy: 'storm',
  },
  {
    name: 'the outbox row of a settlement is lost',
    file: 'libs/ledger/follow-ups.ts',
    from: 'this.#entries.size === 0 ? []',
    to: 'this.#entries.size < 1_000 ? []',
    caughtBy: 'apps/worker/test/settlement.test',
  },
  {
    name: 'what an emptied Redis has forgotten is not handed over again',
    file: 'apps/worker/sweep.ts',
    from: 'relay.sweep({ all });',
    to: 'relay.sweep({ all: all && Date.now() < 0 });',
    caughtBy: 'apps/worker/test/kills',
  },
  {
    name: 'a mail counts as sent before it is sent',
    file: 'libs/accounts/mail/mail-work.ts',
    from: '    if (account !== undefined && content !== undefined) {',
    to: '    await markDone(database, entry);\n    if (account !== undefined && content !== undefined) {',
    caughtBy: 'apps/worker/test/mail.test',
  },
  {
    name: "another tenant's bet can be read",
    file: 'libs/reads/read-bet.ts',
    from: 'betJoins} WHERE b.account_id = ',
    to: 'betJoins} WHERE b.account_id >= 0 * ',
    caughtBy: 'apps/api/test/tenants',
  },
  {
    name: "another tenant's user can be read",
    file: 'libs/accounts/users/user-repository.ts',
    from: 'AND b.user_id = u.id\n     WHERE u.account_id = ',
    to: 'AND b.user_id = u.id\n     WHERE 0 <> ',
    caughtBy: 'apps/api/test/tenants',
  },
  {
    name: 'a revoked credential is remembered',
    file: 'libs/accounts/access/authenticator.ts',
    from: 'for (const key of [...(keysOf.get(accountId) ?? [])]) cache.delete(key);',
    to: 'for (const key of [...(keysOf.get(accountId) ?? [])]) cache.get(key);',
    caughtBy: 'apps/api/test/credentials',
  },
  {
    name: 'the answers of a group change places',
    file: 'libs/ledger/lanes.ts',
    from: 'this.#settle(waiting, results[index] ?? SET_ASIDE);',
    to: 'this.#settle(waiting, results[results.length - 1 - index] ?? SET_ASIDE);',
    caughtBy: 'storm',
  },
  {
    name: 'a group waits for a row that another transaction holds',
    file: 'libs/ledger/unit-of-work.ts',
    from: "run: (tasks) => run(tasks, 'skip')",
    to: "run: (tasks) => run(tasks, 'wait')",
    caughtBy: 'libs/ledger/lanes',
  },
  {
    name: 'an account takes the share of the others',
    file: 'libs/ledger/account-queues.ts',
    from: 'Math.floor(left / this.#queues.size)',
    to: 'left',
    caughtBy: 'libs/ledger/account-queues',
  },
  {
    name: 'a task runs after its deadline',
    file: 'libs/ledger/lanes.ts',
    from: 'deadline.at <= now || deadline.isGone()',
    to: 'deadline.at <= 0 && deadline.isGone()',
    caughtBy: 'libs/ledger/lanes',
  },
  {
    name: 'a lane that was just emptied sleeps through a new task',
    file: 'libs/ledger/lanes.ts',
    from: '    this.#isRunning = false;\n    this.#rest();',
    to: '    setImmediate(() => {\n      this.#isRunning = false;\n    });\n    this.#rest();',
    caughtBy: 'libs/ledger/lanes',
  },
];
