import type { AccessChanges } from '#accounts/access/access-changes.js';
import type { Caller } from '#accounts/access/authenticator.js';
import { Unauthorized } from '#http/errors.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { QuotaUse } from '#platform/quotas/quota-use.js';
import type { QuotaName } from '#platform/quotas/quotas.js';
import type { OpenStream, StreamCaller, StreamKind } from './open-stream.js';

const BEAT_MS = 500;
/** While notices of changed access do not arrive. */
const PROVE_EVERY_MS = 5_000;
const PROVING_AT_ONCE = 4;

export interface OpenStreamsOptions {
  readonly changes: AccessChanges;
  readonly quotas: QuotaUse;
  /** Verifies an Authorization header; throws `Unauthorized` when it proves no caller. */
  prove(authorization: string): Promise<Caller>;
  readonly now: () => Date;
  /** Runs with each beat. */
  onBeat(now: number): void;
  onEnd(kind: StreamKind, reason: string): void;
}

export type WantedStream = Pick<StreamCaller, 'caller' | 'isConflated'>;

const quotaOf = ({ isConflated }: WantedStream): QuotaName => (isConflated ? 'conflated-streams' : 'streams');

/** All streams of this process: for how long, and for whom. One timer serves them all. */
export class OpenStreams {
  readonly #streams = new Set<OpenStream>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(private readonly options: OpenStreamsOptions) {
    options.changes.onChange((accountId) => this.#doubt(accountId));
  }

  countOf(kind: StreamKind): number {
    return [...this.#streams].filter(({ by }) => by.kind === kind).length;
  }

  assertRoom(wanted: WantedStream): void {
    if (this.#isClosed) throw new Refusal('overloaded', { retryAfterSeconds: 1 });
    this.options.quotas.assertRoom(quotaOf(wanted), wanted.caller.account);
  }

  /** Refuses before `open` writes anything. */
  add(by: StreamCaller, open: () => OpenStream): void {
    this.assertRoom(by);
    const stream = open();
    const release = this.options.quotas.take(quotaOf(by), by.caller.account);
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MS).unref();
    stream.begin((reason) => {
      this.#streams.delete(stream);
      release();
      this.options.onEnd(by.kind, reason);
    });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stream of [...this.#streams]) stream.end('shutdown');
  }

  #beat(): void {
    const now = performance.now();
    const isTrusted = now < this.options.changes.trustedUntilMs;
    const doubtful: OpenStream[] = [];
    for (const stream of [...this.#streams]) {
      const isExpired = stream.by.caller.expiresAtMs <= this.options.now().getTime();
      if (isExpired) stream.isInDoubt = true;
      if (stream.isInDoubt || (!isTrusted && now - stream.provedAt > PROVE_EVERY_MS)) doubtful.push(stream);
      stream.beat(now);
    }
    void this.#proveAll(doubtful);
    this.options.onBeat(now);
  }

  /** Nothing that is committed after a credential has ended is shown to it: its streams wait until it is proved again. */
  #doubt(accountId: bigint | undefined): void {
    const doubtful = [...this.#streams].filter(
      ({ by }) => accountId === undefined || by.caller.account.accountId === accountId,
    );
    for (const stream of doubtful) {
      stream.isInDoubt = true;
      // What a proof under way has read may be older than the change.
      stream.doubts += 1;
    }
    void this.#proveAll(doubtful);
  }

  /** Streams of one credential are proved at once. */
  async #proveAll(streams: readonly OpenStream[]): Promise<void> {
    const byCredential = new Map<string, OpenStream[]>();
    for (const stream of streams) {
      if (stream.provingDoubt === stream.doubts) continue;
      stream.provingDoubt = stream.doubts;
      const { authorization } = stream.by;
      byCredential.set(authorization, [...(byCredential.get(authorization) ?? []), stream]);
    }
    const waiting = byCredential.entries();
    const work = async () => {
      for (const [authorization, same] of waiting) await this.#prove(authorization, same);
    };
    await Promise.all(Array.from({ length: PROVING_AT_ONCE }, work));
  }

  async #prove(authorization: string, streams: readonly OpenStream[]): Promise<void> {
    const doubts = streams.map((stream) => stream.doubts);
    let caller: Caller | undefined;
    let isRefused = false;
    try {
      caller = await this.options.prove(authorization);
    } catch (error) {
      // When the database is away, the next beat tries again.
      isRefused = error instanceof Unauthorized;
    }
    for (const [index, stream] of streams.entries()) {
      if (stream.doubts !== doubts[index]) continue;
      stream.provingDoubt = undefined;
      const mayRead = caller !== undefined && !caller.mustAddFactor && stream.by.mayRead(caller);
      if (isRefused || (caller !== undefined && !mayRead)) stream.end('access');
      else if (mayRead) stream.confirm();
    }
  }
}
