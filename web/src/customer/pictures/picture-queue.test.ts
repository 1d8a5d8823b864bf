import { expect, test } from 'vitest';
import { createPictureQueue, type QueuedPicture } from './picture-queue.ts';

/** Asks for pictures by name and notes whose turn has come. */
function asking(concurrency: number) {
  const queue = createPictureQueue(concurrency);
  const asked: string[] = [];
  const ask = (name: string): QueuedPicture => queue.ask(() => asked.push(name));
  return { ask, asked };
}

test('no more pictures are asked for at a time than may be', () => {
  const { ask, asked } = asking(2);
  const [first] = [ask('a'), ask('b'), ask('c')];
  expect(asked).toEqual(['a', 'b']);
  first?.end();
  expect(asked).toEqual(['a', 'b', 'c']);
});

test('what was wanted last is asked for first, and what has gone is never asked for', () => {
  const { ask, asked } = asking(1);
  const [shown, gone] = [ask('shown'), ask('gone')];
  ask('older');
  ask('newest');
  gone?.withdraw();
  shown?.end();
  expect(asked).toEqual(['shown', 'newest']);
});

test('a turn ends once, and one that has begun is not withdrawn', () => {
  const { ask, asked } = asking(1);
  const first = ask('first');
  const [second] = [ask('second'), ask('third')];
  second?.end();
  first.withdraw();
  expect(asked).toEqual(['first']);
  first.end();
  first.end();
  expect(asked).toEqual(['first', 'third']);
});
