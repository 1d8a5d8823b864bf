import { expect, test } from 'vitest';
import { placeInWords, storageInWords } from './this-device.tsx';

const STORAGE = { isPersistent: true, usedBytes: 1_500_000, quotaBytes: 2_000_000_000 };

test('where the replica is kept and who keeps it is said of the app there, and of the browser here', () => {
  expect(placeInWords('desktop')).toContain('kept in this app,');
  expect(placeInWords('browser')).toContain('kept in this browser,');
  expect(storageInWords(STORAGE, 'desktop')).toBe(
    '2 MB of 2,000 MB used. The app keeps it until you log out.',
  );
  expect(storageInWords({ ...STORAGE, isPersistent: false }, 'browser')).toContain(
    'The browser may clear it when the device runs low on space',
  );
  for (const isPersistent of [true, false]) {
    expect(storageInWords({ ...STORAGE, isPersistent }, 'desktop')).not.toContain('browser');
  }
});
