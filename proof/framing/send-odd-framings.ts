import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { type Attacker, oddFraming } from './odd-framings.js';
import { sendRaw, statusesIn } from './raw-request.js';

export interface AttackOptions {
  readonly attacker: Attacker;
  readonly port: number;
  readonly chance: SeededRandom;
  readonly connections: number;
  /** Asked before each request. */
  readonly goesOn: (sent: number) => boolean;
  /** Texts that no answer may contain. */
  readonly secrets: () => readonly string[];
}

export interface Attack {
  readonly sent: number;
  /** How often each status came; 0 stands for no answer. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly findings: readonly string[];
}

/** Many requests wait for the rest of their body, and get no answer. */
const PATIENCE = { firstMs: 500, moreMs: 50 };

/** Sends odd requests on several connections at once. */
export async function sendOddFramings(options: AttackOptions): Promise<Attack> {
  const { attacker, port, chance, connections, goesOn, secrets } = options;
  const statuses = new Map<number, number>();
  const findings: string[] = [];
  let sent = 0;

  async function sendOne(): Promise<void> {
    sent += 1;
    const request = oddFraming(chance, attacker);
    const { text } = await sendRaw(port, request, PATIENCE);
    const answers = statusesIn(text);
    for (const status of answers.length === 0 ? [0] : answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const secret = secrets().find((each) => text.includes(each));
    if (secret !== undefined) findings.push(`${JSON.stringify(request)} got what belongs to another: ${secret}`);
    if (answers.some((status) => status === 500)) findings.push(`${JSON.stringify(request)} was answered with 500`);
  }

  async function sendInTurn(): Promise<void> {
    while (goesOn(sent)) await sendOne();
  }

  await Promise.all(Array.from({ length: connections }, sendInTurn));
  return { sent, statuses, findings };
}
