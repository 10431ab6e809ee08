const SCRAPE_TIMEOUT_MS = 1_000;

/** Returns undefined when `ask` fails or takes too long, so that a scrape waits for nothing that hangs. */
export async function withScrapeTimeout<Answer>(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, SCRAPE_TIMEOUT_MS, undefined);
  });
  const answer = ask().catch(() => undefined);
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}
