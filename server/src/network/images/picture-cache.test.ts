import { expect, test } from 'vitest';
import { createServedPictures, type Picture } from './picture-cache.ts';

const picture = (length: number): Picture => ({ bytes: Buffer.alloc(length), type: 'image/webp' });

test('a kept picture is made once, also when asked for at the same time', async () => {
  const cache = createServedPictures(1000, 4);
  let makings = 0;
  const make = (): Promise<Picture> => {
    makings += 1;
    return Promise.resolve(picture(10));
  };
  const [first, second] = await Promise.all([cache.get('a', make), cache.get('a', make)]);
  expect(second).toBe(first);
  expect(await cache.get('a', make)).toBe(first);
  expect(makings).toBe(1);
});

test('what could not be made is tried again', async () => {
  const cache = createServedPictures(1000, 4);
  expect(await cache.get('a', () => Promise.resolve(undefined))).toBeUndefined();
  await expect(cache.get('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await cache.get('a', () => Promise.resolve(picture(10)))).toBeDefined();
});

test('the picture used longest ago goes first, and a large one is never kept', async () => {
  const cache = createServedPictures(100, 4);
  const made: string[] = [];
  const ask = (key: string, length: number): Promise<Picture | undefined> =>
    cache.get(key, () => {
      made.push(key);
      return Promise.resolve(picture(length));
    });
  for (let index = 0; index < 20; index += 1) await ask(`p${index}`, 5);
  await ask('p0', 5);
  await ask('new', 5);
  made.length = 0;
  await ask('large', 7);
  await ask('large', 7);
  await ask('p0', 5);
  await ask('p1', 5);
  expect(made).toEqual(['large', 'large', 'p1']);
});

test('no more pictures are made at a time than allowed', async () => {
  const cache = createServedPictures(1000, 2);
  const finish: (() => void)[] = [];
  const ask = (key: string): Promise<Picture | undefined> =>
    cache.get(key, () => new Promise((resolve) => finish.push(() => resolve(picture(1)))));
  const asked = ['a', 'b', 'c', 'd'].map(ask);
  await new Promise(setImmediate);
  expect(finish).toHaveLength(2);
  finish[0]?.();
  await asked[0];
  await new Promise(setImmediate);
  expect(finish).toHaveLength(3);
  for (let index = 1; index < 4; index += 1) {
    finish[index]?.();
    await asked[index];
    await new Promise(setImmediate);
  }
  expect(finish).toHaveLength(4);
});
