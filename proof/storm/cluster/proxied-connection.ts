import { connect, type Socket } from 'node:net';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** One connection of a proxy: the caller's socket, and the socket to the server. */
export class ProxiedConnection {
  readonly #caller: Socket;
  readonly #server: Socket;
  #isHeld = false;
  /** The share of the server's next bytes that still passes. */
  #lastShare: number | undefined;

  constructor(caller: Socket, address: Address, onClose: () => void) {
    this.#caller = caller;
    this.#server = connect({ ...address, allowHalfOpen: true, noDelay: true });
    caller.on('data', (bytes) => this.#pass(bytes, caller, this.#server));
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

  #passEnds(from: Socket, to: Socket): void {
    from.on('end', () => to.end());
    from.on('error', () => this.cut());
  }

  #answer(bytes: Buffer): void {
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
