import { expect, test } from 'vitest';
import { memoryStorage } from './platform-storage.fake.ts';
import { createSessionMarkers } from './session-markers.ts';

/** Two windows of one browser. */
function twoWindows() {
  const storage = memoryStorage();
  const open = () => createSessionMarkers({ storage, onStorageChange: () => () => undefined });
  return [open(), open()] as const;
}

test('a window that is left after somebody else has logged in in another one lets their markers stand', () => {
  const [leaving, other] = twoWindows();
  leaving.begin({ id: 'ada', inSubscription: false });
  other.begin({ id: 'ben', inSubscription: true });
  leaving.clear('ada');
  expect([other.userId(), other.inSubscription()]).toEqual(['ben', true]);
  leaving.clear('ben');
  expect([other.userId(), other.inSubscription()]).toEqual([undefined, false]);
});

test('what a window still learns of somebody after another one has logged in there signs nobody in', () => {
  const [leaving, other] = twoWindows();
  leaving.begin({ id: 'ada', inSubscription: false });
  leaving.remember({ id: 'ada', inSubscription: true });
  expect([other.userId(), other.inSubscription()]).toEqual(['ada', true]);
  other.begin({ id: 'ben', inSubscription: false });
  leaving.remember({ id: 'ada', inSubscription: true });
  expect([other.userId(), other.inSubscription()]).toEqual(['ben', false]);
  other.clear();
  leaving.remember({ id: 'ada', inSubscription: true });
  expect(other.userId()).toBeUndefined();
});
