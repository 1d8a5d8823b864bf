import { expect, test } from 'vitest';
import { ApiError } from '../api-error.ts';
import { Semaphore } from './semaphore.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that has begun, by name, and how each is ended. */
function bench(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, place?: 'first'): Promise<void> =>
    semaphore.run(() => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    }, place);
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await settled();
  };
  return { begun, work, end };
}

test('so many run at once, the others in order of arrival, those placed first before them', async () => {
  const { begun, work, end } = bench(new Semaphore({ concurrency: 2 }));
  for (const name of ['a', 'b', 'c', 'd']) void work(name);
  void work('urgent', 'first');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  await end('a');
  await end('b');
  expect(begun).toEqual(['a', 'b', 'urgent', 'c']);
});

test('what doesn’t fit into the queue is refused at once', async () => {
  const refusal = new ApiError('overloaded', 'Too many at once.');
  const { work } = bench(new Semaphore({ concurrency: 1, waiting: 1 }, () => refusal));
  void work('runs');
  void work('waits');
  await expect(work('refused')).rejects.toBe(refusal);
});

test('work that fails frees its place', async () => {
  const semaphore = new Semaphore({ concurrency: 1 });
  await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await semaphore.run(async () => 'done')).toBe('done');
});

test('it is idle when all that ran or waited has ended', async () => {
  const semaphore = new Semaphore({ concurrency: 1 });
  await semaphore.idle();
  const { work, end } = bench(semaphore);
  void work('a');
  void work('b');
  const seen: string[] = [];
  void semaphore.idle().then(() => seen.push('idle'));
  await settled();
  await end('a');
  seen.push('one ended');
  await end('b');
  expect(seen).toEqual(['one ended', 'idle']);
});
