import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Schemas } from '../api/api.js';
import { type Resource, useResource } from '../api/resource.js';
import { viewedAccount } from '../api/viewed-account.js';
import { usePoll } from '../parts/poll.js';

export type OwnHealth = Schemas['AccountHealth'];

export const HEALTH_POLL_MS = 10_000;

const nothingYet = { isLoading: true, body: undefined, moment: undefined, error: undefined, reload: () => undefined };

/** The health of the account: read once for the whole page, which Overview and the alerts show. */
export const ownHealth = signal<Resource<OwnHealth>>(nothingYet);

/** Reads it again and again, while the page is visible. */
export function useOwnHealth(): void {
  const health = useResource(async ({ get }) => (await get('/account/health')).data, [viewedAccount.value]);
  const { body, moment, error, isLoading, reload } = health;
  usePoll(true, reload, HEALTH_POLL_MS);
  useLayoutEffect(() => {
    ownHealth.value = health;
  }, [body, moment, error, isLoading]);
}
