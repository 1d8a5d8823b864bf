import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeTags, cleanTag, problemOfTag, tagKey, tagsInUse } from './account-tags.ts';

const tag = fc.stringMatching(/^[a-cA-C]{1,2}$/);
const tags = fc.array(tag, { maxLength: 6 });
const keysOf = (list: readonly string[]): Set<string> => new Set(list.map(tagKey));

test('a tag is kept without the spaces around it, and with one between its words', () => {
  expect(cleanTag('  Spring \t sale ')).toBe('Spring sale');
  expect(problemOfTag('Spring sale')).toBeUndefined();
  expect(problemOfTag('ä'.repeat(32))).toBeUndefined();
});

test('what can’t be a tag is told in a sentence', () => {
  expect(problemOfTag('  ')).toBe('Please type a tag.');
  expect(problemOfTag('x'.repeat(33))).toBe('A tag has at most 32 characters.');
  expect(problemOfTag('a, b')).toBe('A tag has no commas or semicolons.');
  expect(problemOfTag('a\u202Eb')).toBe('Please use letters, numbers and symbols only.');
});

test('a change leaves each tag once, whatever was added and removed, and done twice it is done', () => {
  fc.assert(
    fc.property(tags, tags, tags, (given, add, remove) => {
      const before = changeTags([], { add: given, remove: [] });
      const after = changeTags(before, { add, remove });
      expect(keysOf(after).size).toBe(after.length);
      const left = [...keysOf(before)].filter((key) => !keysOf(remove).has(key));
      expect(keysOf(after)).toEqual(new Set([...left, ...keysOf(add)]));
      expect(changeTags(after, { add, remove })).toHaveLength(after.length);
    }),
  );
});

test('the order in which tags were given says nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(tag, { selector: tagKey }), (add) => {
      const one = changeTags([], { add, remove: [] });
      expect(changeTags([], { add: add.toReversed(), remove: [] })).toEqual(one);
    }),
  );
});

test('of two ways to write a tag the first counts', () => {
  expect(changeTags(['VIP'], { add: ['vip'], remove: [] })).toEqual(['VIP']);
  expect(tagsInUse([{ tags: ['b', 'A'] }, { tags: ['a', 'c'] }])).toEqual(['A', 'b', 'c']);
});
