import { expect, test } from 'vitest';
import { namesInWords } from './account-names.ts';

test('however many accounts a sentence is about, three or four are named, and of more the others counted', () => {
  const accounts = Array.from({ length: 1000 }, (_, nth) => ({ igUsername: `client.${nth}` }));
  expect(namesInWords(accounts.slice(0, 1))).toBe('@client.0');
  expect(namesInWords(accounts.slice(0, 3))).toBe('@client.0, @client.1, and @client.2');
  expect(namesInWords(accounts.slice(0, 4))).toBe('@client.0, @client.1, @client.2, and @client.3');
  expect(namesInWords(accounts)).toBe('@client.0, @client.1, @client.2, and 997 more');
});
