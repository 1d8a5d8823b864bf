import { expect, test } from 'vitest';
import { showOnTaskbar } from './taskbar-badge.ts';

test('news put a dot on the button in the taskbar, with their number in words; none take it away', () => {
  const shown: unknown[][] = [];
  const button = {
    setOverlayIcon: (...overlay: [string | null, string]) => void shown.push(overlay),
  };
  for (const count of [1, 3, 0]) showOnTaskbar(button, count, () => 'dot');
  showOnTaskbar(undefined, 2, () => 'dot');
  expect(shown).toEqual([
    ['dot', '1 unseen notice'],
    ['dot', '3 unseen notices'],
    [null, ''],
  ]);
});
