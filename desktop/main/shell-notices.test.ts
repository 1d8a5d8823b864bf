import { expect, test } from 'vitest';
import { createShellNotices, type ShownNotice } from './shell-notices.ts';

class FakeNotice implements ShownNotice {
  isShown = false;
  #listeners: Record<string, () => void> = {};
  show = (): void => void (this.isShown = true);
  on = (event: string, listener: () => void): void => void (this.#listeners[event] = listener);
  emit = (event: string): void => this.#listeners[event]?.();
}

function open(isSupported = true) {
  const made: FakeNotice[] = [];
  const opened: string[] = [];
  const notices = createShellNotices(
    () => {
      const notice = new FakeNotice();
      made.push(notice);
      return isSupported ? notice : undefined;
    },
    (path) => void opened.push(path),
  );
  const show = (path: string): void => notices.show({ title: 'a', body: 'b', path });
  return { notices, made, opened, show };
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
