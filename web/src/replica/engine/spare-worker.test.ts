import { expect, test } from 'vitest';
import { createSpareWorker, NoWorkerError } from './start-engine.ts';

/** As much of a worker as its opener sees. */
function workers() {
  const opened: EventTarget[] = [];
  const open = (): Worker => {
    const worker = new EventTarget();
    opened.push(worker);
    return worker as Worker;
  };
  return { opened, open };
}

test('one worker is opened, however often it is asked for, and handed over once', () => {
  const { opened, open } = workers();
  const spare = createSpareWorker(open);
  expect(spare.take()).toBeUndefined();
  spare.open();
  spare.open();
  expect(opened).toHaveLength(1);
  expect(spare.take()).toBe(opened[0]);
  expect(spare.take()).toBeUndefined();
});

test('a worker whose code could not be loaded is not handed over, and the next one is', () => {
  const { opened, open } = workers();
  const spare = createSpareWorker(open);
  spare.open();
  const failure = new Event('error', { cancelable: true });
  opened[0]?.dispatchEvent(failure);
  expect(failure.defaultPrevented).toBe(true);
  expect(spare.take()).toBeUndefined();
  spare.open();
  expect(spare.take()).toBe(opened[1]);
});

test('where there are no workers none is handed over', () => {
  const spare = createSpareWorker(() => {
    throw new NoWorkerError('There are no workers');
  });
  spare.open();
  expect(spare.take()).toBeUndefined();
});
