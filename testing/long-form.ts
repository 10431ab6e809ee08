/** `PROOF=long npm run test:all` repeats more, and plays more and larger cases, than every run can wait for. */
// biome-ignore lint/style/noProcessEnv: the environment is the only way to pass values to test processes
export const isLongForm = process.env.PROOF === 'long';

/** How many cases a test plays. `PROOF_CASES=2500` names another number, for a part of the long form. */
export const casesOf = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  // biome-ignore lint/style/noProcessEnv: the same
  Number(process.env.PROOF_CASES ?? (isLongForm ? long : short));
