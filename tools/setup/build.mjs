import { runMain, setUp } from './setup.mjs';

// `--unchecked`: as quick as possible, without a look at the types.
await runMain(() => setUp({ rebuild: true, checksTypes: !process.argv.includes('--unchecked') }));
