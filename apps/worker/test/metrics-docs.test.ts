import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { registerAndLogIn } from '#testing/client.js';
import { metricsIn, samplesIn, valueIn } from '#testing/metrics.js';
import { startTestApi, startTestDashboard, startTestWorker } from '#testing/parts.js';
import { ok, openTestBusiness } from '#testing/test-business.js';
import { waitFor } from '#testing/wait-for.js';
import { withTestEnvironment } from '#testing/with-environment.js';

// Compares the dashboard, the alert rules and the table of docs/ with the metrics of running parts.

const readDocs = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../docs/${name}`, import.meta.url)), 'utf8');

/** Labels that Prometheus adds itself. */
const ADDED_LABELS = ['instance', 'job'];
const PARTS = ['api', 'dashboard', 'worker'] as const;
type Part = (typeof PARTS)[number];

const environment = withTestEnvironment();
const pages = new Map<Part, string>();

beforeAll(async () => {
  // Low, so that a request is refused.
  const api = await startTestApi(environment, { RATE_LIMITS: 'account=20/h' });
  const dashboard = await startTestDashboard(environment);
  const worker = await startTestWorker(environment, { WORKER_METRICS_PORT: '0' });
  try {
    const business = await openTestBusiness(api.client);
    await business.user('ann');
    ok(await business.make('ann', 1));
    await waitFor(async () => (await business.client.get('/auth/account/me')).status === 429);
    await registerAndLogIn(api.client);
    await dashboard.client.get('/');
    const bases = {
      api: api.client.baseUrl,
      dashboard: dashboard.client.baseUrl,
      worker: `http://127.0.0.1:${worker.metricsPort}`,
    };
    await waitFor(async () => {
      for (const part of PARTS) pages.set(part, await (await fetch(`${bases[part]}/metrics`)).text());
      // A scrape leaves out figures that take a second.
      const isWhole = ['ledger_database_up 1', 'ledger_queue_jobs{'].every((part) => page('worker').includes(part));
      const mails = { queue: 'mail', end: 'completed' };
      return isWhole && valueIn(page('worker'), 'ledger_job_duration_seconds_count', mails) === 2;
    });
  } finally {
    await worker.close();
    await dashboard.close();
    await api.close();
  }
});

const page = (part: Part): string => pages.get(part) ?? '';
const everything = () => [...pages.values()].join('\n');

/** The names that a query may use, with the labels and values of their samples. */
function seriesServed(): Map<string, Map<string, Set<string>>> {
  const served = new Map<string, Map<string, Set<string>>>();
  for (const { name, labels } of samplesIn(everything())) {
    const known = served.get(name) ?? new Map<string, Set<string>>();
    served.set(name, known);
    for (const [label, value] of Object.entries(labels)) {
      known.set(label, (known.get(label) ?? new Set()).add(value));
    }
  }
  return served;
}

interface Expression {
  readonly where: string;
  readonly text: string;
}

function alertRules(): { readonly name: string; readonly expression: string; readonly severity: string }[] {
  const blocks = readDocs('alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  return blocks.map((block) => ({
    name: /^\w+/.exec(block)?.[0] ?? '',
    expression: /^ {8}expr: (.+)$/m.exec(block)?.[1] ?? '',
    severity: /^ {8}labels: \{ severity: (page|warn|info) \}$/m.exec(block)?.[1] ?? '',
  }));
}

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const dashboardPanels = () => (JSON.parse(readDocs('grafana/betting-ledger.json')) as { panels: Panel[] }).panels;

function expressions(): Expression[] {
  const alerts = alertRules().map(({ name, expression }) => ({ where: name, text: expression }));
  const shown = dashboardPanels().flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, text: expr })),
  );
  return [...alerts, ...shown];
}

const bracketsMatch = (text: string): boolean => {
  const open: string[] = [];
  for (const bracket of text.replaceAll(/"[^"]*"/g, '').match(/[()[\]{}]/g) ?? []) {
    if ('([{'.includes(bracket)) open.push(bracket);
    else if (`${open.pop()}${bracket}`.match(/^(\(\)|\[\]|\{\})$/) === null) return false;
  }
  return open.length === 0;
};

describe('the dashboard and the alert rules', () => {
  it('parse completely', () => {
    const rules = alertRules();
    expect(rules.length).toBeGreaterThanOrEqual(15);
    expect(rules.filter(({ name, expression, severity }) => !(name && expression && severity))).toEqual([]);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    const panels = dashboardPanels().filter(({ type }) => type !== 'row');
    expect(panels.length).toBeGreaterThanOrEqual(15);
    expect(panels.filter(({ targets = [] }) => targets.length === 0)).toEqual([]);
  });

  it('use only names, labels and values that the parts serve', () => {
    const served = seriesServed();
    const faults = expressions().flatMap(({ where, text }) => {
      const found = [...text.matchAll(/(ledger_\w+)(?:\{([^}]*)\})?/g)];
      const missing = found.filter(([, name = '']) => !served.has(name)).map(([, name]) => `${where}: ${name}`);
      const matchers = found.flatMap(([, name = '', selector = '']) =>
        [...selector.matchAll(/(\w+)(=|!=|=~|!~)"([^"]*)"/g)].map(([, label = '', sign = '', value = '']) => {
          const values = served.get(name)?.get(label);
          const isKnown = values !== undefined && (sign !== '=' || values.has(value));
          return isKnown ? '' : `${where}: ${name}{${label}${sign}"${value}"}`;
        }),
      );
      return [...missing, ...matchers.filter(Boolean), ...(found.length === 0 ? [`${where}: nothing of ours`] : [])];
    });
    expect(faults).toEqual([]);
  });

  it('group by labels that the series have', () => {
    const served = seriesServed();
    const faults = expressions().flatMap(({ where, text }) => {
      const labels = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
      const names = [...text.matchAll(/ledger_\w+/g)].map(([name]) => name);
      const known = [...ADDED_LABELS, ...names.flatMap((name) => [...(served.get(name)?.keys() ?? [])])];
      return labels.filter((label) => !known.includes(label)).map((label) => `${where}: by ${label}`);
    });
    expect(faults).toEqual([]);
  });

  it('are well formed, and ask for rates of counters and quantiles of histograms only', () => {
    const types = metricsIn(everything());
    for (const { where, text } of expressions()) {
      expect({ where, matched: bracketsMatch(text) }).toEqual({ where, matched: true });
      for (const [, name = ''] of text.matchAll(/(?:rate|increase)\((ledger_\w+)/g)) {
        const type = types.get(name) ?? types.get(name.replace(/_(bucket|sum|count)$/, ''));
        expect({ name, type }).toEqual({ name, type: expect.stringMatching(/^(counter|histogram)$/) });
      }
    }
  });
});

describe('docs/metrics.md', () => {
  it('lists every metric, with its type, its labels and the parts that serve it', () => {
    const rows = [...readDocs('metrics.md').matchAll(/^\| `(ledger_\w+)` *\| (\w+) *\| ([^|]*?) *\| ([^|]*?) *\|/gm)];
    const documented = new Map(rows.map(([, name = '', ...rest]) => [name, rest]));
    const served = new Map<string, string[]>();
    for (const [name, type] of metricsIn(everything())) {
      const samples = samplesIn(everything()).filter(
        (sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name,
      );
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete('le');
      const parts = PARTS.filter((part) => metricsIn(page(part)).has(name));
      served.set(name, [type, [...labels].join(', '), parts.join(', ')]);
    }
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(served));
  });

  it('says what to do about each alert', () => {
    const text = readDocs('metrics.md');
    expect(alertRules().filter(({ name }) => !text.includes(name))).toEqual([]);
  });
});
