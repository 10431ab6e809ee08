const PATIENCE_MS = 1_000;

/** What was asked for, unless it fails or takes too long: a scrape waits for nothing that hangs. */
export async function withinPatience<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined);
  });
  const answer = ask().catch(() => undefined);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
