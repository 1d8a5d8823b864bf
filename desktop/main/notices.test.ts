import { expect, test } from 'vitest';
import { FakeNotice } from '../testing/fake-desktop.ts';
import { createNotices } from './requests.ts';

function open(isSupported = true) {
  const made: FakeNotice[] = [];
  const opened: string[] = [];
  const failed: string[] = [];
  const notices = createNotices(
    () => {
      const notice = new FakeNotice({});
      made.push(notice);
      return isSupported ? notice : undefined;
    },
    (path) => void opened.push(path),
    (reason) => void failed.push(reason),
  );
  const show = (path: string): void => notices.show({ title: 'a', body: 'b', path });
  return { notices, made, opened, show, failed };
}

test('a notice is shown, held until it is clicked, and a click opens what it is about', () => {
  const { notices, made, opened, show } = open();
  show('/dashboard?post=1');
  expect([made[0]?.isShown, notices.held()]).toEqual([true, 1]);
  made[0]?.emit('click');
  expect([opened, notices.held()]).toEqual([['/dashboard?post=1'], 0]);
});

test.each(['close', 'failed'])('one that ends with "%s" is let go', (event) => {
  const { notices, made, opened, show } = open();
  show('/');
  made[0]?.emit(event);
  expect([notices.held(), opened]).toEqual([0, []]);
});

test('a system that never says that they were closed does not fill the memory', () => {
  const { notices, made, opened, show } = open();
  for (let nth = 0; nth < 200; nth += 1) show(`/${nth}`);
  expect(notices.held()).toBe(50);
  made[199]?.emit('click');
  expect(opened).toEqual(['/199']);
});

test('where the system shows none nothing is held', () => {
  const { notices, show } = open(false);
  show('/');
  expect(notices.held()).toBe(0);
});

test('a system that shows none is told of once, in its own words', () => {
  const { made, show, failed } = open();
  show('/a');
  show('/b');
  for (const notice of made) notice.emit('failed', {}, 'UNErrorDomain 1');
  expect(failed).toEqual(['UNErrorDomain 1']);
});
