import { useState } from 'react';
import type { Answer } from './client.ts';
import { isUnsettled } from './unsettled.ts';

/** Under which key a form is sent, from its opening on, so that it takes effect once (D4). */
interface IdempotencyKey {
  key: string;
  /** The form says something else now: another submit. */
  renew: () => void;
  /** After an answer that tells how it ended the next press is another submit; without one it is the same. */
  settle: (answer: Answer<unknown>) => void;
}

export function useIdempotencyKey(newId: () => string): IdempotencyKey {
  const [key, setKey] = useState(newId);
  const renew = (): void => setKey(newId());
  const settle = (answer: Answer<unknown>): void => {
    if (!isUnsettled(answer)) renew();
  };
  return { key, renew, settle };
}
