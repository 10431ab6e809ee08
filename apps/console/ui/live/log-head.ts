import { api } from '../api/api.js';

let asking: Promise<number> | undefined;

async function ask(): Promise<number> {
  const { head_seq } = await api.get('/events', { params: { query: { limit: 1 } } });
  return head_seq;
}

/** The number of the last event. Parts of a page that ask at once share the answer. */
export function readHeadNumber(): Promise<number> {
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
}
