import { expect, test } from 'vitest';
import { memberName, memberOrder } from './members.ts';

test('every member has a place in a post’s order, exactly one', () => {
  for (const members of [1, 2, 3, 10, 4096, 20_000]) {
    const order = memberOrder('17900000000000001', members);
    const met = new Set(Array.from({ length: members }, (_, index) => order(index)));
    expect(met.size).toBe(members);
    expect(Math.min(...met)).toBe(1);
    expect(Math.max(...met)).toBe(members);
  }
});

test('two posts are liked in different orders', () => {
  const one = memberOrder('17900000000000001', 20_000);
  const two = memberOrder('17900000000000002', 20_000);
  const firsts = [0, 1, 2, 3].map((index) => one(index) === two(index));
  expect(firsts).toContain(false);
});

test('no two members are called alike', () => {
  const names = new Set(Array.from({ length: 120_000 }, (_, index) => memberName(index + 1)));
  expect(names.size).toBe(120_000);
  for (const name of [...names].slice(0, 1000)) expect(name).toMatch(/^[a-z][a-z._]{3,29}$/);
});
