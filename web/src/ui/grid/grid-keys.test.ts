import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionFor, findTyped, type GridPlace, typeLetter } from './grid-keys.ts';

const SIZE = { rows: 100, columns: 5, page: 10 };
const at: GridPlace = { row: 50, column: 2 };
const press = (
  key: string,
  held: 'shift' | 'ctrl' | 'meta' | 'alt' | 'both' | '' = '',
  from = at,
) =>
  actionFor(
    {
      key,
      shiftKey: held === 'shift' || held === 'both',
      ctrlKey: held === 'ctrl' || held === 'both',
      metaKey: held === 'meta',
      altKey: held === 'alt',
    },
    from,
    SIZE,
  );
const goes = (row: number, column: number, isExtending = false) => ({
  kind: 'move',
  to: { row, column },
  isExtending,
});

test.each([
  ['ArrowDown', '', goes(51, 2)],
  ['ArrowUp', '', goes(49, 2)],
  ['ArrowLeft', '', goes(50, 1)],
  ['ArrowRight', '', goes(50, 3)],
  ['Home', '', goes(50, 0)],
  ['End', '', goes(50, 4)],
  ['Home', 'ctrl', goes(0, 0)],
  ['End', 'meta', goes(99, 4)],
  ['PageDown', '', goes(60, 2)],
  ['PageUp', '', goes(40, 2)],
  ['ArrowDown', 'shift', goes(51, 2, true)],
  ['PageUp', 'shift', goes(40, 2, true)],
  ['End', 'both', goes(99, 4, true)],
  ['ArrowRight', 'shift', goes(50, 3)],
  [' ', '', { kind: 'toggle' }],
  [' ', 'shift', { kind: 'range' }],
  ['a', 'ctrl', { kind: 'all' }],
  ['A', 'meta', { kind: 'all' }],
  ['Enter', '', { kind: 'enter', isAdding: false }],
  ['Enter', 'shift', { kind: 'enter', isAdding: true }],
  ['F2', '', { kind: 'enter', isAdding: false }],
  ['g', '', { kind: 'type', letter: 'g' }],
  ['Tab', '', undefined],
  ['Escape', '', undefined],
  ['c', 'ctrl', undefined],
  ['ArrowLeft', 'alt', undefined],
] as const)('%s with %s does its part', (key, held, action) => {
  expect(press(key, held)).toEqual(action);
});

test('the head is above the first row, and no key leaves the grid', () => {
  expect(press('ArrowUp', '', { row: 0, column: 0 })).toEqual(goes(-1, 0));
  expect(press('ArrowDown', '', { row: -1, column: 0 })).toEqual(goes(0, 0));
  const keys = [
    'ArrowUp',
    'ArrowDown',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
    'PageUp',
    'PageDown',
  ];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean()), { maxLength: 20 }),
      fc.integer({ min: 0, max: 3 }),
      (pressed, rows) => {
        let place: GridPlace = { row: -1, column: 0 };
        for (const [key, ctrlKey] of pressed) {
          const none = { shiftKey: false, metaKey: false, altKey: false };
          const action = actionFor({ key, ctrlKey, ...none }, place, { ...SIZE, rows });
          if (action?.kind === 'move') place = action.to;
          expect(place.row).toBeGreaterThanOrEqual(-1);
          expect(place.row).toBeLessThan(Math.max(rows, 0));
          expect(place.column).toBeGreaterThanOrEqual(0);
          expect(place.column).toBeLessThan(SIZE.columns);
        }
      },
    ),
  );
});

test('what is typed finds the next name that begins so, around the end, one letter again and again goes on', () => {
  const names = ['ada', 'bob', 'anna', 'bea'];
  const nameOf = (row: number): string => names[row] ?? '';
  expect(findTyped('a', 0, 4, nameOf)).toBe(2);
  expect(findTyped('a', 2, 4, nameOf)).toBe(0);
  expect(findTyped('aa', 0, 4, nameOf)).toBe(2);
  expect(findTyped('an', 2, 4, nameOf)).toBe(2);
  expect(findTyped('be', 0, 4, nameOf)).toBe(3);
  expect(findTyped('x', 0, 4, nameOf)).toBeUndefined();
  expect(findTyped('x', -1, 0, nameOf)).toBeUndefined();
  const first = typeLetter({ text: '', atMs: -Infinity }, 'b', 0);
  expect(typeLetter(first, 'e', 500).text).toBe('be');
  expect(typeLetter(first, 'e', 900).text).toBe('e');
});
