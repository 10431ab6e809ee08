import { once, setMaxListeners } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Screen } from '#tools/shared/command-line.js';
import { checkAll, type Finding } from './checks/check-all.js';
import { hasHappened } from './checks/has-happened.js';
import { type ClientOptions, DEFAULT_CLIENTS, runClients } from './clients/run-clients.js';
import { WebhookReceivers } from './clients/webhook-receivers.js';
import { type Cluster, type ProcessName, processNames, startCluster } from './cluster/cluster.js';
import { findCrashes } from './cluster/service-crashes.js';
import { faultKinds, faultKindsWithStandby } from './faults/fault-kinds.js';
import { injectFaults } from './faults/inject-faults.js';
import { type Recovery, RecoveryWatch } from './faults/recovery-watch.js';
import { endWebhookLeases } from './faults/webhook-faults.js';
import { runFinalChecks } from './final-checks.js';
import type { History } from './history.js';
import type { StormOptions } from './options.js';
import { findSlowRecoveries, isEnoughOf, linesOfFindings, type StormReport, textOf } from './report.js';
import { createStormScreen, lineOf, type StormScreen } from './storm-screen.js';

export interface StormSetting {
  readonly options: StormOptions;
  readonly screen: Screen;
  readonly stopping: AbortSignal;
}

/** After the last fault: longer than any fault allows. */
const RESTORED_WITHIN_MS = 45_000;
/** From the last look at what has happened to the end of the clients, mostly. */
const LAST_SECONDS = 10;
/** Without faults no answer takes longer. */
const FINISHED_WITHIN_MS = 120_000;

/** Runs clients against a cluster, injects faults, and checks the result. Leaves only the logs, and those only when needed. */
export async function runStorm({ options, screen, stopping }: StormSetting): Promise<StormReport> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ledger-storm-'));
  const view = createStormScreen(screen);
  let leavesFolder = options.keep;
  try {
    view.say(`\n  A storm of ${options.seconds} s (seed ${options.seed})`);
    view.live(() => 'Getting ready …');
    const report = await new Storm({ options, folder, view, stopping }).run();
    const text = textOf(report);
    writeFileSync(path.join(folder, 'report.txt'), text);
    view.say(text);
    leavesFolder ||= report.findings.length > 0;
    return report;
  } catch (error) {
    leavesFolder ||= !stopping.aborted;
    throw error;
  } finally {
    view.end();
    if (leavesFolder) view.say(`  Times of all faults, and the logs of all processes: ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Setting {
  readonly options: StormOptions;
  readonly folder: string;
  readonly view: StormScreen;
  readonly stopping: AbortSignal;
}

class Storm {
  readonly #setting: Setting;
  readonly #findings: Finding[] = [];
  readonly #recoveries: Recovery[] = [];
  readonly #figures = { requests: 0, answered: 0, retries: 0, effects: 0 };
  readonly #startedAt = performance.now();
  /** Aborted when the user stops the storm, or when the clients cannot continue. */
  readonly #ending = new AbortController();

  constructor(setting: Setting) {
    this.#setting = setting;
    // Every process that recovers listens: Node would warn from the eleventh on.
    setMaxListeners(0, this.#ending.signal);
    setting.stopping.addEventListener('abort', () => this.#ending.abort(setting.stopping.reason), { once: true });
  }

  async run(): Promise<StormReport> {
    const { folder, view, options } = this.#setting;
    const { patience } = options;
    const cluster = await startCluster({
      folder,
      standby: options.standby,
      log: (text) => this.#log(text),
      onRecovery: (recovery) => this.#recovered(recovery),
      onFault: (text) => this.#found({ check: 'processes', text }),
    });
    const finishing = new AbortController();
    const receivers = new WebhookReceivers({ seed: options.seed, finishing: finishing.signal });
    // Every client listens, too.
    setMaxListeners(0, finishing.signal);
    try {
      this.#ending.signal.throwIfAborted();
      const { apiUrls } = addressesOf(cluster);
      const { history, ready } = this.#startClients(cluster, { receivers, finishing: finishing.signal });
      await this.#unlessEnded(ready);
      const faults = await this.#injectFaults(cluster);
      finishing.abort();
      view.live(() => 'Waiting for the answers to all requests …');
      const tooLate = new Error('The clients did not finish.');
      const late = setTimeout(() => this.#ending.abort(tooLate), FINISHED_WITHIN_MS);
      const done = await this.#unlessEnded(history);
      this.#log('the clients have all answers');
      clearTimeout(late);
      view.live(() => 'Checking …');
      const finalChecks = await this.#unlessEnded(
        runFinalChecks({
          apiUrls,
          processes: cluster.processes,
          history: done,
          stopping: this.#ending.signal,
          patience,
        }),
      );
      this.#log('every API and worker was asked');
      // A worker that was killed holds its lease for half a minute.
      await endWebhookLeases(cluster.postgres.url);
      const checking = checkAll({ history: finalChecks.history, ...addressesOf(cluster), patience });
      const checked = await this.#unlessEnded(checking).finally(() => this.#writeHistory(finalChecks.history));
      this.#findCrashes();
      this.#found(...findSlowRecoveries(this.#recoveries, patience), ...finalChecks.findings, ...checked.findings);
      const facts = [...checked.facts, ...finalChecks.facts];
      return { faults, recoveries: this.#recoveries, facts, findings: this.#findings };
    } catch (error) {
      for (const line of linesOfFindings(this.#findings)) view.say(line); // they may explain the error
      throw error;
    } finally {
      finishing.abort();
      await Promise.all([cluster.close(), receivers.close()]);
    }
  }

  #startClients(
    cluster: Cluster,
    ending: Pick<ClientOptions, 'receivers' | 'finishing'>,
  ): { history: Promise<History>; ready: Promise<void> } {
    const { seed } = this.#setting.options;
    const { apiUrls, databaseUrl } = addressesOf(cluster);
    let onReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => {
      onReady = resolve;
    });
    const history = runClients({
      apiUrls,
      databaseUrl,
      seed,
      clients: DEFAULT_CLIENTS,
      ...ending,
      progress: this.#figures,
      onReady,
    });
    history.catch((error: unknown) => {
      // The causes are answers that cannot be parsed, and a failed set-up.
      if (!this.#ending.signal.aborted) this.#found({ check: 'clients', text: `cannot continue: ${error}` });
      this.#ending.abort(error);
    });
    return { history, ready };
  }

  /** Returns how often each fault was injected, once all are over and every process is in service again. */
  async #injectFaults(cluster: Cluster): Promise<ReadonlyMap<string, number>> {
    const { options, view } = this.#setting;
    const { seed, seconds, standby } = options;
    const watches = this.#watchesOn(cluster);
    const underWay = new Set<string>();
    const beganAt = performance.now();
    view.live(() =>
      lineOf({ seconds: (performance.now() - beganAt) / 1_000, ofSeconds: seconds, ...this.#figures, underWay }),
    );
    try {
      const faults = await injectFaults({
        cluster,
        kinds: standby ? faultKindsWithStandby : faultKinds,
        seed,
        watches,
        underWay,
        log: (text) => this.#log(text),
        isOver: (counts) => this.#isOver((performance.now() - beganAt) / 1_000, counts, cluster),
        stopping: this.#ending.signal,
      });
      await this.#unlessEnded(this.#restored([...watches.values()]));
      return faults;
    } finally {
      for (const watch of watches.values()) watch.stop();
    }
  }

  /** A patient storm goes on until enough has happened: on a slow machine, faults and requests are few. */
  async #isOver(seconds: number, faults: ReadonlyMap<string, number>, { postgres }: Cluster): Promise<boolean> {
    const { options } = this.#setting;
    if (seconds < options.seconds) return false;
    if (seconds >= options.seconds * options.patience) return true;
    return isEnoughOf({ faults, recoveries: this.#recoveries }) && hasHappened(postgres.url, seconds + LAST_SECONDS);
  }

  async #restored(watches: readonly RecoveryWatch[]): Promise<void> {
    const withinMs = RESTORED_WITHIN_MS * this.#setting.options.patience;
    const late = setTimeout(() => {
      for (const watch of watches) watch.stop();
    }, withinMs);
    await Promise.all(watches.map((watch) => watch.seen()));
    clearTimeout(late);
    for (const { process, isMissing } of watches) {
      const text = `${process} is not in service ${withinMs / 1_000} s after the last fault`;
      if (isMissing) this.#found({ check: 'recovery', text });
    }
  }

  #watchesOn({ processes }: Cluster): ReadonlyMap<ProcessName, RecoveryWatch> {
    const onRecovery = (recovery: Recovery) => this.#recovered(recovery);
    return new Map(
      processNames.map((process) => {
        const { inService } = processes[process];
        return [process, new RecoveryWatch({ process, inService, onRecovery })];
      }),
    );
  }

  #recovered(recovery: Recovery): void {
    this.#recoveries.push(recovery);
    this.#log(`${recovery.process} is in service again after ${Math.round(recovery.tookMs)} ms`);
  }

  #found(...findings: readonly Finding[]): void {
    this.#findings.push(...findings);
    for (const { check, text } of findings) this.#log(`FOUND  ${check}: ${text}`);
  }

  #writeHistory(history: History): void {
    writeFileSync(path.join(this.#setting.folder, 'history.json'), JSON.stringify(history, null, 1));
  }

  #findCrashes(): void {
    for (const file of logsOfServices(this.#setting.folder)) {
      const log = readFileSync(file, 'utf8');
      this.#found(...findCrashes(log).map((text) => ({ check: 'services', text })));
    }
  }

  async #unlessEnded<Result>(work: Promise<Result>): Promise<Result> {
    const { signal } = this.#ending;
    signal.throwIfAborted();
    work.catch(() => undefined); // it may fail after the end of the storm
    const over = new AbortController();
    const ended = once(signal, 'abort', { signal: over.signal }).then(() => {
      throw signal.reason;
    });
    ended.catch(() => undefined); // matters only while the work runs
    try {
      return await Promise.race([work, ended]);
    } finally {
      over.abort();
    }
  }

  /** Writes the time of day, as the processes' logs do, and the seconds since the start. */
  #log(text: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1_000).toFixed(3).padStart(8);
    appendFileSync(path.join(this.#setting.folder, 'storm.log'), `${new Date().toISOString()} ${seconds} s  ${text}\n`);
  }
}

/** One of Redis, and one of each PostgreSQL. */
const logsOfServices = (folder: string): string[] =>
  ['postgres', 'redis'].flatMap((service) =>
    readdirSync(path.join(folder, service), { recursive: true, encoding: 'utf8' })
      .filter((file) => path.basename(file) === `${service}.log`)
      .map((file) => path.join(folder, service, file)),
  );

function addressesOf({ apiProxies, postgres, mailFolder }: Cluster) {
  const apiUrls = [...apiProxies.values()].map(({ port }) => `http://127.0.0.1:${port}`);
  return { apiUrls, databaseUrl: postgres.url, mailFolder };
}
