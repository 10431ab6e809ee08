import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { Bystander } from '#proof/framing/bystander.js';
import type { Attacker } from '#proof/framing/odd-framings.js';
import { type Attack, sendOddFramings } from '#proof/framing/send-odd-framings.js';
import { createSeededRandom } from '#tools/shared/seeded-random.js';

interface User {
  readonly email: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface OddFramings {
  readonly baseUrl: string;
  readonly prefix: string;
  readonly seed: number;
  readonly count: number;
  readonly attacker: User;
  readonly users: readonly User[];
}

/** Most requests wait for an answer that does not come. */
const CONNECTIONS = 48;
/** A user's next request comes so much later: the odd ones need the processor, too. */
const PAUSE_MS = 5;
/** Of each user. */
const LEAST_OF_USERS = 50;

/** Sends odd requests, and ordinary ones of users at the same time. Each user gets its own answers, and keeps what it has. */
export async function expectNoHarm({ baseUrl, prefix, seed, count, attacker, users }: OddFramings): Promise<Attack> {
  const bystanders = users.map((user) => new Bystander({ ...user, baseUrl, prefix, writes: true, mayFail: false }));
  let isOver = false;
  const ordinary = bystanders.map(async (bystander) => {
    while (!isOver) {
      await bystander.act();
      await delay(PAUSE_MS);
    }
  });
  const { host, port } = new URL(baseUrl);
  const [[name, value] = ['', '']] = Object.entries(attacker.headers);
  const hostile: Attacker = { credential: `${name}: ${value}`, host, prefix };
  const attack = await sendOddFramings({
    attacker: hostile,
    port: Number(port),
    chance: createSeededRandom(seed),
    connections: CONNECTIONS,
    goesOn: (sent) => sent < count,
    secrets: () => bystanders.flatMap(({ secrets }) => secrets),
  });
  isOver = true;
  await Promise.all(ordinary);
  for (const bystander of bystanders) await bystander.check();
  const findings = [...attack.findings, ...bystanders.flatMap((bystander) => bystander.findings)];
  expect({ seed, findings: findings.slice(0, 20) }).toEqual({ seed, findings: [] });
  for (const { asked } of bystanders) expect(asked).toBeGreaterThan(LEAST_OF_USERS);
  return attack;
}
