import { runMain, setUp } from './setup.mjs';

await runMain(() => setUp({ rebuild: true }));
