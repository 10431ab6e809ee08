/** The request is malformed. Each fault begins with the path of its field. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';
  constructor(readonly faults: readonly string[]) {
    super(faults.join('; '));
  }
}
