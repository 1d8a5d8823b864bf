/** The product can't start; the message is one line that says what to do. The process exits with 1. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
