import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { LinkConnection } from './link-connection.js';

const HOST = '127.0.0.1';

export interface LinkPorts {
  /** Where callers come in. */
  readonly port: number;
  /** Where the server listens that they believe to talk to. */
  readonly targetPort: number;
}

export interface Choice {
  /** How many of the connections, of 1. */
  readonly share: number;
  readonly chance: SeededRandom;
}

/** The way to a server: bytes pass in both directions until something happens to it. */
export class Link {
  readonly port: number;
  readonly #targetPort: number;
  readonly #connections = new Set<LinkConnection>();
  readonly #server: Server;
  #isHeld = false;
  #isRefusing = false;

  private constructor({ port, targetPort }: LinkPorts) {
    this.port = port;
    this.#targetPort = targetPort;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => this.#connect(caller));
  }

  static async open(ports: LinkPorts): Promise<Link> {
    const link = new Link(ports);
    link.#server.listen(link.port, HOST);
    await once(link.#server, 'listening');
    return link;
  }

  /** Each of the chosen breaks in the middle of what the server sends next, or at `cutMarked` when it sends nothing. */
  markForCut({ share, chance }: Choice): void {
    for (const connection of this.#connections) {
      if (chance.happens(share)) connection.markForCut(chance.below(100) / 100);
    }
  }

  cutMarked(): void {
    for (const connection of this.#connections) {
      if (connection.isMarked) connection.cut();
    }
  }

  /** Nobody gets in, and who is in is thrown out. The port is kept: another program might take it meanwhile. */
  refuse(): void {
    this.#isRefusing = true;
    for (const connection of this.#connections) connection.cut();
  }

  accept(): void {
    this.#isRefusing = false;
  }

  close(): void {
    this.#server.close();
    this.refuse();
  }

  /** Nothing moves, and nobody is told. */
  hold(): void {
    this.#isHeld = true;
    for (const connection of this.#connections) connection.hold();
  }

  release(): void {
    this.#isHeld = false;
    for (const connection of this.#connections) connection.release();
  }

  #connect(caller: Socket): void {
    if (this.#isRefusing) {
      caller.resetAndDestroy();
      return;
    }
    const connection = new LinkConnection(caller, { port: this.#targetPort, host: HOST }, () =>
      this.#connections.delete(connection),
    );
    this.#connections.add(connection);
    if (this.#isHeld) connection.hold();
  }
}
