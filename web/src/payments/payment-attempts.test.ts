import { expect, test } from 'vitest';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { Answer } from '#web/api/client.ts';
import { createPaymentAttempts, type PaymentAttempts } from './payment-attempts.ts';

const paid: Answer<string> = { kind: 'success', data: 'the user', message: undefined };
const lost: Answer<string> = { kind: 'network' };
const error = (code: ErrorCode): Answer<string> => ({
  kind: 'error',
  code,
  message: code,
  fields: {},
  httpStatus: 400,
});

/** Attempts against listed answers; `sent` holds body and key of every request. */
function attemptsWith(answers: Array<Answer<string>>): {
  attempts: PaymentAttempts<string, string>;
  sent: string[];
  sentences: string[];
} {
  const sent: string[] = [];
  const sentences: string[] = [];
  let keys = 0;
  const attempts = createPaymentAttempts<string, string>({
    send: async (input, key) => {
      sent.push(`${input} ${key}`);
      const answer = answers.shift();
      if (!answer) throw new Error('One request more than there are answers.');
      return answer;
    },
    newKey: () => `key${(keys += 1)}`,
    pause: async () => undefined,
    onChecking: (sentence) => void sentences.push(sentence),
  });
  return { attempts, sent, sentences };
}

test('a declined card gets a new key for the next try', async () => {
  const { attempts, sent } = attemptsWith([error('card_declined'), paid]);
  expect(await attempts.pay('a')).toMatchObject({ kind: 'refused', code: 'card_declined' });
  expect(await attempts.pay('b')).toEqual({ kind: 'paid', data: 'the user' });
  expect(sent).toEqual(['a key1', 'b key2']);
});

test('a payment that waits for the bank is told as such, and a later press is another attempt', async () => {
  const action = { paymentId: 'p', url: 'http://bank.test/', amount: 24, until: 'soon' };
  const asks: Answer<string> = { ...error('payment_needs_action'), action } as Answer<string>;
  const { attempts, sent } = attemptsWith([error('payment_unknown'), asks, paid]);
  expect(await attempts.pay('a')).toEqual({
    kind: 'needs_action',
    action,
    message: 'payment_needs_action',
  });
  await attempts.pay('b');
  expect(sent).toEqual(['a key1', 'a key1', 'b key2']);
});

test('a payment nobody knows about is asked for with the same body and key until it is settled', async () => {
  const { attempts, sent, sentences } = attemptsWith([
    error('payment_unknown'),
    lost,
    error('rate_limited'),
    error('payment_unknown'),
    paid,
  ]);
  expect(await attempts.pay('a')).toMatchObject({ kind: 'paid' });
  expect(new Set(sent)).toEqual(new Set(['a key1']));
  expect(sent).toHaveLength(5);
  expect(sentences).toEqual(['payment_unknown', 'payment_unknown']);
});

test('pressing again after a lost answer uses the same key', async () => {
  const { attempts, sent } = attemptsWith([lost, paid]);
  expect(await attempts.pay('a')).toEqual({ kind: 'no_answer', wasAnswered: false });
  await attempts.pay('a');
  expect(sent).toEqual(['a key1', 'a key1']);
});

test('a form changed after a lost answer first learns the end of the earlier payment', async () => {
  const { attempts, sent } = attemptsWith([lost, error('idempotency_conflict'), paid]);
  await attempts.pay('a');
  expect(await attempts.pay('b')).toMatchObject({ kind: 'paid' });
  expect(sent).toEqual(['a key1', 'b key1', 'a key1']);
});

test('the changed form is charged only after the earlier payment was refused', async () => {
  const { attempts, sent } = attemptsWith([
    lost,
    error('idempotency_conflict'),
    error('card_declined'),
    paid,
  ]);
  await attempts.pay('a');
  expect(await attempts.pay('b')).toMatchObject({ kind: 'paid' });
  expect(sent).toEqual(['a key1', 'b key1', 'a key1', 'b key2']);
});

test('while the earlier payment stays unknown the changed form is not charged', async () => {
  const { attempts, sent } = attemptsWith([lost, error('idempotency_conflict'), lost, paid]);
  await attempts.pay('a');
  expect(await attempts.pay('b')).toEqual({ kind: 'no_answer', wasAnswered: false });
  await attempts.pay('a');
  expect(sent.at(-1)).toBe('a key1');
});

test('being turned away at the door keeps the key', async () => {
  const { attempts, sent } = attemptsWith([error('rate_limited'), error('overloaded'), paid]);
  expect(await attempts.pay('a')).toMatchObject({ kind: 'refused' });
  expect(await attempts.pay('a')).toMatchObject({ kind: 'refused' });
  await attempts.pay('a');
  expect(new Set(sent)).toEqual(new Set(['a key1']));
});

test('an error inside the server may hide a charge, so it counts as no answer', async () => {
  const { attempts, sent } = attemptsWith([error('internal'), paid]);
  expect(await attempts.pay('a')).toEqual({ kind: 'no_answer', wasAnswered: true });
  await attempts.pay('a');
  expect(new Set(sent)).toEqual(new Set(['a key1']));
});
