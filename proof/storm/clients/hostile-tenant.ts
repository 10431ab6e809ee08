import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Bystander } from '#proof/framing/bystander.js';
import { sendOddFramings } from '#proof/framing/send-odd-framings.js';
import { createSeededRandom, type SeededRandom } from '#tools/shared/seeded-random.js';
import type { Hostility } from '../history.js';
import type { KnownAccount } from './known-account.js';

// A tenant that means harm, at the same time as all others and through all faults: requests whose end can be read in several ways, and
// connections that ask for much and read nothing.

export interface HostileTenantOptions {
  readonly apiUrls: readonly string[];
  readonly attacker: KnownAccount;
  /** Asks for what is its own, and must get nothing else. */
  readonly bystander: KnownAccount;
  readonly others: readonly KnownAccount[];
  readonly chance: SeededRandom;
  /** Aborted when clients begin no new requests. */
  readonly finishing: AbortSignal;
}

/** Of each API. */
const ODD_CONNECTIONS = 2;
/** A connection that reads nothing stays for so long. */
const LEAST_HELD_MS = 500;
const MOST_HELD_MS = 4_000;
const LARGE_ANSWERS = 20;
const BYSTANDER_RESTS_MS = 50;

const headersOf = ({ token }: KnownAccount) => ({ Authorization: `Bearer ${token}` });

/** Asks for large answers at once, and reads none of them. */
async function leaveUnread(port: number, { token }: KnownAccount, heldMs: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const paths = [...Array<string>(LARGE_ANSWERS).fill('/openapi.json'), '/events/stream'];
  socket.write(paths.map((path) => `GET ${path} ${head}`).join(''));
  await delay(heldMs);
  socket.destroy();
}

/** Runs until `finishing`. */
export async function runHostileTenant(options: HostileTenantOptions): Promise<Hostility> {
  const { apiUrls, attacker, bystander, others, chance, finishing } = options;
  const isOver = () => finishing.aborted;
  const bystanders = apiUrls.map(
    (baseUrl) =>
      new Bystander({
        baseUrl,
        prefix: '',
        headers: headersOf(bystander),
        email: bystander.account.email,
        writes: false,
        mayFail: true,
      }),
  );
  const secrets = [bystander, ...others].flatMap(({ token, account }) => [token, account.email]);
  let unread = 0;

  async function hold(port: number): Promise<void> {
    while (!isOver()) {
      await leaveUnread(port, attacker, LEAST_HELD_MS + chance.below(MOST_HELD_MS - LEAST_HELD_MS));
      unread += 1;
    }
  }

  async function lookOn(own: Bystander): Promise<void> {
    while (!isOver()) {
      await own.act();
      await delay(BYSTANDER_RESTS_MS);
    }
    await own.check();
  }

  const ports = apiUrls.map((url) => Number(new URL(url).port));
  const attacks = ports.map((port) =>
    sendOddFramings({
      attacker: { credential: `Authorization: Bearer ${attacker.token}`, host: '127.0.0.1', prefix: '' },
      port,
      chance: createSeededRandom(chance.below(2 ** 31)),
      connections: ODD_CONNECTIONS,
      goesOn: () => !isOver(),
      secrets: () => [...secrets, ...bystanders.flatMap((each) => each.secrets)],
    }),
  );
  const [attacked] = await Promise.all([
    Promise.all(attacks),
    Promise.all(ports.map(hold)),
    Promise.all(bystanders.map(lookOn)),
  ]);
  return {
    sent: attacked.reduce((sum, { sent }) => sum + sent, 0),
    unread,
    asked: bystanders.reduce((sum, { asked }) => sum + asked, 0),
    findings: [...attacked, ...bystanders].flatMap(({ findings }) => findings),
  };
}
