import { expect, test } from 'vitest';
import { countTags, limitProblem, type TagIntent, intendedChange } from './tag-intents.ts';

const account = (igUsername: string, ...tags: string[]) => ({ igUsername, tags });
const nth = (count: number, word = 'tag'): string[] =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`);
const intents = (...all: Array<[tag: string, wanted: TagIntent['wanted']]>) =>
  new Map(all.map(([tag, wanted]) => [tag.toLowerCase(), { tag, wanted }]));

test('each tag is counted once, however it is written, with what is wanted of it', () => {
  const accounts = [account('ada', 'VIP'), account('bob', 'vip', 'old'), account('eve')];
  expect(countTags(accounts, intents(['new', 'all'], ['old', 'none']))).toEqual([
    { tag: 'new', count: 0, wanted: 'all' },
    { tag: 'old', count: 1, wanted: 'none' },
    { tag: 'VIP', count: 2, wanted: undefined },
  ]);
  expect(intendedChange(intents(['new', 'all'], ['old', 'none']))).toEqual({
    add: ['new'],
    remove: ['old'],
  });
});

test('what the server would refuse is said before anything is queued', () => {
  const full = account('ada', ...nth(20));
  const add = { add: ['one more'], remove: [] };
  expect(limitProblem([full, account('bob')], [full], add)).toBe(
    '@ada would have more than 20 tags. Take some off first.',
  );
  expect(limitProblem([full], [full], { add: ['one more'], remove: ['tag 3'] })).toBeUndefined();
  const all = nth(10, 'of').map((name) => account(name, ...nth(20, name)));
  expect(limitProblem([account('bob')], [...all, account('bob')], add)).toBe(
    'You can have up to 200 different tags.',
  );
  expect(limitProblem([account('bob')], all.slice(1), add)).toBeUndefined();
});
