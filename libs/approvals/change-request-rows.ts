import { asMicros } from '#core/money.js';
import { type AccountTables, type Database, Prisma, type Queryable, type Tx } from '#platform/database/database.js';
import { queryRows, snakeCase } from '#platform/database/statements.js';
import { Refusal } from '#platform/errors/refusal.js';
import type { PreviewedUser } from '#previews/preview.js';
import { figuresOf, type StoredFigures, storedFigures } from '#previews/preview-rows.js';
import type {
  Asks,
  ChangeRequest,
  ChangeRequestKey,
  ChangeRequestState,
  OperationMovement,
  Person,
  RequestKind,
  Side,
} from './change-request.js';

type Shown = NonNullable<ChangeRequest['shown']>;

/** JSON has no integers of that size. */
type Stored<Record> = { readonly [Name in keyof Record]: string };

interface StoredMovement {
  readonly figures: StoredFigures;
  readonly largest: readonly Stored<PreviewedUser>[];
}

const storedMovement = ({ figures, largest }: Shown): Prisma.InputJsonObject => ({
  figures: { ...storedFigures(figures), bets: { ...figures.bets } },
  largest: largest.map((user) =>
    Object.fromEntries(Object.entries(user).map(([name, value]) => [name, String(value)])),
  ),
});

const microsOf = (text: string) => asMicros(BigInt(text));

const shownOf = ({ figures, largest }: StoredMovement): Shown => ({
  figures: figuresOf(figures),
  largest: largest.map((user) => ({
    userId: BigInt(user.userId),
    reference: user.reference,
    balance: microsOf(user.balance),
    balanceAfter: microsOf(user.balanceAfter),
    exposure: microsOf(user.exposure),
    exposureAfter: microsOf(user.exposureAfter),
  })),
});

type Row = Prisma.ChangeRequestGetPayload<object>;

const personOf = (id: bigint | null, name: string | null): Person | undefined =>
  name === null ? undefined : { id, name };

interface StoredAction {
  readonly adminId: string;
  readonly adminEmail: string;
  readonly description: string | null;
}

const actionOf = (stored: StoredAction | null): ChangeRequest['action'] =>
  stored && { ...stored, adminId: BigInt(stored.adminId) };

const requestOf = ({ shown, action, ...row }: Row): ChangeRequest => ({
  accountId: row.accountId,
  id: row.id,
  kind: row.kind as RequestKind,
  operation: row.operation as object,
  target: row.target,
  asks: row.asks as Asks,
  reason: row.reason,
  action: actionOf(action as StoredAction | null),
  suspended: row.suspended,
  revision: row.revision,
  shown: shown === null ? undefined : shownOf(shown as unknown as StoredMovement),
  digest: row.digest,
  state: row.state as ChangeRequestState,
  madeBy: { id: row.madeBy, name: row.madeByName },
  approvedBy: personOf(row.approvedBy, row.approvedByName),
  approvedAs: row.approvedAs as Side | null,
  decidedBy: personOf(row.decidedBy, row.decidedByName),
  decisionReason: row.decisionReason,
  failure: row.failure,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  decidedAt: row.decidedAt,
});

const keyOf = ({ accountId, id }: ChangeRequestKey) => ({ accountId_id: { accountId, id } });

export async function readChangeRequest(tables: Queryable, key: ChangeRequestKey): Promise<ChangeRequest> {
  const row = await tables.run((prisma) => prisma.changeRequest.findUnique({ where: keyOf(key) }));
  if (row === null) throw new Refusal('change-request-not-found');
  return requestOf(row);
}

export async function readChangeRequests(
  tables: Queryable,
  accountId: bigint,
  ids: readonly bigint[],
): Promise<readonly ChangeRequest[]> {
  const rows = await tables.run((prisma) =>
    prisma.changeRequest.findMany({ where: { accountId, id: { in: [...ids] } } }),
  );
  return rows.map(requestOf);
}

/** A request that this transaction has locked: no other one can decide it. */
export interface LockedChangeRequest extends ChangeRequest {
  readonly isDue: boolean;
  readonly lockedAt: Date;
}

/** Locks it until the transaction ends. What it is about is locked before: so two transactions never wait for each other. */
export async function lockChangeRequest(tx: Tx, key: ChangeRequestKey): Promise<LockedChangeRequest> {
  const [locked] = await queryRows<Row & Pick<LockedChangeRequest, 'isDue' | 'lockedAt'>>(
    tx,
    Prisma.sql`
    SELECT ${allColumns}, expires_at <= clock_timestamp() AS "isDue", clock_timestamp() AS "lockedAt"
      FROM change_requests WHERE account_id = ${key.accountId} AND id = ${key.id} FOR UPDATE`,
  );
  if (locked === undefined) throw new Refusal('change-request-not-found');
  return { ...requestOf(locked), isDue: locked.isDue, lockedAt: locked.lockedAt };
}

const allColumns = Prisma.raw(
  Object.keys(Prisma.ChangeRequestScalarFieldEnum)
    .map((name) => `${snakeCase(name)} AS "${name}"`)
    .join(', '),
);

/** Refuses while another one of the target waits. */
export async function assertNonePending(tx: Tx, accountId: bigint, target: string): Promise<void> {
  const pending = await tx.prisma.changeRequest.findFirst({
    where: { accountId, target, state: 'pending' },
    select: { id: true },
  });
  if (pending === null) return;
  const details = { change_request: { id: Number(pending.id), state: 'pending' } };
  throw new Refusal('change-request-pending', { details });
}

export interface NewChangeRequest
  extends Pick<
    ChangeRequest,
    'accountId' | 'kind' | 'operation' | 'target' | 'asks' | 'reason' | 'action' | 'suspended' | 'madeBy'
  > {
  readonly movement: OperationMovement | undefined;
  readonly expiresInSeconds: number;
}

export async function insertChangeRequest(tx: Tx, request: NewChangeRequest): Promise<ChangeRequest> {
  const { madeBy, movement, action, operation, expiresInSeconds, ...rest } = request;
  // The suspension in the same transaction is one more.
  const revision = (movement?.figures.revision ?? 0) + (rest.suspended ? 1 : 0);
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT transaction_timestamp() AS now`;
  const row = await tx.prisma.changeRequest.create({
    data: {
      ...rest,
      operation: operation as Prisma.InputJsonObject,
      ...(action && { action: { ...action, adminId: String(action.adminId) } }),
      ...(movement && {
        shown: storedMovement({ ...movement, figures: { ...movement.figures, revision } }),
        digest: movement.digests[rest.suspended ? 'money' : 'whole'],
      }),
      revision,
      madeBy: madeBy.id,
      madeByName: madeBy.name,
      expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000),
    },
  });
  return requestOf(row);
}

/** The first of two approvals. */
export async function noteApproval(
  tx: Tx,
  key: ChangeRequestKey,
  { person, side }: { readonly person: Person; readonly side: Side },
): Promise<ChangeRequest> {
  const data = { approvedBy: person.id, approvedByName: person.name, approvedAs: side };
  return requestOf(await tx.prisma.changeRequest.update({ where: keyOf(key), data }));
}

export interface ChangeRequestEnd {
  readonly at: Date;
  readonly state: Exclude<ChangeRequestState, 'pending'>;
  /** Undefined: time. */
  readonly person: Person | undefined;
  readonly reason?: string | undefined;
  readonly failure?: string | undefined;
}

export async function endChangeRequest(
  tx: Tx,
  key: ChangeRequestKey,
  { state, at, person, reason, failure }: ChangeRequestEnd,
): Promise<ChangeRequest> {
  const decided = person && { decidedBy: person.id, decidedByName: person.name };
  const data = { state, decidedAt: at, decisionReason: reason ?? null, failure: failure ?? null, ...decided };
  return requestOf(await tx.prisma.changeRequest.update({ where: keyOf(key), data }));
}

const MOST_DUE = 100;

/** Of those that are due, the first ones. */
export const findDueRequests = async (database: Database): Promise<ChangeRequestKey[]> => {
  const found = await database.inAll((tables: AccountTables) =>
    queryRows<ChangeRequestKey>(
      tables,
      Prisma.sql`
      SELECT r.account_id AS "accountId", r.id FROM change_requests r
       WHERE r.state = 'pending' AND r.expires_at <= statement_timestamp()
         AND EXISTS (SELECT FROM accounts a WHERE a.id = r.account_id AND a.removed_since IS NULL)
       ORDER BY r.expires_at LIMIT ${MOST_DUE}`,
    ),
  );
  return found.flat();
};

/** Whose request it is: ids are drawn for all accounts. */
export async function accountOfChangeRequest(database: Database, id: bigint): Promise<bigint> {
  const found = await database.inAll((tables) =>
    queryRows<{ accountId: bigint }>(
      tables,
      Prisma.sql`SELECT account_id AS "accountId" FROM change_requests WHERE id = ${id} LIMIT 1`,
    ),
  );
  const [first] = found.flat();
  if (first === undefined) throw new Refusal('change-request-not-found');
  return first.accountId;
}
