import { expect, test } from 'vitest';
import { hasOwnSpeller, WEB_PREFERENCES } from './web-preferences.ts';

test('the window spells only with what the system has: no dictionary is fetched from elsewhere', () => {
  expect(hasOwnSpeller('darwin')).toBe(true);
  expect(hasOwnSpeller('win32')).toBe(true);
  expect(hasOwnSpeller('linux')).toBe(false);
  expect(WEB_PREFERENCES.spellcheck).toBe(hasOwnSpeller(process.platform));
});
