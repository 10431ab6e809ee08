import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Screen, whole } from '#tools/shared/command-line.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import { Business } from './business.js';
import { DayChecks, dayOf } from './day-checks.js';
import { Finding } from './eventually.js';
import { MovingClock } from './moving-clock.js';
import { addAudit, type Night, nightKinds } from './night-kinds.js';
import type { NightsOptions } from './options.js';
import { Stack } from './stack.js';

export interface NightsSetting {
  readonly options: NightsOptions;
  readonly screen: Screen;
  readonly stopping: AbortSignal;
}

export interface NightsReport {
  readonly findings: readonly string[];
  readonly nights: ReadonlyMap<string, number>;
  /** How often each kind of act was done. */
  readonly acts: ReadonlyMap<string, number>;
  readonly lines: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LEAP_DAY = Date.parse('2028-02-29');
const SHOWN_EVERY_DAYS = 10;
const RESTORED_EVERY_DAYS = 10;
const BACKED_UP_ON = 7;
const MORNING = [4, 5, 6, 7, 8, 9, 10, 11];
const AFTERNOON = [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23];
/** Some acts then are of the day, and some of the next. */
const SECONDS_BEFORE_MIDNIGHT = 0.05;

/** Plays the days, with the leap day in their middle. Ends with the first finding. */
export async function runNights({ options, screen, stopping }: NightsSetting): Promise<NightsReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-nights-'));
  chmodSync(folder, 0o711); // PostgreSQL may run as another user
  const first = LEAP_DAY - Math.floor(options.days / 2) * DAY_MS;
  let leavesFolder = options.keep;
  screen.write(`\n  ${options.days} nights from ${dayOf(first)} on (seed ${options.seed})\n`);
  try {
    const report = await new Nights({ options, screen, stopping }, folder, first).run();
    for (const finding of report.findings) screen.write(`  FOUND  ${finding}\n`);
    leavesFolder ||= report.findings.length > 0;
    return report;
  } catch (error) {
    leavesFolder ||= !stopping.aborted;
    throw error;
  } finally {
    if (leavesFolder) screen.write(`  The database and the logs of all processes: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Nights {
  readonly #setting: NightsSetting;
  readonly #folder: string;
  readonly #first: number;
  readonly #random: SeededRandom;
  readonly #findings: string[] = [];
  readonly #nights = new Map<string, number>();

  constructor(setting: NightsSetting, folder: string, first: number) {
    this.#setting = setting;
    this.#folder = folder;
    this.#first = first;
    this.#random = createSeededRandom(setting.options.seed);
  }

  async run(): Promise<NightsReport> {
    const clock = await MovingClock.open(this.#folder, new Date(this.#first));
    const onFault = (text: string) => this.#findings.push(text);
    const stack = await Stack.start({ folder: this.#folder, clock, onFault });
    try {
      const business = await Business.open(stack, this.#random);
      const checks = new DayChecks(stack, business);
      await this.#play({ stack, business }, checks);
      const { lines } = checks;
      return { findings: this.#findings, nights: this.#nights, acts: business.done, lines };
    } finally {
      await stack.close();
      clock.close();
    }
  }

  async #play(parts: Omit<Night, 'midnight'>, checks: DayChecks): Promise<void> {
    const { days } = this.#setting.options;
    let at = this.#first;
    try {
      for (let day = 0; day < days && this.#findings.length === 0; day += 1) {
        this.#setting.stopping.throwIfAborted();
        at = this.#first + day * DAY_MS;
        await this.#playDay({ ...parts, midnight: at }, checks);
        if ((day + 1) % SHOWN_EVERY_DAYS === 0) await this.#lookBack(day + 1, checks);
      }
      await checks.checkWhole();
      await checks.checkSecondLedger();
    } catch (error) {
      if (!(error instanceof Finding)) throw error;
      this.#findings.push(`${dayOf(at)}: ${error.message}`);
    }
  }

  async #lookBack(days: number, checks: DayChecks): Promise<void> {
    await checks.checkSecondLedger();
    const { screen } = this.#setting;
    screen.write(`  ${whole(days)} days, ${whole(checks.events)} events, ${whole(checks.lines)} lines of statements\n`);
  }

  /** The night at its beginning closes the day before. */
  async #playDay(night: Night, checks: DayChecks): Promise<void> {
    const { stack, business, midnight } = night;
    const isWeekend = [0, 6].includes(new Date(midnight).getUTCDay());
    await stack.jumpTo(midnight);
    await stack.planAudit();
    await business.logIn();
    if (!isWeekend) await this.#playHours(night, [0, 1, 2]);
    await this.#playNight(night, checks);
    if (!isWeekend) await this.#playHours(night, MORNING);
    await stack.jumpTo(midnight + DAY_MS / 2);
    await this.#playNoon(night, checks);
    if (!isWeekend) await this.#playHours(night, AFTERNOON);
    business.endTrade();
    await stack.jumpTo(midnight + DAY_MS - SECONDS_BEFORE_MIDNIGHT * 1_000);
    if (!isWeekend) await business.act(4);
  }

  /** On some days a backup is made, and on the days after them PostgreSQL goes back to it. */
  async #playNoon({ stack, business, midnight }: Night, checks: DayChecks): Promise<void> {
    const place = this.#placeOf(midnight) % RESTORED_EVERY_DAYS;
    if (place === BACKED_UP_ON) {
      await checks.noteBackup();
      await stack.backUp();
    }
    if (place !== BACKED_UP_ON + 1) return;
    await stack.restore();
    business.endTrade();
    await business.logIn();
    await checks.checkRestored();
    // The closing of the last night is undone: a provider has it made again.
    await addAudit(stack);
    await checks.checkNight(dayOf(midnight - DAY_MS));
    await checks.checkDay(midnight - DAY_MS);
    await checks.checkBalances();
    this.#nights.set('restored', (this.#nights.get('restored') ?? 0) + 1);
  }

  #placeOf(midnight: number): number {
    return Math.round((midnight - this.#first) / DAY_MS);
  }

  async #playNight(night: Night, checks: DayChecks): Promise<void> {
    const isFirst = night.midnight === this.#first;
    const place = this.#placeOf(night.midnight);
    const kind = nightKinds[place % nightKinds.length] ?? nightKinds[0];
    await kind.play(night);
    this.#nights.set(kind.name, (this.#nights.get(kind.name) ?? 0) + 1);
    const before = night.midnight - DAY_MS;
    await checks.checkNight(dayOf(before));
    if (!isFirst) await checks.checkDay(before);
    await checks.checkBalances();
  }

  /** Some acts at any minute of each hour, most of them around midnight. */
  async #playHours({ stack, business, midnight }: Night, hours: readonly number[]): Promise<void> {
    for (const hour of hours) {
      this.#setting.stopping.throwIfAborted();
      const isLate = hour < 2 || hour >= 22;
      for (const _ of isLate ? [0, 1, 2] : [0]) {
        await stack.jumpTo(midnight + (60 * hour + this.#random.below(20)) * MINUTE_MS);
        await business.act(1);
      }
      await business.trade(midnight, hour);
    }
  }
}
