import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadAnswer, LoadPlan, LoadResult } from './load/plan.js';

export interface LoadProcess {
  run(plan: LoadPlan): Promise<LoadResult>;
  stop(): Promise<void>;
}

/** Starts the load generator, in a process of its own. */
export async function startLoadProcess(): Promise<LoadProcess> {
  const child = fork(fileURLToPath(new URL('./load/main.js', import.meta.url)));
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error('The load generator has ended.');
  });
  ended.catch(() => undefined); // the callers that wait for an answer see it
  const answer = () => Promise.race([once(child, 'message'), ended]);
  await answer(); // it is ready
  return {
    async run(plan) {
      child.send(plan);
      const [message] = (await answer()) as [LoadAnswer];
      if (message.type === 'fault') throw new Error(`The load generator failed: ${message.text}`);
      return message.result;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
