/** `PROOF=long npm run test:all` repeats more, and plays more and larger cases, than every run can wait for. */
// biome-ignore lint/style/noProcessEnv: the environment is the only way to pass values to test processes
export const isLongForm = process.env.PROOF === 'long';
