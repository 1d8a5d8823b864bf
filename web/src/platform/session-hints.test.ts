import { expect, test } from 'vitest';
import { createSessionHints } from './session-hints.ts';

/** Two windows of one browser. */
function twoWindows() {
  const texts = new Map<string, string>();
  const storage = {
    read: (key: string) => texts.get(key) ?? null,
    write: (key: string, value: string) => void texts.set(key, value),
    remove: (key: string) => void texts.delete(key),
  };
  const open = () => createSessionHints({ storage, onStorageChange: () => () => undefined });
  return [open(), open()] as const;
}

test('a window that is left after somebody else has logged in in another one lets their hints stand', () => {
  const [leaving, other] = twoWindows();
  leaving.remember({ id: 'ada', inSubscription: false });
  other.remember({ id: 'ben', inSubscription: true });
  leaving.clear('ada');
  expect([other.userId(), other.inSubscription()]).toEqual(['ben', true]);
  leaving.clear('ben');
  expect([other.userId(), other.inSubscription()]).toEqual([undefined, false]);
});
