import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { api, type Reads, type Schemas } from '../../api/api.js';
import { LedgerError, NOT_FOUND } from '../../api/errors.js';
import { pause } from '../../api/pauses.js';
import { type Resource, useResource } from '../../api/resource.js';
import type { LedgerEvent } from '../../live/shared-events.js';
import { ABOUT_BETS, LIST_PAUSE_MS } from './following.js';

// What an operation would move, as the API computes it.

export type PreviewedOperation = Schemas['CreatePreview']['operation'];
type DonePreview = Schemas['Preview'];
type AnyPreview = DonePreview | Schemas['UnfinishedPreview'];

const FIRST_POLL_MS = 250;
/** The worker notes its progress once a second. */
const LONGEST_POLL_MS = 1_000;
/** While a wager takes offers, a preview that a worker computes is made no more often: it holds a snapshot. */
const LARGE_PAUSE_MS = 30_000;
/** The API computes two previews at once, and keeps the users of each: a large one is made again more seldom. */
const PAUSE_MS_PER_USER = 4;

export interface PreviewOptions {
  /** Undefined: nothing is chosen yet. */
  readonly operation: PreviewedOperation | undefined;
  readonly changedBy: (event: LedgerEvent) => boolean;
}

export interface ShownPreview {
  readonly isChosen: boolean;
  /** Of the chosen operation. It stays while a newer one is made, and when that fails. */
  readonly done: DonePreview | undefined;
  /** Why the worker could not compute it. */
  readonly failure: string | undefined;
  /** In percent, while the worker computes it. */
  readonly progress: number | undefined;
  /** All of it is there. While its wager takes offers, a newer one may be under way. */
  readonly isComplete: boolean;
  readonly error: unknown;
  readonly reload: () => void;
}

interface Progress {
  readonly of: PreviewRequest;
  readonly percent: number;
}

/** The previews of one operation, one after the other. After a fault, the next load goes on with the same preview. */
class PreviewRequest {
  #runningId: number | undefined;
  #notBefore = 0;

  constructor(
    readonly operation: PreviewedOperation,
    private readonly progress: Signal<Progress | undefined>,
  ) {}

  async load(signal: AbortSignal): Promise<AnyPreview> {
    await pause(this.#notBefore - Date.now(), signal);
    let preview = await this.#begin(signal);
    const isLarge = preview.state === 'running';
    for (let pauseMs = FIRST_POLL_MS; preview.state === 'running'; pauseMs = LONGEST_POLL_MS) {
      this.#runningId = preview.id;
      this.progress.value = { of: this, percent: preview.progress };
      await pause(pauseMs, signal);
      preview = await this.#read(preview.id, signal);
    }
    this.#end(preview, isLarge);
    return preview;
  }

  async #begin(signal: AbortSignal): Promise<AnyPreview> {
    if (this.#runningId !== undefined) return this.#read(this.#runningId, signal);
    return (await api.post('/previews', { body: { operation: this.operation }, signal })).data;
  }

  async #read(id: number, signal: AbortSignal): Promise<AnyPreview> {
    try {
      return (await api.get('/previews/{id}', { params: { path: { id } }, signal })).data;
    } catch (error) {
      if (error instanceof LedgerError && error.status === NOT_FOUND) this.#runningId = undefined;
      throw error;
    }
  }

  #end(preview: AnyPreview, isLarge: boolean): void {
    this.#runningId = undefined;
    this.progress.value = undefined;
    if (preview.state !== 'done' || preview.exact) return;
    const pauseMs = Math.max(isLarge ? LARGE_PAUSE_MS : 0, PAUSE_MS_PER_USER * preview.users.affected);
    this.#notBefore = Date.now() + pauseMs;
  }
}

interface Loaded {
  readonly of?: PreviewRequest;
  readonly preview?: AnyPreview;
}

/** The preview of an operation, made again when an event changes it. Another operation ends what is under way. */
export function usePreview({ operation, changedBy }: PreviewOptions): ShownPreview {
  const key = JSON.stringify(operation);
  const progress = useSignal<Progress | undefined>(undefined);
  const requestRef = useRef<{ readonly key: string; readonly request: PreviewRequest } | undefined>(undefined);
  if (operation === undefined) requestRef.current = undefined;
  else if (requestRef.current?.key !== key) {
    requestRef.current = { key, request: new PreviewRequest(operation, progress) };
  }
  const request = requestRef.current?.request;
  const isOld = useSignal(false);
  const load = async ({ signal }: Reads): Promise<Loaded> => {
    isOld.value = false;
    return request === undefined ? {} : { of: request, preview: await request.load(signal) };
  };
  const note = (event: LedgerEvent): boolean => {
    const isAbout = changedBy(event);
    if (isAbout) isOld.value = true;
    return isAbout;
  };
  const options = { types: ABOUT_BETS, changedBy: note, pauseMs: LIST_PAUSE_MS };
  const { body, error, isLoading, reload } = useResource(load, [request], options);
  return shownOf({ request, body, error, isNewest: !isLoading && !isOld.value, reload, progress: progress.value });
}

interface State extends Pick<Resource<Loaded>, 'body' | 'error' | 'reload'> {
  /** Nothing has happened since, and no other one is being made. */
  readonly isNewest: boolean;
  readonly request: PreviewRequest | undefined;
  readonly progress: Progress | undefined;
}

function shownOf({ request, body, error, isNewest, reload, progress }: State): ShownPreview {
  const isOfChoice = request !== undefined && body?.of === request;
  const preview = isOfChoice ? body.preview : undefined;
  const done = preview?.state === 'done' ? preview : undefined;
  return {
    isChosen: request !== undefined,
    done,
    failure: preview?.state === 'failed' ? (preview.failure ?? 'The preview has failed') : undefined,
    progress: progress !== undefined && progress.of === request ? progress.percent : undefined,
    // While the wager takes offers, each preview is soon old: the page says so.
    isComplete: done !== undefined && error === undefined && (isNewest || !done.exact),
    error,
    reload,
  };
}
