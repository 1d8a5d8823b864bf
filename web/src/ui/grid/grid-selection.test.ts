import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ALL_SELECTED,
  asRows,
  countSelected,
  type GridSelection,
  isSelected,
  NONE_SELECTED,
  selectionInWords,
  toggled,
  withRows,
} from './grid-selection.ts';

const IDS = Array.from({ length: 12 }, (_, nth) => String(nth));
const ids = fc.subarray(IDS);
const step = fc.oneof(
  fc.record({ kind: fc.constant('toggle' as const), id: fc.constantFrom(...IDS) }),
  fc.record({ kind: fc.constant('rows' as const), ids, areChosen: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('all' as const, 'none' as const, 'spelled' as const) }),
);

const inList = { isKnown: () => true, isShown: () => true };

test('whatever is pressed, what is chosen is what a plain set would hold', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let selection: GridSelection = NONE_SELECTED;
      let plain = new Set<string>();
      for (const one of steps) {
        if (one.kind === 'toggle') {
          selection = toggled(selection, one.id);
          if (!plain.delete(one.id)) plain.add(one.id);
        } else if (one.kind === 'rows') {
          selection = withRows(selection, one.ids, one.areChosen);
          for (const id of one.ids)
            if (one.areChosen) plain.add(id);
            else plain.delete(id);
        } else if (one.kind === 'spelled') selection = asRows(selection, () => IDS);
        else {
          selection = one.kind === 'all' ? ALL_SELECTED : NONE_SELECTED;
          plain = new Set(one.kind === 'all' ? IDS : []);
        }
        expect(IDS.filter((id) => isSelected(selection, id))).toEqual(
          IDS.filter((id) => plain.has(id)),
        );
        expect(countSelected(selection, IDS.length, inList).chosen).toBe(plain.size);
      }
    }),
  );
});

test('a range that shrinks leaves what was chosen before it', () => {
  const base = withRows(NONE_SELECTED, ['9'], true);
  const long = withRows(base, ['2', '3', '4'], true);
  const short = withRows(base, ['2', '3'], true);
  expect([isSelected(long, '4'), isSelected(short, '4'), isSelected(short, '9')]).toEqual([
    true,
    false,
    true,
  ]);
});

test('what is chosen is said with what is left out, and with what the list doesn’t show', () => {
  const but = withRows(ALL_SELECTED, ['1', '2', '3'], false);
  const say = (
    selection: GridSelection,
    matching: number,
    isShown = (_id: string) => true,
  ): string =>
    selectionInWords(
      selection,
      matching,
      countSelected(selection, matching, { isKnown: (id) => id !== 'gone', isShown }),
    );
  expect(say(but, 3412)).toBe('All 3,412 that match, without 3');
  expect(say(ALL_SELECTED, 3412)).toBe('All 3,412 that match');
  const some = withRows(NONE_SELECTED, ['1', '2', 'gone'], true);
  expect(say(some, 5)).toBe('2 selected');
  expect(say(some, 5, (id) => id === '1')).toBe('2 selected, 1 of them not in this list');
});
