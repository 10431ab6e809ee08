import { runLoad } from './generator.js';
import type { LoadAnswer, LoadPlan } from './plan.js';

// Runs one plan after the other, until the benchmark that started it ends.

const answer = (message: LoadAnswer) => process.send?.(message);

process.on('message', (plan: LoadPlan) => {
  runLoad(plan).then(
    (result) => answer({ type: 'result', result }),
    (error: Error) => answer({ type: 'fault', text: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ type: 'ready' });
