import { Registry } from 'prom-client';

/** Updates gauges before a scrape. It must have a time limit of its own: a scrape waits for every refresh. */
type Refresh = () => void | Promise<void>;

/** The metrics of one process, and how Prometheus reads them. */
export interface Metrics {
  readonly registry: Registry;
  readonly contentType: string;
  beforeScrape(refresh: Refresh): void;
  /** The text that Prometheus reads. Concurrent scrapes share one. */
  scrape(): Promise<string>;
  /** Runs at the end of the process. */
  onClose(close: () => void): void;
  close(): void;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const refreshes: Refresh[] = [];
  const closes: (() => void)[] = [];
  let current: Promise<string> | undefined;

  async function scrapeNow(): Promise<string> {
    await Promise.all(refreshes.map((refresh) => refresh()));
    return registry.metrics();
  }

  return {
    registry,
    contentType: registry.contentType,
    beforeScrape: (refresh) => refreshes.push(refresh),
    scrape() {
      current ??= scrapeNow().finally(() => {
        current = undefined;
      });
      return current;
    },
    onClose: (close) => closes.push(close),
    close() {
      for (const close of closes) close();
    },
  };
}
