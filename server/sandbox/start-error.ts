export type StartFailure = 'setting' | 'port' | 'state';

/** Why the sandbox can't start. The message is one line that says what to do. */
export class SandboxStartError extends Error {
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxStartError';
    this.failure = failure;
  }
}
