import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { PaymentAction } from '#shared/contract/money/payment-action.ts';
import type { Answer } from '#web/api/client.ts';
import { isUnsettled } from '#web/api/unsettled.ts';

/** What the server said of a press of the pay button. */
export type AttemptResult<Data> =
  | { kind: 'paid'; data: Data; message: string | undefined }
  /** Nothing is charged before the customer has said yes to their bank; the payment waits for that. */
  | { kind: 'needs_action'; action: PaymentAction; message: string }
  /** Definitely not charged. */
  | { kind: 'refused'; code: ErrorCode; message: string; fields: Record<string, string> }
  /**
   * Nobody knows; pressing again is safe, because the key is the same. `wasAnswered`: the server
   * said something, but not how the payment ended.
   */
  | { kind: 'no_answer'; wasAnswered: boolean };

interface PaymentDeps<Input, Data> {
  send(input: Input, idempotencyKey: string): Promise<Answer<Data>>;
  newKey(): string;
  /** Waits before asking again, in milliseconds; rejects when the page is left. */
  pause(delayMs: number): Promise<void>;
  /** Told the sentence while a payment is being checked. */
  onChecking(sentence: string): void;
}

export interface PaymentAttempts<Input, Data> {
  pay(input: Input): Promise<AttemptResult<Data>>;
}

const CHECK_MS = 2000;
const CHECK_MAX_MS = 10_000;

/** After these the payment was certainly not tried, so the same key may still be used. */
const NOT_TRIED: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'overloaded']);

/**
 * Charges at most once, however often the button is pressed and the network fails (D4):
 *
 *   - one key from the opening of the form until a definite end, then a new one;
 *   - `payment_unknown`: the same body and key again until it is settled;
 *   - `payment_needs_action`: the payment is there and waits, so a later press is another attempt, which
 *     the server answers with what waits;
 *   - no answer: the next press uses the same key. If the form was changed meanwhile and the first
 *     attempt did arrive, the server says `idempotency_conflict`; then the first body is sent again
 *     to learn its end, and only after a definite refusal the changed one with a new key.
 */
export function createPaymentAttempts<Input, Data>(
  deps: PaymentDeps<Input, Data>,
): PaymentAttempts<Input, Data> {
  let key = deps.newKey();
  let unanswered: Input | undefined;

  const attempt = async (input: Input): Promise<Answer<Data>> => {
    let delayMs = CHECK_MS;
    let isChecking = false;
    while (true) {
      const answer = await deps.send(input, key);
      const isUnknown = answer.kind === 'error' && answer.code === 'payment_unknown';
      if (isUnknown) deps.onChecking(answer.message);
      isChecking ||= isUnknown;
      if (!isUnknown && !(isChecking && mayEndLater(answer))) return answer;
      await deps.pause(delayMs);
      delayMs = Math.min(CHECK_MAX_MS, delayMs * 1.5);
    }
  };

  const settle = (answer: Answer<Data>, input: Input): AttemptResult<Data> => {
    if (answer.kind === 'network' || answer.kind === 'unknown_status' || isUnsettled(answer)) {
      unanswered = input;
      return { kind: 'no_answer', wasAnswered: answer.kind !== 'network' };
    }
    if (answer.kind === 'error' && NOT_TRIED.has(answer.code)) return refusal(answer);
    unanswered = undefined;
    key = deps.newKey();
    if (answer.kind === 'error' && answer.action) {
      return { kind: 'needs_action', action: answer.action, message: answer.message };
    }
    if (answer.kind === 'error') return refusal(answer);
    return { kind: 'paid', data: answer.data, message: answer.message };
  };

  const pay = async (input: Input): Promise<AttemptResult<Data>> => {
    const answer = await attempt(input);
    const earlier = unanswered;
    const isConflict = answer.kind === 'error' && answer.code === 'idempotency_conflict';
    if (!isConflict || earlier === undefined) return settle(answer, input);
    const ofEarlier = settle(await attempt(earlier), earlier);
    return ofEarlier.kind === 'refused' && unanswered === undefined ? pay(input) : ofEarlier;
  };

  return { pay };
}

/** Whether asking again about a payment under check may bring its end. */
function mayEndLater<Data>(answer: Answer<Data>): boolean {
  return isUnsettled(answer) || (answer.kind === 'error' && NOT_TRIED.has(answer.code));
}

function refusal<Data>(answer: Extract<Answer<Data>, { kind: 'error' }>): AttemptResult<Data> {
  const { code, message, fields } = answer;
  return { kind: 'refused', code, message, fields };
}
