import { HOUR_MS } from '#platform/config/time-units.js';
import { type Database, type Tables, type Tx, withTx } from '#platform/database/database.js';
import type { Reads } from '#platform/database/reads.js';
import { planGroups } from './account-groups.js';
import type { AuditReport, Check, Finding, Pass } from './check.js';
import { accessOfAccounts } from './checks-access.js';
import { effectsOfAnswers } from './checks-answers.js';
import { correctionsOfBalances } from './checks-balance-corrections.js';
import { dueOffers, settlingWagers, stateOfBets } from './checks-bets.js';
import { changeRequests } from './checks-change-requests.js';
import { disputesOfBalances } from './checks-disputes.js';
import { indexesOfLogs } from './checks-event-index.js';
import { logsOfAccounts, rowsInLogs } from './checks-events.js';
import { unfinishedExports } from './checks-exports.js';
import { hoursOfLogs } from './checks-hourly-sums.js';
import { labelsOfMovements } from './checks-labels.js';
import { matchesOfWagers } from './checks-matches.js';
import { movementsOfBets } from './checks-movements.js';
import { usersInLogs, wagersInLogs } from './checks-named.js';
import { partsOfOffers } from './checks-parts.js';
import { reconciliationsOfDays } from './checks-reconciliations.js';
import { eventsOfSteps } from './checks-steps.js';
import { firedTimers } from './checks-timers.js';
import { totalsOfAccounts } from './checks-totals.js';
import { trailsOfBets } from './checks-trails.js';
import { balancesAfterTransactions, moneyOfUsers, positionsOfUsers } from './checks-users.js';
import { lateVoids } from './checks-voids.js';
import { webhookEndpoints } from './checks-webhooks.js';
import { waitingWork } from './checks-work.js';
import type { AuditedAccounts } from './command-audits.js';
import { mergeFindings } from './report.js';
import { type AccountRange, ALL_ACCOUNTS, type Scope, wholeScope } from './scope.js';

const ledgerPasses: readonly Pass[] = [
  moneyOfUsers,
  balancesAfterTransactions,
  positionsOfUsers,
  stateOfBets,
  movementsOfBets,
  trailsOfBets,
  partsOfOffers,
  effectsOfAnswers,
  settlingWagers,
  dueOffers,
  firedTimers,
  lateVoids,
  waitingWork,
  unfinishedExports,
  disputesOfBalances,
  correctionsOfBalances,
  reconciliationsOfDays,
  labelsOfMovements,
  totalsOfAccounts,
  matchesOfWagers,
  logsOfAccounts,
  rowsInLogs,
  indexesOfLogs,
  hoursOfLogs,
  eventsOfSteps,
  wagersInLogs,
  usersInLogs,
  webhookEndpoints,
  changeRequests,
];
const accessPasses: readonly Pass[] = [accessOfAccounts];

/** Tables that one snapshot sees, and the passes that read them alone. */
export interface AuditedPlace {
  readonly tables: Tables;
  readonly passes: readonly Pass[];
  /** Whether it has the tables of the ledger. */
  readonly hasLedger: boolean;
}

/** One PostgreSQL has all tables. On a cluster each shard group has the ledgers of its accounts, and the coordinator the rest. */
export const auditedPlaces = (database: Database): AuditedPlace[] =>
  database.isDistributed
    ? [
        ...database.all().map((tables) => ({ tables, passes: ledgerPasses, hasLedger: true })),
        { tables: database.shared, passes: accessPasses, hasLedger: false },
      ]
    : database.all().map((tables) => ({ tables, passes: [...ledgerPasses, ...accessPasses], hasLedger: true }));

/** The findings of all places, each check once. */
export function mergePlaces(results: readonly (readonly Finding[])[]): Finding[] {
  const names = new Set(results.flatMap((findings) => findings.map(({ name }) => name)));
  const kinds = [...names].map((name) => results.filter((findings) => findings.some((each) => each.name === name)));
  const first = new Map(kinds.map((kind) => [kind[0], kind]));
  return [...first.values()].flatMap((kind) => mergeFindings(kind, SHOWN_DIFFERENCES));
}

/** Enough to see the fault; the count says how many there are. */
const SHOWN_DIFFERENCES = 20;
/** For `openDatabase`: an audit's statements take minutes, and no request waits for them. */
export const AUDIT_DEADLINE_MS = HOUR_MS;

/** Far more than the largest ledger needs: a longer statement is stuck. */
const STATEMENT_TIMEOUT_MS = 30 * 60_000;
const AUDIT_TIMEOUT_MS = 2 * HOUR_MS;
const CONNECTION_WAIT_MS = 10_000;

/**
 * The audit computes few large sums instead of many small look-ups. It needs memory for hash tables, and no nested loops,
 * which old statistics would suggest. It uses one process, because parallel ones would each build the same hash tables
 * while the service works.
 */
const settings = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  work_mem: '128MB',
  enable_nestloop: 'off',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
} as const;

/** What became of one group of accounts. */
export interface AuditProgress {
  /** Up to here all accounts are audited. */
  readonly lastAccountId: bigint;
  readonly auditedAccounts: number;
  readonly accounts: number;
  readonly differing: number;
  readonly tookMs: number;
}

export interface AuditOptions {
  /** Skips the accounts before this one, which a former run has audited. */
  readonly fromAccount?: bigint;
  /** The number of bets that are audited in one snapshot, unless one account alone has more. */
  readonly betsAtOnce?: number;
  readonly onProgress?: (progress: AuditProgress) => void;
  /** Gives the database of each snapshot, which may be a standby. */
  readonly read?: Reads['run'];
}

export interface WholeAudit extends AuditReport {
  /** Each account with a ledger, once. On a cluster each has what differs in its access as well. */
  readonly audited: readonly AuditedAccounts[];
}

/**
 * Compares all figures that the ledger stores with the facts they derive from, from the first day on. It reads some
 * accounts after the other, each in one snapshot, so it is exact while others write, takes no locks and waits for none.
 */
export async function runAudit(database: Database, options: AuditOptions = {}): Promise<WholeAudit> {
  const startedAt = performance.now();
  const audited: AuditedAccounts[] = [];
  const access: Finding[] = [];
  for (const place of auditedPlaces(database)) {
    const { read: ofStandby } = options;
    // A standby has the tables of one PostgreSQL alone.
    const read: ReadTables =
      database.isDistributed || ofStandby === undefined
        ? (use) => use(place.tables)
        : (use) => ofStandby((from) => use(from.shared));
    const found = await auditPlace(place, { ...options, read });
    if (place.hasLedger) audited.push(...found);
    else access.push(...found.flatMap(({ findings }) => findings));
  }
  const findings = mergePlaces([...audited.map((each) => each.findings), access]);
  return {
    findings,
    tookMs: Math.round(performance.now() - startedAt),
    audited: audited.map((each) => ({ ...each, findings: [...each.findings, ...access] })),
  };
}

type ReadTables = <Result>(use: (tables: Tables) => Promise<Result>) => Promise<Result>;

type PlaceOptions = Omit<AuditOptions, 'read'> & { readonly read: ReadTables };

async function auditPlace({ tables, passes, hasLedger }: AuditedPlace, options: PlaceOptions) {
  const { read } = options;
  async function auditOf(range: AccountRange): Promise<AuditedAccounts> {
    // By the primary's clock, before the snapshot: that of a standby may differ.
    const [{ auditedAt }] = await tables.$queryRaw<[{ auditedAt: Date }]>`SELECT now() AS "auditedAt"`;
    const findings = await read((from) => inAuditSnapshot(from, (snapshot) => auditSnapshot(snapshot, range, passes)));
    return { tables, from: range.from, to: range.to, auditedAt, findings };
  }
  if (!hasLedger) return [await auditOf(ALL_ACCOUNTS)];
  const groups = await read((from) => planGroups(from, options));
  const accounts = groups.reduce((sum, group) => sum + group.accounts, 0);
  const results: AuditedAccounts[] = [];
  let auditedAccounts = 0;
  for (const group of groups) {
    const groupStartedAt = performance.now();
    const audited = await auditOf(group);
    results.push(audited);
    auditedAccounts += group.accounts;
    options.onProgress?.({
      lastAccountId: group.lastAccountId,
      auditedAccounts,
      accounts,
      differing: audited.findings.reduce((sum, { differing }) => sum + differing, 0),
      tookMs: Math.round(performance.now() - groupStartedAt),
    });
  }
  return results;
}

/** Runs `use` in a transaction that sees one moment and may take long. */
export const inAuditSnapshot = <Result>(tables: Tables, use: (snapshot: Tx) => Promise<Result>): Promise<Result> =>
  withTx(tables, use, {
    isolationLevel: 'RepeatableRead',
    maxWait: CONNECTION_WAIT_MS,
    timeout: AUDIT_TIMEOUT_MS,
  });

/** Audits the snapshot of an open transaction, which becomes read-only. */
export async function auditSnapshot(
  snapshot: Tx,
  range: AccountRange = ALL_ACCOUNTS,
  passes: readonly Pass[] = [...ledgerPasses, ...accessPasses],
): Promise<Finding[]> {
  await snapshot.prisma.$executeRawUnsafe('SET LOCAL transaction_read_only = on');
  await applyAuditSettings(snapshot);
  return runPasses(snapshot, wholeScope(range), passes);
}

export async function applyAuditSettings(snapshot: Tx): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  await snapshot.prisma.$queryRawUnsafe(`SELECT ${calls.join(', ')}`);
}

export async function runPasses(snapshot: Tx, scope: Scope, passes: readonly Pass[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const pass of passes) findings.push(...(await runPass(snapshot, scope, pass)));
  return findings;
}

interface CheckRow {
  readonly column: string;
  readonly compared: bigint;
  readonly differing: bigint;
  readonly accounts: readonly bigint[] | null;
  /** The first ones only. */
  readonly differences: readonly { readonly account: string; readonly subject: string; readonly text: string }[] | null;
}

async function runPass(snapshot: Tx, scope: Scope, pass: Pass): Promise<Finding[]> {
  const { things, rows, checks, readsByKey = false } = pass;
  if (readsByKey) await snapshot.prisma.$executeRawUnsafe('SET LOCAL enable_nestloop = on');
  const results = await snapshot.prisma.$queryRawUnsafe<CheckRow[]>(passQuery(rows(scope), checks));
  if (readsByKey) await snapshot.prisma.$executeRawUnsafe('SET LOCAL enable_nestloop = off');
  return checks.map(({ name, column }) => {
    const { compared, differing, accounts, differences } = results.find((each) => each.column === column) as CheckRow;
    return {
      name,
      things,
      compared: Number(compared),
      differing: Number(differing),
      differences: (differences ?? []).map(({ account, ...rest }) => ({ accountId: BigInt(account), ...rest })),
      accountIds: accounts ?? [],
    };
  });
}

/** The ledger of a sandbox that is being deleted is not whole, and is left out. Computes each row once. All rows without a difference collapse into one that counts them, so only others use memory. */
function passQuery(rows: string, checks: readonly Check[]): string {
  const columns = checks.map(({ column }) => column);
  const texts = columns.map((column) => `('${column}', ${column})`).join(', ');
  const isWrong = `num_nonnulls(${columns.join(', ')}) > 0`;
  return `
    WITH compared AS MATERIALIZED (
      SELECT CASE WHEN ${isWrong} THEN account_id END AS account_id, CASE WHEN ${isWrong} THEN id END AS id,
             CASE WHEN ${isWrong} THEN subject END AS subject, ${columns.join(', ')}, count(*) AS rows
        FROM (${rows} OFFSET 0) looked
       WHERE account_id NOT IN (SELECT a.id FROM accounts a WHERE a.removed_since IS NOT NULL)
       GROUP BY 1, 2, 3, ${columns.join(', ')}),
    listed AS (
      SELECT said."column", account_id, id, subject, said.text, rows,
             row_number() OVER (PARTITION BY said."column" ORDER BY account_id, id) AS place
        FROM compared CROSS JOIN LATERAL (VALUES ${texts}) said ("column", text) WHERE said.text IS NOT NULL)
    SELECT known."column", (SELECT coalesce(sum(rows), 0)::bigint FROM compared) AS compared,
           coalesce(sum(rows), 0)::bigint AS differing, array_agg(DISTINCT account_id) FILTER (WHERE place > 0) AS accounts,
           jsonb_agg(jsonb_build_object('account', account_id::text, 'subject', subject, 'text', text) ORDER BY place)
             FILTER (WHERE place <= ${SHOWN_DIFFERENCES}) AS differences
      FROM unnest('{${columns.join()}}'::text[]) known ("column") LEFT JOIN listed ON listed."column" = known."column"
     GROUP BY known."column"`;
}
