/** The request is malformed. Each fault begins with the path of its field, or names the operation of a batch whose field it is. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  constructor(
    readonly faults: readonly string[],
    readonly operationId?: string,
  ) {
    super(faults.join('; '));
  }
}
