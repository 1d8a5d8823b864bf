import { expect, test } from 'vitest';
import { caretAfterSpacing, readCardNumber, spacedCardNumber } from './card-number.ts';

// Shows fact 5.11.
test('what is typed keeps its digits and loses the rest', () => {
  expect(readCardNumber('4242-4242 42a')).toEqual({ digits: '4242424242', isTooLong: false });
});

// Shows fact 5.12.
test('a 17th digit is refused, spaces do not count', () => {
  expect(readCardNumber('4242 4242 4242 4242')).toEqual({
    digits: '4242424242424242',
    isTooLong: false,
  });
  expect(readCardNumber('4242 4242 4242 4242 4')).toEqual({
    digits: '4242424242424242',
    isTooLong: true,
  });
});

test('digits stand in the groups printed on the card', () => {
  expect(spacedCardNumber('4242424242424242')).toBe('4242 4242 4242 4242');
  expect(spacedCardNumber('378282246310005')).toBe('3782 822463 10005');
  expect(spacedCardNumber('4242')).toBe('4242');
  expect(spacedCardNumber('')).toBe('');
});

test('the caret stays behind the digit that was typed', () => {
  const typed = '4242 94242 4242';
  expect(caretAfterSpacing(typed, 6, spacedCardNumber('4242942424242'))).toBe(6);
  expect(caretAfterSpacing('42429', 5, '4242 9')).toBe(6);
  expect(caretAfterSpacing('', 0, '')).toBe(0);
});
