/** A fault that its reader can mend: shown as one paragraph, without a stack trace. */
export class StartError extends Error {
  /** Whether it may pass by itself, so that starting again makes sense. */
  readonly isPassing: boolean = false;

  override name = 'StartError';
}

/** The same, of something that may only be late. */
export class PassingStartError extends StartError {
  override readonly isPassing = true;
}
