import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Resource } from '../api/resource.js';
import { isLive, now } from './liveness.js';

/** Two answers are missing. */
const FRESH_MS = 25_000;

/** Whether an answer that is asked for every few seconds, or the wait for the first one, is so young that it may be believed. */
export function useFresh({ moment, error }: Resource<object>): boolean {
  const cameMs = useSignal(performance.now());
  useLayoutEffect(() => {
    if (moment !== undefined) cameMs.value = moment.cameMs;
  }, [moment]);
  const isFresh = useComputed(() => {
    const { value: tick } = now;
    return tick > 0 && isLive.value && performance.now() - cameMs.value <= FRESH_MS;
  });
  return isFresh.value && error === undefined;
}
