/** A fault that a provider can fix: shown as one paragraph, without a stack trace. */
export class StartError extends Error {
  /** Whether it may pass by itself, so that a restart makes sense. */
  readonly isPassing: boolean = false;

  override name = 'StartError';
}

/** A fault that may pass by itself, such as a service that starts late. */
export class PassingStartError extends StartError {
  override readonly isPassing = true;
}
