import { finalAnswer, type History, isSuccess, type Operation } from '../../history.js';
import type { Figures } from '../check-coverage.js';
import { type Finding, findingsOf, type Queryable } from '../finding.js';
import { differencesBetween } from '../stored/compare-effects.js';
import { AccountReplay } from './account-replay.js';
import { ACCOUNTS, EVENT_FIGURES, figuresIn, type StoredAccount } from './event-figures.js';
import { taskOf } from './ledger-requests.js';
import { readRows, readStoredLog, type StoredLog } from './stored-log.js';

// Each event log is run again, request by request, on the second ledger: docs/proof.md says what must be the same.

export interface ReplayReport {
  readonly findings: readonly Finding[];
  /** How many of each kind of event the logs have. */
  readonly figures: Figures;
  readonly fact: string;
}

const READS = 'reads that name their event';
const CHECK = 'the event log, run on the second ledger, explains everything';

export async function checkReplay(
  { operations, accounts, epochMs }: Pick<History, 'operations' | 'accounts' | 'epochMs'>,
  database: Queryable,
): Promise<ReplayReport> {
  const sent = new Map(operations.map((operation) => [operation.requestId, operation]));
  const corrected = accounts.find(({ role }) => role === 'corrected');
  const ownerOf = ({ account, kind, request }: Operation) => {
    if (kind === 'change-account') return Number(request.path.split('/').at(-1));
    return account.role === 'admin' ? corrected?.id : account.id;
  };
  const findings: Finding[] = [];
  const figures = new Map([...EVENT_FIGURES, READS].map((name) => [name, 0]));
  const add = (name: string, count: number) => figures.set(name, (figures.get(name) ?? 0) + count);
  let replayed = 0;
  const { rows: all } = await database.query<StoredAccount>(ACCOUNTS);
  for (const account of all) {
    const log = await readStoredLog(database, account.id);
    const own = operations.filter((each) => ownerOf(each) === account.id && isOfLedger(each));
    const rows = await readRows(database, account.id);
    const replay = new AccountReplay({ account, log, rows, sent, own, epochMs });
    replay.run();
    replayed += log.operations.length;
    const approved = operations.filter((each) => each.account.id === account.id);
    findings.push(...findingsOf('an approval has its effect once', wrongApprovals(approved, log)));
    add(READS, own.filter((operation) => finalAnswer(operation)?.asOf !== undefined).length);
    findings.push(
      ...findingsOf(
        CHECK,
        replay.findings.map((text) => `${account.name}: ${text}`),
      ),
    );
    const role = accounts.find(({ id }) => id === account.id)?.role;
    for (const name of log.operations.flatMap((operation) => figuresIn(operation, role))) {
      add(name, 1);
    }
  }
  return { findings, figures, fact: `${replayed} operations of the event logs were run on the second ledger` };
}

const OTHERS: readonly Operation['kind'][] = [
  'create-user',
  'change-user',
  'change-account',
  'read-user',
  'read-users',
];

/** Reads of users too: they show what the ledger has. An approval may be refused for what the ledger does not know. */
const isOfLedger = (operation: Operation): boolean =>
  operation.approves === undefined && !OTHERS.includes(operation.kind)
    ? taskOf(operation) !== undefined
    : isSuccess(operation);

/** Each acknowledged approval has executed its request, and nothing has executed one twice. */
function wrongApprovals(operations: readonly Operation[], { operations: logged }: StoredLog): string[] {
  const acknowledged = operations
    .filter((operation) => operation.kind === 'approve' && isSuccess(operation))
    .map(({ request }) => `change request ${request.path.split('/')[2]}`);
  const executed = logged
    .flatMap(({ events }) => events.filter(({ kind }) => kind === 'change_request.executed'))
    .map(({ ref }) => `change request ${ref}`);
  return differencesBetween(acknowledged, executed);
}
