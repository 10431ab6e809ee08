import { LedgerError } from '#clients/typescript/client.js';
import type { LogEvent } from '#proof/second-ledger/facts-from-log.js';
import { factsFromLog } from '#proof/second-ledger/facts-from-log.js';
import { type Picture, pictureOf } from '#proof/second-ledger/picture.js';
import type { Business } from './business.js';
import { eventually, expectSame } from './eventually.js';
import type { Stack } from './stack.js';

const DAY_MS = 86_400_000;
const SUMS = ['opening_balance', 'closing_balance', 'funded', 'withdrawn', 'bet_credits', 'bet_debits'] as const;

/** Rows that have ended, and the night that deletes them has passed. */
const ENDED_ROWS = [
  ['tokens', `access_tokens WHERE expires_at < now() - interval '1 day'`],
  ['outbox', `outbox WHERE done_at < now() - interval '8 days'`],
  ['stored answers', `stored_answers WHERE created_at < now() - interval '2 days'`],
  ['refused calls', `refused_calls WHERE created_at < now() - interval '8 days'`],
  ['account events', `account_events WHERE created_at < now() - interval '402 days'`],
] as const;

export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Figures have at most six decimals. */
const micros = (figure: number): number => Math.round(figure * 1e6);
const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + micros(figure), 0);

/** Compares each day that has ended with itself, with the day before, and with the event log. */
export class DayChecks {
  readonly #stack: Stack;
  readonly #business: Business;
  #log: LogEvent[] = [];
  /** What each user's balance comes to by the log alone. */
  readonly #logged = new Map<number, number>();
  /** With what each user's statement of a day has ended. */
  readonly #closed = new Map<string, number>();
  #cursor: string | undefined;
  #backedUp = 0;
  lines = 0;

  constructor(stack: Stack, business: Business) {
    this.#stack = stack;
    this.#business = business;
  }

  get events(): number {
    return this.#log.length;
  }

  /** The audits are over and none has found a difference, and the day is closed. */
  async checkNight(day: string, withinMs?: number): Promise<void> {
    const isClosed = async () => {
      const [closing] = await this.#stack.query<{ day: string }>(
        `SELECT day::text FROM account_closings WHERE account_id = $1`,
        [this.#business.accountId],
      );
      return closing?.day === day;
    };
    await eventually(
      `${day} is closed`,
      async () => {
        const failed = await this.#stack.auditJobs('failed');
        expectSame(
          'audits that failed',
          failed.map(({ failedReason }) => failedReason),
          [],
        );
        return (await isClosed()) && (await this.#stack.hasNoAudit());
      },
      withinMs,
    );
  }

  async checkDay(start: number): Promise<void> {
    const { client } = this.#business;
    const day = dayOf(start);
    const params = { query: { date: day, include: 'users' as const, limit: 1_000 } };
    const { users = [], audit, ...whole } = await client.get('/reconciliation', { params });
    expectSame(`the verdict of ${day}`, audit?.verdict, 'balanced');
    for (const figure of SUMS) {
      expectSame(`${figure} of ${day}`, micros(whole[figure]), sumOf(users.map((user) => user[figure])));
    }
    for (const user of users) {
      const name = `${user.user_reference} on ${day}`;
      const query = { from: new Date(start).toISOString(), to: new Date(start + DAY_MS).toISOString(), limit: 1_000 };
      const path = { reference: user.user_reference };
      const statement = await client.get('/account/user/{reference}/statement', { params: { path, query } });
      let balance = micros(statement.opening_balance);
      for (const line of statement.lines) {
        balance += micros(line.signed_amount);
        expectSame(`the balance after ${line.id} of ${name}`, micros(line.balance), balance);
      }
      expectSame(`the closing balance of ${name}`, micros(statement.closing_balance), balance);
      expectSame(
        `the day of ${name}`,
        [micros(user.closing_balance), user.transactions],
        [balance, statement.lines.length],
      );
      expectSame(
        `the opening balance of ${name}`,
        micros(user.opening_balance),
        this.#closed.get(`${user.user_id} ${dayOf(start - DAY_MS)}`) ?? micros(statement.opening_balance),
      );
      this.#closed.set(`${user.user_id} ${day}`, balance);
      this.lines += statement.lines.length;
    }
  }

  /** Everything is settled: the balances are what the transactions come to, in the tables and in the log. */
  async checkBalances(): Promise<void> {
    await this.#stack.untilDone();
    await this.#readLog();
    const stored = await this.#stack.query<{ id: number; balance: number; moved: number }>(
      `SELECT b.user_id::int AS id, b.balance::float8 AS balance, coalesce(t.moved, 0)::float8 AS moved
         FROM balances b
         LEFT JOIN (SELECT user_id, sum(CASE transaction_type WHEN 'debit' THEN -amount ELSE amount END) AS moved
                      FROM transactions WHERE account_id = $1 GROUP BY user_id) t USING (user_id)
        WHERE b.account_id = $1 ORDER BY b.user_id`,
      [this.#business.accountId],
    );
    for (const { id, balance, moved } of stored) {
      expectSame(`the balance of user ${id} by its transactions`, balance, moved);
      expectSame(`the balance of user ${id} by the event log`, balance, this.#logged.get(id) ?? 0);
    }
    const disputes = await this.#stack.query('SELECT * FROM disputes');
    expectSame('users whose figures differ from the facts', disputes, []);
  }

  /** The second ledger, fed by the log alone, has every balance, every exposure and every status. */
  async checkSecondLedger(): Promise<void> {
    await this.#stack.untilDone();
    await this.#readLog();
    const { items } = (await this.#business.client.get('/account/user', { params: { query: { per_page: 100 } } })).data;
    const byId = new Map(items.map((user) => [user.id, user]));
    const picture = pictureOf(factsFromLog(this.#log));
    await this.#checkWagers(picture);
    const second = picture.users.map(({ id, balance, exposure }) => {
      const { balance: shownBalance = 0, exposure: shownExposure = 0 } = byId.get(Number(id)) ?? {};
      expectSame(
        `balance and exposure of user ${id} by the second ledger`,
        [Number(balance), Number(exposure)],
        [micros(shownBalance), micros(shownExposure)],
      );
      return id;
    });
    expectSame(
      'the users of the second ledger',
      second.map(Number),
      [...byId.keys()].toSorted((a, b) => a - b),
    );
  }

  /** The newest: everything that is due has been done. */
  async #checkWagers({ wagers }: Picture): Promise<void> {
    const query = { per_page: 100, sort_direction: 'desc' } as const;
    const { data } = await this.#business.client.get('/wagers', { params: { query } });
    const byId = new Map(wagers.map((wager) => [Number(wager.id), wager]));
    for (const { id, reference, outcome, status, status_reason, closes_at } of data) {
      const { status: own, statusReason = null, closesAt = null } = byId.get(id) ?? {};
      // The clock closes no decided wager; the API shows it as closed when its time has come.
      const isPastClose = outcome !== 'undecided' && closes_at !== null && Date.parse(closes_at) <= this.#stack.now;
      const closes = closesAt === null ? null : new Date(Number(closesAt / 1_000n)).toISOString();
      expectSame(
        `the status of ${reference} by the second ledger`,
        isPastClose && own !== 'closed' ? ['closed', null, closes] : [own, statusReason, closes],
        [status, status_reason, closes_at],
      );
    }
  }

  /** The full audit from the first day on. */
  async checkWhole(): Promise<void> {
    const { succeeded, output } = await this.#stack.runCommand('audit');
    expectSame('the full audit', succeeded ? 'balances' : output, 'balances');
    for (const [what, condition] of ENDED_ROWS) {
      expectSame(`what housekeeping has left of ${what}`, await this.#stack.query(`SELECT FROM ${condition}`), []);
    }
  }

  /** At a backup: what the log has, a restore brings back. */
  async noteBackup(): Promise<void> {
    await this.#readLog();
    this.#backedUp = this.#log.length;
  }

  /**
   * A reader of the log is told, and reads it again: it is what it was, up to the backup. Since then the workers have ended what
   * has come due meanwhile.
   */
  async checkRestored(): Promise<void> {
    await this.#stack.untilDone();
    const [before, after] = [this.#log, this.#cursor];
    const query = { limit: 1, ...(after !== undefined && { after }) };
    const refusal = await this.#business.client.get('/events', { params: { query } }).catch((error: unknown) => error);
    this.#log = [];
    this.#logged.clear();
    this.#cursor = undefined;
    await this.#readLog();
    const [kept, since] = [this.#log.slice(0, this.#backedUp), this.#log.slice(this.#backedUp)];
    expectSame('the log after the restore', kept, before.slice(0, this.#backedUp));
    const others = since.filter(({ actor }) => actor.kind !== 'worker');
    expectSame('what others than workers have done since the restore', others, []);
    // After a weekend nothing was undone.
    const due = this.#backedUp < before.length && 409;
    expectSame('the answer to a reader of what was undone', refusal instanceof LedgerError && refusal.status, due);
  }

  async #readLog(): Promise<void> {
    for (;;) {
      const query = { limit: 1_000, ...(this.#cursor !== undefined && { after: this.#cursor }) };
      const { data, next, has_more } = await this.#business.client.get('/events', { params: { query } });
      for (const event of data as unknown as LogEvent[]) this.#take(event);
      this.#cursor = next;
      if (!has_more) return;
    }
  }

  #take(event: LogEvent): void {
    expectSame('the number of the next event', event.seq, this.#log.length + 1);
    this.#log.push(event);
    for (const { user_id, amount, transaction_type } of event.transactions ?? []) {
      const moved = transaction_type === 'debit' ? -micros(amount) : micros(amount);
      this.#logged.set(user_id, (this.#logged.get(user_id) ?? 0) + moved);
    }
  }
}
