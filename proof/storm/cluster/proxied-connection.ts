import { connect, type Socket } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a silent connection drops: all bytes and ends, or those from the server alone. */
export type Silence = 'both directions' | 'answers';

/** As long as a server's keep-alive takes to find that a silent caller has gone. */
const HALF_OPEN_MS = 12_000;

/** One connection of a proxy: the caller's socket, and the socket to the server. */
export class ProxiedConnection {
  readonly #caller: Socket;
  readonly #server: Socket;
  #isHeld = false;
  /** The share of the server's next bytes that still passes. */
  #lastShare: number | undefined;
  #silence: Silence | undefined;

  constructor(caller: Socket, address: Address, onClose: () => void) {
    this.#caller = caller;
    this.#server = connect({ ...address, allowHalfOpen: true, noDelay: true });
    caller.on('data', (bytes) => this.#ask(bytes));
    this.#server.on('data', (bytes) => this.#answer(bytes));
    this.#passEnds(caller, this.#server);
    this.#passEnds(this.#server, caller);
    let open = 2;
    const closed = () => {
      open -= 1;
      if (open === 0) onClose();
    };
    caller.once('close', closed);
    this.#server.once('close', closed);
  }

  get isMarked(): boolean {
    return this.#lastShare !== undefined;
  }

  markForCut(lastShare: number): void {
    this.#lastShare = lastShare;
  }

  /** Resets both sockets, as a router does that lost the connection's state. */
  cut(): void {
    reset(this.#caller);
    reset(this.#server);
  }

  hold(): void {
    this.#isHeld = true;
    this.#caller.pause();
    this.#server.pause();
  }

  release(): void {
    this.#isHeld = false;
    this.#caller.resume();
    this.#server.resume();
  }

  /** From now on, as when the network drops packets: neither side hears that the other has closed the connection. */
  silence(silence: Silence): void {
    this.#silence = silence;
  }

  #passEnds(from: Socket, to: Socket): void {
    from.on('end', () => this.#end(from, to));
    from.on('error', () => this.#fail(from));
  }

  #end(from: Socket, to: Socket): void {
    if (this.#silence === undefined) to.end();
    else this.#leave(from);
  }

  #fail(side: Socket): void {
    if (this.#silence === undefined) this.cut();
    else this.#leave(side);
  }

  /** One side has closed a silent connection. The other waits for its own time-outs. */
  #leave(side: Socket): void {
    side.destroy();
    if (side === this.#caller) setTimeout(() => this.#server.destroy(), HALF_OPEN_MS).unref();
  }

  #ask(bytes: Buffer): void {
    if (this.#silence !== 'both directions') this.#pass(bytes, this.#caller, this.#server);
  }

  #answer(bytes: Buffer): void {
    if (this.#silence !== undefined) return;
    if (this.#lastShare === undefined) {
      this.#pass(bytes, this.#server, this.#caller);
    } else {
      this.#server.pause();
      this.#caller.write(bytes.subarray(0, Math.floor(bytes.length * this.#lastShare)), () => this.cut());
    }
  }

  /** Respects the receiver's back-pressure. */
  #pass(bytes: Buffer, from: Socket, to: Socket): void {
    if (to.write(bytes)) return;
    from.pause();
    to.once('drain', () => {
      if (!this.#isHeld) from.resume();
    });
  }
}

/** A socket that is sending its end cannot be reset: a reset would leave it open. */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}
