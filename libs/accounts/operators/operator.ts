/** A person who works for an account. */
export interface OperatorId {
  readonly accountId: bigint;
  readonly operatorId: bigint;
}

/** A person, as trails name it. */
export interface OperatorName {
  readonly id: bigint;
  readonly name: string;
}
