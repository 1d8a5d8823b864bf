import { expect, test } from 'vitest';
import { deviceName } from './devices.tsx';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36',
    'Chrome on Windows',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1', 'Safari on iPhone'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
  ['Ovation/1.2.3 Electron/45.4.1 (Macintosh)', 'Ovation desktop app on Mac'],
  ['Ovation/1.2.3 Electron/45.4.1 (Windows)', 'Ovation desktop app on Windows'],
  ['Ovation/1.2.3 Electron/45.4.1 (Linux)', 'Ovation desktop app on Linux'],
  ['', 'Unknown browser'],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});
