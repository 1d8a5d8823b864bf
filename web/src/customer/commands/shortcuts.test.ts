import { expect, test } from 'vitest';
import { keyCaps } from '#web/ui/menu/key-caps.ts';
import { SHORTCUT_IDS, SHORTCUTS, shortcutOf, type Stroke, strokeOf } from './shortcuts.ts';

const NOTHING_HELD = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const press = (key: string, held: Partial<Stroke> = {}): string =>
  strokeOf({ ...NOTHING_HELD, key, ...held });

test('no two shortcuts have the same keys, and none begins with the keys of another', () => {
  const all = SHORTCUT_IDS.map((id) => SHORTCUTS[id].keys as string);
  expect(new Set(all).size).toBe(all.length);
  for (const keys of all) expect(all.filter((other) => other.startsWith(`${keys} `))).toEqual([]);
});

test('a stroke is written as in the list, whatever the keyboard needs for a sign', () => {
  expect(press('k', { ctrlKey: true })).toBe('Mod+K');
  expect(press('k', { metaKey: true })).toBe('Mod+K');
  expect(press('?', { shiftKey: true })).toBe('?');
  expect(press('/', { shiftKey: true })).toBe('/');
  expect(press('X', { shiftKey: true })).toBe('Shift+X');
  expect(press('Escape')).toBe('Esc');
});

test('two strokes are one shortcut, and the second alone another', () => {
  expect(shortcutOf('G', undefined)).toEqual({ begins: 'G' });
  expect(shortcutOf('D', 'G')).toEqual({ shortcut: 'dashboard' });
  expect(shortcutOf('D', undefined)).toEqual({ shortcut: 'delivery' });
  expect(shortcutOf('Q', 'G')).toBeUndefined();
  expect(shortcutOf('Mod+C', undefined)).toBeUndefined();
});

test('a Mac is told of its own key', () => {
  expect(keyCaps('Mod+K', true)).toEqual([['⌘', 'K']]);
  expect(keyCaps('Mod+K', false)).toEqual([['Ctrl', 'K']]);
  expect(keyCaps('G D', false)).toEqual([['G'], ['D']]);
});
