import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { SeededRandom } from '#tools/shared/seeded-random.js';
import { ProxiedConnection, type Silence } from './proxied-connection.js';

const HOST = '127.0.0.1';

export interface ProxyPorts {
  /** The port that callers connect to. */
  readonly port: number;
  /** The port of the server behind the proxy. */
  readonly targetPort: number;
}

export interface Choice {
  /** The share of the connections, from 0 to 1. */
  readonly share: number;
  readonly chance: SeededRandom;
}

/** Stands between callers and a server, and passes bytes in both directions until a fault is injected. */
export class TcpProxy {
  readonly port: number;
  #targetPort: number;
  readonly #connections = new Set<ProxiedConnection>();
  /** No other fault reaches them any more. */
  readonly #silent = new Set<ProxiedConnection>();
  readonly #server: Server;
  #isHeld = false;
  #isRefusing = false;

  private constructor({ port, targetPort }: ProxyPorts) {
    this.port = port;
    this.#targetPort = targetPort;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (caller) => this.#connect(caller));
  }

  static async open(ports: ProxyPorts): Promise<TcpProxy> {
    const proxy = new TcpProxy(ports);
    proxy.#server.listen(proxy.port, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The address of the server behind it, by way of the proxy. */
  through(address: string): string {
    const url = new URL(address);
    url.port = String(this.port);
    return url.href;
  }

  /** Chosen connections break within the next bytes from the server, or at `cutMarked` when it sends none. */
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

  /** Drops all connections and refuses new ones. The port stays open: another program might take it otherwise. */
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
    for (const connection of this.#silent) connection.cut();
  }

  /** New connections lead to another server. */
  moveTo(targetPort: number): void {
    this.#targetPort = targetPort;
  }

  /** Stops all bytes without an error on either side. */
  hold(): void {
    this.#isHeld = true;
    for (const connection of this.#connections) connection.hold();
  }

  release(): void {
    this.#isHeld = false;
    for (const connection of this.#connections) connection.release();
  }

  /** Silences the connections that are open now, for ever. New ones work. */
  silence(silence: Silence): void {
    for (const connection of this.#connections) {
      connection.silence(silence);
      this.#silent.add(connection);
    }
    this.#connections.clear();
  }

  #connect(caller: Socket): void {
    if (this.#isRefusing) {
      caller.resetAndDestroy();
      return;
    }
    const connection = new ProxiedConnection(caller, { port: this.#targetPort, host: HOST }, () => {
      this.#connections.delete(connection);
      this.#silent.delete(connection);
    });
    this.#connections.add(connection);
    if (this.#isHeld) connection.hold();
  }
}
