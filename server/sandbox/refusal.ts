export type RefusalCode =
  | 'username_taken'
  | 'username_invalid'
  | 'unknown_account'
  | 'unknown_post'
  | 'file_kind'
  | 'file_size'
  | 'input';

export type RefusalStatus = 400 | 404 | 409 | 413 | 415;

const STATUS: Record<RefusalCode, RefusalStatus> = {
  username_taken: 409,
  username_invalid: 400,
  unknown_account: 404,
  unknown_post: 404,
  file_kind: 415,
  file_size: 413,
  input: 400,
};

/** The network refuses a request. The message is a sentence for the person who made it. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }

  /** HTTP status that fits. */
  get status(): RefusalStatus {
    return STATUS[this.code];
  }
}
