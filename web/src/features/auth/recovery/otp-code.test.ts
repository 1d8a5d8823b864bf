import { expect, test } from 'vitest';
import { CODE_LENGTH, LONG_CODE_LENGTH } from '#shared/domain/people/recovery-code.ts';
import { clearBox, emptyBoxes, enterCode, typedInto } from './otp-code.ts';

const EMPTY_BOXES = emptyBoxes(CODE_LENGTH);

const boxesOf = (text: string): string[] => Array.from(text.padEnd(CODE_LENGTH), (c) => c.trim());

test('typing a digit fills its box and moves on, the last box keeps the focus', () => {
  expect(enterCode(EMPTY_BOXES, 0, '4')).toEqual({ boxes: boxesOf('4'), focus: 1 });
  expect(enterCode(boxesOf('12345'), 5, '6')).toEqual({ boxes: boxesOf('123456'), focus: 5 });
});

// Shows fact 2.87.
test('a pasted code spreads over the boxes, wherever it is pasted and however it is spaced', () => {
  expect(enterCode(EMPTY_BOXES, 0, '482 910')).toEqual({ boxes: boxesOf('482910'), focus: 5 });
  expect(enterCode(boxesOf('999999'), 3, ' 482-910\n').boxes).toEqual(boxesOf('482910'));
  expect(enterCode(EMPTY_BOXES, 0, '48291077').boxes).toEqual(boxesOf('482910'));
});

test('a part of a code spreads from the box it is pasted into and keeps the others', () => {
  expect(enterCode(boxesOf('12'), 2, '345')).toEqual({ boxes: boxesOf('12345'), focus: 5 });
  expect(enterCode(boxesOf('123456'), 4, '789').boxes).toEqual(boxesOf('123478'));
});

// Shows fact 5.07.
test.each(['a', ' ', '٤', '-', 'קוד', '😀'])('%j is no digit and changes nothing', (typed) => {
  expect(enterCode(boxesOf('12'), 2, typed)).toEqual({ boxes: boxesOf('12'), focus: 2 });
});

test('typing into a filled box replaces its digit, before or behind it', () => {
  expect(typedInto('4', '47')).toBe('7');
  expect(typedInto('4', '74')).toBe('7');
  expect(typedInto('4', '44')).toBe('4');
  expect(typedInto('', '482910')).toBe('482910');
  expect(typedInto('8', '482910')).toBe('482910');
});

test('a box is emptied alone', () => {
  expect(clearBox(boxesOf('123456'), 2)).toEqual(['1', '2', '', '4', '5', '6']);
});

test('a longer code has letters too, in whatever case and with whatever between', () => {
  const empty = emptyBoxes(LONG_CODE_LENGTH);
  expect(enterCode(empty, 0, 'k7qm-2xr9')).toEqual({ boxes: Array.from('K7QM2XR9'), focus: 7 });
  expect(enterCode(empty, 0, 'o').boxes[0]).toBe('0');
  expect(enterCode(empty, 0, 'u')).toEqual({ boxes: empty, focus: 0 });
  expect(enterCode(empty, 0, '482910').boxes.join('')).toBe('482910');
});
