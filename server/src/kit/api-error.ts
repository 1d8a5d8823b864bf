import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { PaymentAction } from '#shared/contract/money/payment-action.ts';

/**
 * An answer that isn't a success: thrown by services, turned into the one error body by the HTTP
 * layer. `message` is shown to the customer, so it says what happened and what to do.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** Field name to the sentence beside it. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** With `payment_needs_action`. */
  readonly action: PaymentAction | undefined;
  /** For 429 and 503: when to try again. */
  readonly retryAfterMs: number | undefined;
  /** True: until then the call is refused to everybody at the client's address. */
  readonly isOfAddress: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      fields?: Record<string, string>;
      action?: PaymentAction;
      retryAfterMs?: number;
      isOfAddress?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.action = details.action;
    this.retryAfterMs = details.retryAfterMs;
    this.isOfAddress = details.isOfAddress ?? false;
  }
}
