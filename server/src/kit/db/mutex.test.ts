import { expect, test } from 'vitest';
import { onBehalfOf } from '../async/asker.ts';
import { ReentrantMutex } from './mutex.ts';

test('work runs one at a time and in the order it came', async () => {
  const mutex = new ReentrantMutex();
  const steps: string[] = [];
  const work = (name: string) =>
    mutex.run(async () => {
      steps.push(`${name} starts`);
      await Promise.resolve();
      steps.push(`${name} ends`);
    });
  await Promise.all([work('a'), work('b'), work('c')]);
  expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('askers take turns, however much one of them asks for at once', async () => {
  const mutex = new ReentrantMutex(() => 0);
  const order: string[] = [];
  const ask = (asker: string, times: number): Promise<void[]> =>
    onBehalfOf(asker, () =>
      Promise.all(
        Array.from({ length: times }, (_, nr) =>
          mutex.run(async () => void order.push(`${asker}${nr}`)),
        ),
      ),
    );
  await Promise.all([
    ask('greedy', 5),
    ask('ada', 2),
    mutex.run(async () => void order.push('own')),
  ]);
  expect(order.join(' ')).toBe('greedy0 ada0 own greedy1 ada1 greedy2 greedy3 greedy4');
});

test('who arrives during a turn has one before those who go on have another', async () => {
  const mutex = new ReentrantMutex();
  const order: string[] = [];
  const goOn = onBehalfOf('greedy', async () => {
    for (let nr = 0; nr < 5; nr += 1) await mutex.run(async () => void order.push('greedy'));
  });
  const arrives = new Promise<void>((resolve) => {
    setImmediate(() => {
      resolve(onBehalfOf('ada', () => mutex.run(async () => void order.push('ada'))));
    });
  });
  await Promise.all([goOn, arrives]);
  expect(order.indexOf('ada')).toBeLessThan(3);
});

/** A lock by a clock that only its work turns on; who has had a turn, in order. */
function timedTurns() {
  let nowMs = 0;
  const mutex = new ReentrantMutex(() => nowMs);
  const order: string[] = [];
  /** Asks for `times` turns of so many milliseconds, each when the one before has ended. */
  const inTurn = (asker: string, times: number, ms: number): Promise<void> =>
    onBehalfOf(asker, async () => {
      for (let nr = 0; nr < times; nr += 1) {
        await mutex.run(async () => {
          order.push(asker);
          nowMs += ms;
        });
      }
    });
  return { order, inTurn };
}

test('who asks for what takes long waits until the others have had the lock as long', async () => {
  const { order, inTurn } = timedTurns();
  const floods = Array.from({ length: 4 }, () => inTurn('greedy', 2, 25));
  await Promise.all([...floods, inTurn('ada', 7, 5)]);
  expect(order.slice(0, 8)).toEqual([
    'greedy',
    ...Array.from({ length: 5 }, () => 'ada'),
    'greedy',
    'ada',
  ]);
});

test('who has asked for nothing until now has saved up no time', async () => {
  const { order, inTurn } = timedTurns();
  const floods = Array.from({ length: 4 }, () => inTurn('greedy', 5, 10));
  await inTurn('ada', 10, 10);
  order.length = 0;
  await Promise.all([...floods, inTurn('bob', 4, 10)]);
  expect(order.slice(0, 4)).toEqual(['bob', 'greedy', 'bob', 'greedy']);
});

test('a stream of newcomers keeps nobody waiting for ever who has had the lock for longer', async () => {
  const { order, inTurn } = timedTurns();
  const waits = inTurn('product', 2, 100);
  // Two at a time, each of whom has had nothing yet.
  const come = async (line: string): Promise<void> => {
    for (let nr = 0; nr < 50; nr += 1) await inTurn(`${line}${nr}`, 1, 10);
  };
  await Promise.all([waits, come('a'), come('b')]);
  expect(order[0]).toBe('product');
  expect(order.lastIndexOf('product')).toBeLessThan(40);
});

test('what was spent while nobody waited is forgotten', async () => {
  const { order, inTurn } = timedTurns();
  await inTurn('ada', 3, 1000);
  order.length = 0;
  await Promise.all([inTurn('ada', 2, 10), inTurn('bob', 2, 10)]);
  expect(order).toEqual(['ada', 'bob', 'ada', 'bob']);
});

test('the holder may take it again', async () => {
  const mutex = new ReentrantMutex();
  expect(await mutex.run(() => mutex.run(async () => 'inner'))).toBe('inner');
});

test('work left behind by an ended holder queues like any other', async () => {
  const mutex = new ReentrantMutex();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const steps: string[] = [];
  let leftBehind: Promise<void> = Promise.resolve();
  await mutex.run(async () => {
    leftBehind = ended.then(() => mutex.run(async () => void steps.push('left behind')));
  });
  const other = mutex.run(async () => {
    end();
    await new Promise((resolve) => setImmediate(resolve));
    steps.push('other');
  });
  await Promise.all([other, leftBehind]);
  expect(steps).toEqual(['other', 'left behind']);
});

test('a failure frees the lock', async () => {
  const mutex = new ReentrantMutex();
  await expect(mutex.run(async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await mutex.run(async () => 'next')).toBe('next');
});
