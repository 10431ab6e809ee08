/** A fault that its reader can mend: shown as one paragraph, without a stack trace. */
export class StartError extends Error {
  override name = 'StartError';
}
