import { expect, test } from 'vitest';
import { createNoticeSwitch } from './browser-notices.ts';
import { memoryStorage } from './platform-storage.fake.ts';

function open(answer: NotificationPermission) {
  const browser = {
    permission: 'default' as NotificationPermission,
    asked: 0,
    requestPermission: async () => {
      browser.asked += 1;
      browser.permission = answer;
      return answer;
    },
  };
  const notices = createNoticeSwitch(browser, memoryStorage());
  return { notices, browser };
}

test('nobody is asked for notices before they want them', async () => {
  const { notices, browser } = open('granted');
  expect([await notices.read(), browser.asked]).toEqual([false, 0]);
  expect([await notices.set(true), browser.asked]).toEqual([true, 1]);
});

test('what the browser refuses stays off', async () => {
  const { notices } = open('denied');
  expect(await notices.set(true)).toBe(false);
  expect(await notices.read()).toBe(false);
});

test('turned off they stay off, though the browser would still permit them', async () => {
  const { notices } = open('granted');
  await notices.set(true);
  expect(await notices.set(false)).toBe(false);
  expect(await notices.read()).toBe(false);
  expect(await notices.set(true)).toBe(true);
});
