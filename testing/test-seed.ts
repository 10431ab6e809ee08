/** Of the choices that a test makes by chance. `npm test` draws it, or takes TEST_SEED, and names it after a failure. */
// biome-ignore lint/style/noProcessEnv: the environment is the only way to pass values to test processes
export const testSeed = Number(process.env.TEST_SEED);
